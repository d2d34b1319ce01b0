package slack

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/adapters/inbound"
	"talaria/core/chat"

	"github.com/google/go-cmp/cmp"
)

var rewrite = flag.Bool("update", false, "write what came out to the golden files")

// helper is the account in testdata/inbound, and named are people there.
var (
	helper = account{team: "T42", user: "U42HELPER", bot: "B42", app: "A42"}
	named  = map[string]string{"UADA": "Ada", "UBEN": "Ben"}
)

// outcome is an Item as its golden file has it.
type outcome struct {
	Reason   inbound.Reason   `json:"reason,omitempty"`
	Event    *chat.Event      `json:"event,omitempty"`
	Concerns string           `json:"concerns,omitempty"`
	Effects  []inbound.Effect `json:"effects,omitempty"`
}

func outcomeOf(item inbound.Item) outcome {
	o := outcome{item.Reason, nil, item.Concerns, item.Effects}
	if item.Reason == "" {
		o.Event = &item.Event
	}
	return o
}

// TestGolden holds each delivery of testdata/inbound against what it comes to.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/inbound/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no deliveries: %v", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".golden.json") {
			continue
		}
		name := strings.TrimSuffix(file, ".json")
		t.Run(filepath.Base(name), func(t *testing.T) {
			checkGolden(t, name+".golden.json", outcomeOf(normalize(readDelivery(t, file), helper, named)))
		})
	}
}

func readDelivery(t testing.TB, file string) json.RawMessage {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var fixture struct {
		What     string          `json:"what"`
		Delivery json.RawMessage `json:"delivery"`
	}
	if err := json.Unmarshal(data, &fixture); err != nil || fixture.What == "" {
		t.Fatalf("%s: %v, %q", file, err, fixture.What)
	}
	return fixture.Delivery
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

// FuzzNormalize: whatever comes, a delivery is an event with keys or is
// dropped with a reason, never a panic.
func FuzzNormalize(f *testing.F) {
	files, err := filepath.Glob("testdata/inbound/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, ".golden.json") {
			f.Add([]byte(readDelivery(f, file)))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		item := normalize(raw, helper, named)
		e := item.Event
		if item.Reason == "" && (e.Key() == "" || e.Kind == "" || e.Address.Platform == "" || e.Address.Chat == "") {
			t.Errorf("event without key, kind or address: %+v", e)
		}
		if e.Author.Anonymous && e.Kind == chat.Message {
			t.Errorf("message of nobody: %+v", e)
		}
	})
}

// FuzzText: reading loses no text but mentions, and mints no token.
func FuzzText(f *testing.F) {
	f.Add("<@U42HELPER> a &lt;!here&gt; `<@U42HELPER>` <https://a.example|b> ```x")
	f.Add("< <> <a| ``` `")
	f.Fuzz(func(t *testing.T, s string) {
		r := reader{me: helper, names: named}
		text, mentioned := r.mrkdwn(s)
		if mentioned && !strings.Contains(s, "<@U42HELPER") {
			t.Errorf("%q mentions the bot", s)
		}
		if !strings.ContainsAny(s, "<&`") && text != s {
			t.Errorf("%q became %q", s, text)
		}
	})
}

func TestRecentForgetsTheOldest(t *testing.T) {
	var r recent
	for i := range maxRecent + 2 {
		r.add(fmt.Sprint(i))
		r.add(fmt.Sprint(i))
	}
	if r.has("0") || r.has("1") || !r.has("2") || !r.has(fmt.Sprint(maxRecent+1)) || len(r.there) != maxRecent {
		t.Errorf("%d names, 0: %v, 2: %v", len(r.there), r.has("0"), r.has("2"))
	}
}
