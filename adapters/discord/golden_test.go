package discord

import (
	"encoding/json"
	"strings"
	"testing"

	"talaria/adapters/adaptertest"
	"talaria/adapters/inbound"
	"talaria/adapters/wire"
)

// helper is what is known around testdata/inbound.
var helper = scene{
	me:   "1100",
	role: func(string) string { return "1177" },
	user: func(string) string { return "" },
	channel: func(id string) (channel, bool) {
		c, there := map[string]channel{
			"311": {Type: is(publicThread), Parent: "300", Owner: "1100", Name: is("plan")},
			"312": {Type: is(publicThread), Parent: "305", Owner: "2001"}, // a post in a forum
			"300": {Type: is(0), Name: is("general")},
			"400": {Type: is(groupChannel)},
		}[id]
		return c, there
	},
}

func is[T any](v T) wire.Maybe[T] { return wire.Maybe[T]{Is: &v} }

// TestGolden holds each dispatch of testdata/inbound against what it comes to.
func TestGolden(t *testing.T) {
	adaptertest.Golden(t, func(raw json.RawMessage) inbound.Item { return normalize(raw, helper) })
}

// FuzzNormalize: whatever comes, a dispatch is an event with keys or is dropped
// with a reason, never a panic.
func FuzzNormalize(f *testing.F) {
	for _, raw := range adaptertest.Recorded(f) {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		item := normalize(raw, helper)
		adaptertest.CheckItem(t, item)
		var d dispatch
		if json.Unmarshal(raw, &d) == nil {
			spread(d)
			newDirectory().learn(d.Type, d.Data, helper.me)
		}
	})
}

// FuzzRead: resolving tokens of any text loses none of it but tokens.
func FuzzRead(f *testing.F) {
	f.Add("hi <@1100> `<@1100>` <#300> <:wave:5> ```\n<@&1177>``` </stop:9> <t:1700000000:R>")
	f.Add("``` ` `` <@ <@!1100")
	f.Fuzz(func(t *testing.T, text string) {
		r := helper.reader(&content{Text: is(text)})
		r.me, r.strip = helper.me, true
		got := r.read(text)
		if !token.MatchString(text) && got != strings.TrimSpace(text) {
			t.Errorf("%q became %q", text, got)
		}
		if r.mentioned && !strings.Contains(text, helper.me) {
			t.Errorf("%q mentions the bot", text)
		}
	})
}
