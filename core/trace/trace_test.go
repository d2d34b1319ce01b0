package trace_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/storage"
	"talaria/storage/teststore"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func at(seconds int) time.Time { return noon.Add(time.Duration(seconds) * time.Second) }

// place is a channel in which the tests take place.
var place = chat.Address{Platform: "test", Chat: "c"}

func rawTurn(id string, began int, asked string, steps ...trace.Step) trace.Raw {
	return trace.Raw{Session: "s/0", Place: place, At: at(began + 10), Turn: &trace.RawTurn{
		ID: id, Who: "ann", Began: at(began), Asked: asked, Answered: "Done.", Ending: agent.Answered, Tokens: 100, Steps: steps,
	}}
}

func TestStepsComeFromTheJournal(t *testing.T) {
	call := agent.Call{ID: "1", Name: "fetch", Args: json.RawMessage(`{"url":"x"}`)}
	write := agent.Call{ID: "2", Name: "files_write", Args: json.RawMessage(`{}`)}
	entries := []agent.Entry{
		{Begun: &agent.Begun{Prefix: "secret prefix", Input: agent.Message{Text: "do it"}}, At: at(0)},
		{Model: &agent.Message{Role: agent.Assistant, Text: "I look.", Calls: []agent.Call{call, write}}, At: at(2)},
		{Ended: &agent.Outcome{ID: "1", Name: "fetch", Text: "a page", Origin: chat.External}, At: at(5)},
		{Started: &write, At: at(6)},
		{Ended: &agent.Outcome{ID: "2", Name: "files_write", Text: "error: no", Failed: true}, At: at(7)},
		{Model: &agent.Message{Role: agent.Assistant, Text: "Done."}, At: at(9)},
	}
	want := []trace.Step{
		{Kind: trace.Thought, Duration: 2 * time.Second, Success: true, Text: "I look."},
		{Kind: trace.ToolCall, Offset: 2 * time.Second, Tool: "fetch", Call: "1", Success: true, Text: `{"url":"x"}`},
		{Kind: trace.ToolCall, Offset: 2 * time.Second, Tool: "files_write", Call: "2", Success: true, Text: `{}`},
		{Kind: trace.Observation, Offset: 5 * time.Second, Duration: 3 * time.Second, Tool: "fetch", Call: "1", Success: true, Origin: chat.External, Text: "a page"},
		{Kind: trace.Observation, Offset: 7 * time.Second, Duration: time.Second, Tool: "files_write", Call: "2", Text: "error: no"},
	}
	if diff := cmp.Diff(want, trace.Steps(entries, noon)); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

func TestATaskTellsErrorsAndRecoveries(t *testing.T) {
	r := trace.NewRedactor(nil)
	observed := func(tool, text string, ok bool) trace.Step {
		return trace.Step{Kind: trace.Observation, Tool: tool, Text: text, Success: ok}
	}
	task := r.Begin(rawTurn("1", 0, "go", observed("fetch", "error: timed out", false), observed("time", "noon", true),
		observed("fetch", "not done: the same call was made before", false), observed("fetch", "page", true)), trace.Direct, "")
	var kinds []trace.ErrorKind
	for _, s := range task.Steps {
		kinds = append(kinds, s.Error)
	}
	if diff := cmp.Diff([]trace.ErrorKind{trace.Transient, "", trace.Skipped, ""}, kinds); diff != "" {
		t.Errorf("error kinds (-want +got):\n%s", diff)
	}
	if task.Recoveries() != 1 || !task.Steps[3].Recovery {
		t.Errorf("recoveries %d, want 1: %+v", task.Recoveries(), task.Steps)
	}
}

func TestErrorKindsAreToldByTheirText(t *testing.T) {
	r := trace.NewRedactor(nil)
	for text, want := range map[string]trace.ErrorKind{
		"error: exec: \"jq\": executable file not found in $PATH":        trace.Environment,
		"error: 401 Unauthorized":                                        trace.Environment,
		"not allowed: only members may do that":                          trace.Denied,
		"error: Get: context deadline exceeded":                          trace.Transient,
		`error: fetch a.example: the name "a.example" is not known`:      trace.Transient,
		"error: the page can't be reached":                               trace.Transient,
		"error: 429 Too Many Requests":                                   trace.Transient,
		"error: url is required":                                         trace.Arguments,
		"error: there is no file of that name, not found":                trace.Missing,
		"outcome unknown: this call was interrupted":                     trace.Unclear,
		"not done: a person's yes to another call is needed first":       trace.Skipped,
		"error: the moon is in the wrong phase":                          trace.Other,
		"error: the tool did not end in time, 1m0s":                      trace.Transient,
		"error: open x: no such file or directory; try another name":     trace.Environment,
		"error: late, 5s; it may or may not have taken effect (timeout)": trace.Unclear,
	} {
		task := r.Begin(rawTurn("1", 0, "go", trace.Step{Kind: trace.Observation, Text: text}), trace.Direct, "")
		if got := task.Steps[0].Error; got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestASecretThatACutWouldHalveIsGone(t *testing.T) {
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	r := trace.NewRedactor(nil)
	for shift := 0; shift < 60; shift += 7 {
		// The cut of what is handed over falls into the secret somewhere.
		long := strings.Repeat("word ", 264) + strings.Repeat("x", shift) + " " + secret + strings.Repeat(" tail", 2000) + secret + strings.Repeat(" end", 170)
		raw := rawTurn("1", 0, "go", trace.Step{Kind: trace.Observation, Text: long, Success: true})
		for _, text := range []string{handedOver(t, raw).Turn.Steps[0].Text, long} {
			raw.Turn.Steps[0].Text = text
			task := r.Begin(raw, trace.Direct, "")
			for n := 8; n < len(secret)-8; n += 8 {
				if strings.Contains(task.Steps[0].Text, secret[n:n+8]) {
					t.Fatalf("shift %d: a part of the secret is kept: %q", shift, task.Steps[0].Text)
				}
			}
		}
	}
}

// handedOver is what the store gives back of a hand-over whose steps were made
// from a journal.
func handedOver(t *testing.T, raw trace.Raw) trace.Raw {
	t.Helper()
	var entries []agent.Entry
	for _, s := range raw.Turn.Steps {
		entries = append(entries, agent.Entry{Ended: &agent.Outcome{ID: s.Call, Name: s.Tool, Text: s.Text, Failed: !s.Success}})
	}
	raw.Turn.Steps = trace.Steps(entries, raw.Turn.Began)
	s := teststore.Memory(t)
	p := person.ShardOf(place)
	b := storage.On(p)
	trace.HandOver(b, raw)
	if _, err := s.Commit(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	waiting, err := trace.Waiting(t.Context(), s, p, 10)
	if err != nil || len(waiting) != 1 {
		t.Fatalf("waiting %v, %v", waiting, err)
	}
	return waiting[0].Value
}

func TestALongTaskKeepsItsEnds(t *testing.T) {
	r := trace.NewRedactor(nil)
	step := func(text string) trace.Step { return trace.Step{Kind: trace.ToolCall, Tool: "fetch", Text: text} }
	task := r.Begin(rawTurn("0", 0, "the request", step("first")), trace.Direct, "")
	for n := 1; n <= 100; n++ {
		task = r.Continue(task, rawTurn(string(rune('0'+n)), 20*n, "more", step("x"), step("y"), step("last")))
	}
	if task.Request != "the request" || task.Turns[0].Asked != "the request" || len(task.Turns) > 60 || len(task.Steps) > 200 {
		t.Errorf("%d turns, %d steps, request %q", len(task.Turns), len(task.Steps), task.Turns[0].Asked)
	}
	if first, last := task.Steps[0], task.Steps[len(task.Steps)-1]; first.Text != "first" || last.Text != "last" || last.Turn != len(task.Turns)-1 {
		t.Errorf("ends %+v and %+v", first, last)
	}
	if task.Calls != 301 {
		t.Errorf("%d calls, want 301: those left out count", task.Calls)
	}
}

func TestATurnJoinsATaskOnce(t *testing.T) {
	r := trace.NewRedactor(nil)
	task := r.Begin(rawTurn("1", 0, "go"), trace.Direct, "")
	again := r.Continue(task, rawTurn("1", 0, "go"))
	if diff := cmp.Diff(task, again); diff != "" {
		t.Errorf("the same turn changed the task:\n%s", diff)
	}
	if other := r.Begin(rawTurn("1", 0, "go"), trace.Direct, ""); other.ID != task.ID {
		t.Errorf("ids %s and %s of the same task", task.ID, other.ID)
	}
}

func TestATaskOfAJobNamesWhatTheJobIsToDo(t *testing.T) {
	raw := rawTurn("1", 0, "")
	raw.Turn.Scheduled, raw.Turn.Job = true, "post the tides with password=hunter2hunter2"
	task := trace.NewRedactor(nil).Begin(raw, trace.Scheduled, "")
	if task.Request != "" || !strings.HasPrefix(task.Job, "post the tides") || strings.Contains(task.Job, "hunter2") {
		t.Errorf("request %q, job %q", task.Request, task.Job)
	}
}

func TestBoundaries(t *testing.T) {
	r := trace.NewRedactor(nil)
	task := r.Begin(rawTurn("1", 0, "weather in Oslo"), trace.Direct, "")
	same := func(a, b string) float64 {
		if a == b {
			return 1
		}
		return 0.49
	}
	scheduled := rawTurn("2", 60, "weather in Oslo")
	scheduled.Turn.Scheduled = true
	anew := rawTurn("2", 60, "weather in Oslo")
	onFile := r.Begin(rawTurn("1", 0, "write the tides to plan.txt"), trace.Direct, "")
	other := rawTurn("2", 60, "read plan.txt")
	other.Turn.Who = "somebody else"
	anew.Session = "s/1"
	yes, late := rawTurn("2", 60, ""), rawTurn("2", 60, "")
	yes.Turn.Agrees, late.Turn.Agrees = "1", "0"
	for _, c := range []struct {
		name  string
		raw   trace.Raw
		words trace.Words
		ended trace.Settling
	}{
		{"an alike request goes on", rawTurn("2", 60, "weather in Oslo"), trace.Words{}, ""},
		{"another request", rawTurn("2", 60, "book a room"), trace.Words{}, trace.ByRequest},
		{"another request with a mark", rawTurn("2", 60, "book a room"), trace.Words{Continues: true}, ""},
		{"without words", rawTurn("2", 60, ""), trace.Words{}, ""},
		{"a yes to its own question", yes, trace.Words{}, ""},
		{"a yes to a question from before", late, trace.Words{}, trace.ByRequest},
		{"a moment before the silence is too long", rawTurn("2", 10+30*60-1, "weather in Oslo"), trace.Words{}, ""},
		{"after thirty minutes", rawTurn("2", 10+30*60, "weather in Oslo"), trace.Words{Continues: true}, trace.ByIdle},
		{"the session began anew", anew, trace.Words{Continues: true}, trace.ByNew},
		{"a job fired", scheduled, trace.Words{}, trace.ByRequest},
	} {
		t.Run(c.name, func(t *testing.T) {
			ended, fresh := task.Boundary(c.raw, c.words, 30*time.Minute, same)
			if ended != c.ended || fresh != (c.ended != "") {
				t.Errorf("ended %q, fresh %t; want %q", ended, fresh, c.ended)
			}
		})
	}
	late.Turn.Question = "May I write plan.txt?"
	if got := r.Begin(late, trace.Direct, ""); got.Request != late.Turn.Question || got.Turns[0].Asked != "" {
		t.Errorf("a task that begins with a yes is for %q, and %q was said", got.Request, got.Turns[0].Asked)
	}
	for _, c := range []struct {
		name  string
		raw   trace.Raw
		fresh bool
	}{
		{"the same file soon after", rawTurn("2", 60, "read plan.txt"), false},
		{"another file", rawTurn("2", 60, "read crew.txt"), true},
		{"the same file much later", rawTurn("2", 10*60, "read plan.txt"), true},
		{"the same file for somebody else", other, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, fresh := onFile.Boundary(c.raw, trace.Words{}, 30*time.Minute, same); fresh != c.fresh {
				t.Errorf("fresh %t, want %t", fresh, c.fresh)
			}
		})
	}
}

func TestACitedTaskStays(t *testing.T) {
	s := teststore.Memory(t)
	ctx, p := t.Context(), person.ShardOf(place)
	task := trace.NewRedactor(nil).Begin(rawTurn("1", 0, "go"), trace.Direct, "")
	b := storage.On(p)
	trace.Put(b, task, storage.Absent, time.Hour)
	if _, err := s.Commit(ctx, b); err != nil {
		t.Fatal(err)
	}
	expires := func() bool {
		d, err := trace.Get(ctx, s, p, task.ID)
		if err != nil {
			t.Fatal(err)
		}
		return !d.Expires.IsZero()
	}
	if !expires() {
		t.Error("a task that nothing cites is kept for ever")
	}
	if err := trace.Cite(ctx, s, p, task.ID, "skill:tea@1"); err != nil || expires() {
		t.Errorf("a cited task still expires: %v", err)
	}
	if err := trace.Uncite(ctx, s, p, task.ID, "skill:tea@1", time.Hour); err != nil || !expires() {
		t.Errorf("a task whose citation was superseded never expires: %v", err)
	}
}
