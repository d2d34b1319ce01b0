package telegram_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"talaria/adapters/markdown"
	"talaria/core/chat"

	"github.com/google/go-cmp/cmp"
)

// written is a text with its entities shown as (type: text).
func (r *rig) written(md string) (text string, styled []string) {
	r.T.Helper()
	var sent struct {
		Text     string
		Entities []markdown.Entity
	}
	if err := json.Unmarshal(r.Adapter.Render(chat.Post{Markdown: md})[0].Payload, &sent); err != nil {
		r.T.Fatal(err)
	}
	units := utf16.Encode([]rune(sent.Text))
	for _, e := range sent.Entities {
		styled = append(styled, e.Type+": "+string(utf16.Decode(units[e.Offset:e.Offset+e.Length])))
	}
	return sent.Text, styled
}

func TestNamesInATextNotifyNobodyAndCanBeCopied(t *testing.T) {
	r := newRig(t, nil)
	r.Server.Say(ada, ada, "hi")
	for md, want := range map[string][]string{
		"ask @durov, @everyone and (@here)":        {"code: @durov", "code: @everyone", "code: @here"},
		"🦊 **so @durov does** `@durov` @a_b1":      {"bold: so ", "code: @durov", "bold:  does", "code: @durov", "code: @a_b1"},
		"**@durov**":                               {"code: @durov"},
		"> quote @durov here":                      {"blockquote: quote @durov here", "code: @durov"},
		"***all @durov***":                         {"italic: all ", "bold: all ", "code: @durov"},
		"mail ops@example.com":                     nil,
		"[to @durov](https://example.com)":         {"text_link: to @durov"},
		"see https://example.com/@durov/1 /@durov": {"code: @durov"},
		"```\n@durov\n```\nx.@durov":               {"pre: @durov", "code: @durov"},
		"@ alone, @x short, @@durov, 大家@durov 好":   {"code: @durov"},
	} {
		text, styled := r.written(md)
		if diff := cmp.Diff(want, styled); diff != "" || strings.Contains(text, "＠") {
			t.Errorf("%q became %q (-want +got)\n%s", md, text, diff)
		}
		part := r.Adapter.Render(chat.Post{Markdown: md})[0]
		if _, err := r.Adapter.Send(r.Ctx, chat.Delivery{Key: md, Address: chat.Address{Platform: "telegram", Chat: fmt.Sprint(ada)}, Payload: part.Payload}); err != nil {
			t.Error(err)
		}
	}
	if b := r.Server.Breaches(); len(b) > 0 {
		t.Error(b)
	}
	text, styled := r.written(strings.Repeat("@durov ", 120))
	if len(styled) != 100 || strings.Count(text, "＠durov") != 20 {
		t.Errorf("of 120 names, %d are code and %d have another @", len(styled), strings.Count(text, "＠"))
	}
}
