package discord

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/adapters/inbound"
	"talaria/adapters/wire"
	"talaria/core/chat"

	"github.com/google/go-cmp/cmp"
)

var rewrite = flag.Bool("update", false, "write what came out to the golden files")

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

// outcome is an Item as its golden file has it.
type outcome struct {
	Reason     inbound.Reason   `json:"reason,omitempty"`
	Event      *chat.Event      `json:"event,omitempty"`
	Concerns   string           `json:"concerns,omitempty"`
	Group      string           `json:"group,omitempty"`
	ToOtherBot bool             `json:"to_other_bot,omitempty"`
	Effects    []inbound.Effect `json:"effects,omitempty"`
}

func outcomeOf(item inbound.Item) outcome {
	o := outcome{item.Reason, nil, item.Concerns, item.Group, item.ToOtherBot, item.Effects}
	if item.Reason == "" {
		o.Event = &item.Event
	}
	return o
}

// TestGolden holds each dispatch of testdata/inbound against what it comes to.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/inbound/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no dispatches: %v", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".golden.json") {
			continue
		}
		name := strings.TrimSuffix(file, ".json")
		t.Run(filepath.Base(name), func(t *testing.T) {
			checkGolden(t, name+".golden.json", outcomeOf(normalize(readDispatch(t, file), helper)))
		})
	}
}

func readDispatch(t testing.TB, file string) json.RawMessage {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var fixture struct {
		What     string          `json:"what"`
		Dispatch json.RawMessage `json:"dispatch"`
	}
	if err := json.Unmarshal(data, &fixture); err != nil || fixture.What == "" {
		t.Fatalf("%s: %v, %q", file, err, fixture.What)
	}
	return fixture.Dispatch
}

func checkGolden(t *testing.T, file string, o outcome) {
	t.Helper()
	var got bytes.Buffer
	enc := json.NewEncoder(&got)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(o); err != nil {
		t.Fatal(err)
	}
	if *rewrite {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// FuzzNormalize: whatever comes, a dispatch is an event with keys or is dropped
// with a reason, never a panic.
func FuzzNormalize(f *testing.F) {
	files, err := filepath.Glob("testdata/inbound/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, ".golden.json") {
			f.Add([]byte(readDispatch(f, file)))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		item := normalize(raw, helper)
		if item.Reason == "" && (item.Event.Key() == "" || item.Event.Kind == "" || item.Event.Address.Platform == "") {
			t.Errorf("event without key, kind or address: %+v", item.Event)
		}
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
