package telegram

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/adapters/inbound"
	"talaria/core/chat"

	"github.com/google/go-cmp/cmp"
)

var rewrite = flag.Bool("update", false, "write what came out to the golden files")

// helper is the account in testdata/inbound.
var helper = account{id: 6000000042, name: "helper_bot"}

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

// TestGolden holds each update of testdata/inbound against what it comes to.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/inbound/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no updates: %v", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".golden.json") {
			continue
		}
		name := strings.TrimSuffix(file, ".json")
		t.Run(filepath.Base(name), func(t *testing.T) {
			checkGolden(t, name+".golden.json", outcomeOf(normalize(readUpdate(t, file), helper)))
		})
	}
}

func readUpdate(t testing.TB, file string) json.RawMessage {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var fixture struct {
		What   string          `json:"what"`
		Update json.RawMessage `json:"update"`
	}
	if err := json.Unmarshal(data, &fixture); err != nil || fixture.What == "" {
		t.Fatalf("%s: %v, %q", file, err, fixture.What)
	}
	return fixture.Update
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

// FuzzNormalize: whatever comes, an update is an event with keys or is dropped
// with a reason, never a panic.
func FuzzNormalize(f *testing.F) {
	files, err := filepath.Glob("testdata/inbound/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, ".golden.json") {
			f.Add([]byte(readUpdate(f, file)))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		item := normalize(raw, helper)
		if item.Reason == "" && (item.Event.Key() == "" || item.Event.Kind == "" || item.Event.Address.Platform == "") {
			t.Errorf("event without key, kind or address: %+v", item.Event)
		}
		if item.Group != "" {
			mergeAlbum([]chat.Event{item.Event, item.Event})
		}
	})
}

// FuzzRichText: entities of any sort lose no text but the mention.
func FuzzRichText(f *testing.F) {
	f.Add("👋 @helper_bot hi", []byte{3, 11, 0, 0, 2, 1})
	f.Fuzz(func(t *testing.T, text string, numbers []byte) {
		rich := newRichText(text, entitiesOf(numbers))
		got := rich.write(view{without: helper})
		want := strings.TrimSpace(string([]rune(text)))
		if !rich.mentions(helper) && strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(want), "") {
			t.Errorf("%q became %q", want, got)
		}
		rich.write(view{markdown: true, without: helper})
	})
}
