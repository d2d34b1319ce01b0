package adaptertest

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

// rewrite is looked at while tests run, after the flags were read.
var rewrite = flag.Bool("update", false, "write what came out to the golden files")

// recorded is where an adapter keeps raw events: each file says what it is and
// holds the event under the platform's own word for one.
const recorded = "testdata/inbound/*.json"

// Golden holds each recorded event against what it comes to by its golden file.
func Golden(t *testing.T, normalize func(raw json.RawMessage) inbound.Item) {
	for _, file := range recordings(t) {
		name := strings.TrimSuffix(file, ".json")
		t.Run(filepath.Base(name), func(t *testing.T) {
			checkGolden(t, name+".golden.json", outcomeOf(normalize(readRecorded(t, file))))
		})
	}
}

// Recorded are the recorded events, to begin fuzzing with.
func Recorded(t testing.TB) [][]byte {
	t.Helper()
	var all [][]byte
	for _, file := range recordings(t) {
		all = append(all, readRecorded(t, file))
	}
	return all
}

// CheckItem fails where an Item is neither a whole event nor dropped with a
// reason.
func CheckItem(t testing.TB, item inbound.Item) {
	t.Helper()
	e := item.Event
	if item.Reason == "" && (e.Key() == "" || e.Kind == "" || e.Address.Platform == "") {
		t.Errorf("event without key, kind or address: %+v", e)
	}
}

func recordings(t testing.TB) (events []string) {
	t.Helper()
	files, err := filepath.Glob(recorded)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, ".golden.json") {
			events = append(events, file)
		}
	}
	if len(events) == 0 {
		t.Fatalf("no events in %s", recorded)
	}
	return events
}

func readRecorded(t testing.TB, file string) json.RawMessage {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var fixture map[string]json.RawMessage
	if err := json.Unmarshal(data, &fixture); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if len(fixture) != 2 || len(fixture["what"]) < len(`"x"`) {
		t.Fatalf("%s: not an event and what it is", file)
	}
	delete(fixture, "what")
	var event json.RawMessage
	for _, raw := range fixture {
		event = raw
	}
	return event
}

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
