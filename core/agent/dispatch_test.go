package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"talaria/core/agent"
	"talaria/core/chat"
)

func TestReadsRunBesideEachOtherAndEffectsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var order []string
		slow := func(name string, effect agent.Effect) tool {
			return tool{agent.Spec{Name: name, Effect: effect}, func(_ context.Context, in agent.Invocation) (agent.Result, error) {
				time.Sleep(time.Second)
				mu.Lock()
				defer mu.Unlock()
				order = append(order, name)
				return agent.Result{Text: string(in.Args)}, nil
			}}
		}
		m := script(use(call("1", "look", `{"n":1}`), call("2", "look", `{"n":2}`), call("3", "look", `{"n":3}`),
			call("4", "send", `{"n":4}`), call("5", "send", `{"n":5}`), call("6", "look", `{"n":6}`)), say("done"))
		begun := time.Now()
		a := run(t, m, turn("x", slow("look", agent.Read), slow("send", agent.Effectful)), agent.Hooks{})
		if took := time.Since(begun); took != 4*time.Second {
			t.Errorf("took %s: three reads at once, two effects, one read make 4s", took)
		}
		if got := strings.Join(order, " "); got != "look look look send send look" {
			t.Errorf("order %q", got)
		}
		for n, o := range outcomes(a) {
			if o.Text != fmt.Sprintf(`{"n":%d}`, n+1) {
				t.Errorf("outcome %d is %q", n, o.Text)
			}
		}
	})
}

// TestBadCallsAreToldToTheModel: each of these calls must come back as a failed
// outcome, run nothing, and leave the turn whole.
func TestBadCallsAreToldToTheModel(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","required":["to"],"properties":{"to":{"type":"string"},"n":{"type":"integer"},"all":{"type":"boolean"}}}`)
	tests := []struct{ name, tool, args, want string }{
		{"unknown tool", "shell", `{}`, `no tool "shell"; there are: send`},
		{"no JSON", "send", `{"to":`, "no valid JSON object"},
		{"array", "send", `[1]`, "no valid JSON object"},
		{"null", "send", `null`, "no valid JSON object"},
		{"invalid UTF-8", "send", "{\"to\":\xff", "no valid JSON object"},
		{"nothing at all", "send", ``, `"to" is missing`},
		{"required missing", "send", `{"n":1}`, `"to" is missing`},
		{"required null", "send", `{"to":null}`, `"to" is missing`},
		{"wrong type", "send", `{"to":7}`, `"to" must be of type string`},
		{"fraction for integer", "send", `{"to":"a","n":1.5}`, `"n" must be of type integer`},
		{"string for boolean", "send", `{"to":"a","all":"yes"}`, `"all" must be of type boolean`},
		{"too large", "send", `{"to":"` + strings.Repeat("x", 200<<10) + `"}`, "no valid JSON object"},
		{"not allowed", "send", `{"to":"boss"}`, "not allowed: you may not write to the boss"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			runs := &tally{}
			send := echo("send", agent.Effectful, runs)
			send.spec.Schema = schema
			tn := turn("x", send)
			tn.Allow = func(_ context.Context, _ agent.Spec, args json.RawMessage) error {
				if strings.Contains(string(args), "boss") {
					return errors.New("you may not write to the boss")
				}
				return nil
			}
			j := &journal{}
			a := run(t, script(use(call("1", tt.tool, tt.args)), say("I can't.")), tn, agent.Hooks{Record: j.record})
			o := outcomes(a)[0]
			mustContain(t, o.Text, tt.want)
			if !o.Failed || len(runs.counts) > 0 || a.Failures != 1 || a.Text != "I can't." {
				t.Errorf("failed %v, runs %v, answer %+v", o.Failed, runs.counts, a)
			}
			wellFormed(t, a.Messages)
		})
	}
}

func TestArgumentsSurviveStoring(t *testing.T) {
	j := &journal{}
	runs := script(use(call("1", "look", "{ \"html\" : \"<b>&\" }")), say("done"))
	a := run(t, runs, turn("x", echo("look", agent.Read, &tally{})), agent.Hooks{Record: j.record})
	stored := j.all(t)[1].Model.Calls[0].Args
	if sent := a.Messages[1].Calls[0].Args; string(sent) != string(stored) {
		t.Errorf("sent %s, stored %s", sent, stored)
	}
}

func TestCallIDsAreMadeUnique(t *testing.T) {
	earlier := []agent.Message{
		{Role: agent.User, Text: "before", Origin: chat.Member},
		{Role: agent.Assistant, Calls: []agent.Call{call("call_0", "look", `{}`)}},
		{Role: agent.ToolRole, Results: []agent.Outcome{{ID: "call_0", Name: "look"}}},
		{Role: agent.Assistant, Text: "so"},
	}
	m := script(use(call("call_0", "look", `{"n":1}`), call("", "look", `{"n":2}`), call("a:b", "look", `{"n":3}`)),
		use(call("call_0", "look", `{"n":4}`)), say("done"))
	tn := turn("x", echo("look", agent.Read, &tally{}))
	tn.History = earlier
	a := run(t, m, tn, agent.Hooks{})
	wellFormed(t, append(earlier, a.Messages...))
}

func TestPanicAndTimeOutAreOutcomes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		crash := tool{agent.Spec{Name: "crash", Effect: agent.Effectful}, func(context.Context, agent.Invocation) (agent.Result, error) {
			var none []int
			return agent.Result{Text: fmt.Sprint(none[3])}, nil
		}}
		slow := tool{agent.Spec{Name: "slow", Effect: agent.Effectful, Timeout: 3 * time.Second}, func(ctx context.Context, _ agent.Invocation) (agent.Result, error) {
			<-ctx.Done()
			return agent.Result{}, ctx.Err()
		}}
		a := run(t, script(use(call("1", "crash", `{}`), call("2", "slow", `{}`)), say("Both failed.")), turn("x", crash, slow), agent.Hooks{})
		mustContain(t, outcomes(a)[0].Text, "the tool crashed; it may or may not have taken effect")
		mustContain(t, outcomes(a)[1].Text, "did not end in time, 3s; it may or may not have taken effect")
		if a.Failures != 2 {
			t.Errorf("%d failures", a.Failures)
		}
	})
}

func TestResultsAreCutAndCleaned(t *testing.T) {
	long := tool{agent.Spec{Name: "long", Effect: agent.Read, Output: 1000}, func(context.Context, agent.Invocation) (agent.Result, error) {
		return agent.Result{Text: "HEAD" + strings.Repeat("\u6f22\xff\x00", 5000) + "TAIL"}, nil
	}}
	a := run(t, script(use(call("1", "long", `{}`)), say("ok")), turn("x", long), agent.Hooks{})
	text := outcomes(a)[0].Text
	mustContain(t, text, "HEAD", "TAIL", "bytes left out")
	if len(text) > 1100 || !utf8.ValidString(text) || strings.Contains(text, "\x00") {
		t.Errorf("%d bytes, valid %v", len(text), utf8.ValidString(text))
	}
}

func TestOversizedFilesAreRefused(t *testing.T) {
	big := tool{agent.Spec{Name: "big", Effect: agent.Read}, func(context.Context, agent.Invocation) (agent.Result, error) {
		return agent.Result{Files: []chat.Upload{{Name: "a", Data: make([]byte, 2<<20)}}}, nil
	}}
	a := run(t, script(use(call("1", "big", `{}`)), say("ok")), turn("x", big), agent.Hooks{})
	if len(a.Files) > 0 || !outcomes(a)[0].Failed {
		t.Errorf("%d files, %+v", len(a.Files), outcomes(a)[0].Text)
	}
}

func TestAskEndsTheTurn(t *testing.T) {
	runs := &tally{}
	pay := tool{agent.Spec{Name: "pay", Effect: agent.Effectful}, func(context.Context, agent.Invocation) (agent.Result, error) {
		return agent.Result{Ask: &agent.Ask{Question: "Pay 5?", Token: "tok"}}, nil
	}}
	m := script(use(call("1", "look", `{}`), call("2", "pay", `{}`), call("3", "send", `{}`), call("4", "pay", `{"n":2}`)))
	j := &journal{}
	tools := []agent.Tool{pay, echo("look", agent.Read, runs), echo("send", agent.Effectful, runs)}
	a := run(t, m, turn("x", tools...), agent.Hooks{Record: j.record})
	if a.Ending != agent.Asked || a.Ask == nil || a.Ask.Token != "tok" || len(m.asked) != 1 {
		t.Fatalf("%s, ask %+v, %d model calls", a.Ending, a.Ask, len(m.asked))
	}
	if runs.counts["send t1/3"] > 0 {
		t.Error("a call behind the question ran")
	}
	wellFormed(t, a.Messages)
	for n := 2; n <= len(j.entries); n++ {
		tn := turn("x", tools...)
		tn.Resume = j.first(t, n)
		again := run(t, always(say("never")), tn, agent.Hooks{})
		if started := n >= 4 && n < 5; !started && (again.Ending != agent.Asked || again.Ask.Token != "tok") {
			t.Errorf("resumed after %d entries: %s %+v", n, again.Ending, again.Ask)
		}
	}
}

func TestRepeatedCallIsRefusedThenTheTurnConcludes(t *testing.T) {
	cycles := map[string][]agent.Call{
		"the same call":  {call("", "look", `{"a":1,"b":2}`), call("", "look", `{"b":2, "a":1}`)},
		"a cycle of two": {call("", "look", `{"a":1}`), call("", "look", `{"a":2}`)},
		"an unknown one": {call("", "nosuch", `{}`)},
	}
	for name, cycle := range cycles {
		t.Run(name, func(t *testing.T) {
			n := 0
			m := &model{answer: func(_ context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
				if len(r.Tools) == 0 {
					return say("I went round in circles.")
				}
				n++
				return use(cycle[n%len(cycle)])
			}}
			runs := &tally{}
			look := tool{agent.Spec{Name: "look", Effect: agent.Read}, func(_ context.Context, in agent.Invocation) (agent.Result, error) {
				runs.add(in.ID)
				return agent.Result{Text: "nothing"}, nil
			}}
			a := run(t, m, turn("x", look), agent.Hooks{})
			if a.Ending != agent.Budgeted || n > 8 {
				t.Errorf("%s after %d steps", a.Ending, n)
			}
			if len(runs.counts) > 4 {
				t.Errorf("%d runs", len(runs.counts))
			}
		})
	}
}

func TestLookingAgainAfterAChangeIsNoRepeat(t *testing.T) {
	n := 0
	m := &model{answer: func(context.Context, agent.Request) iter.Seq2[agent.Delta, error] {
		n++
		switch {
		case n > 9:
			return say("Fixed at last.")
		case n%2 == 0:
			return use(call("", "write", fmt.Sprintf(`{"try":%d}`, n)))
		}
		return use(call("", "test", `{}`))
	}}
	red := tool{agent.Spec{Name: "test", Effect: agent.Read}, func(context.Context, agent.Invocation) (agent.Result, error) {
		return agent.Result{Text: "red"}, nil
	}}
	a := run(t, m, turn("x", red, echo("write", agent.Idempotent, &tally{})), agent.Hooks{})
	if a.Text != "Fixed at last." || a.Failures > 0 {
		t.Errorf("%q with %d failures", a.Text, a.Failures)
	}
}

func TestSteeringComesInAtToolBoundaries(t *testing.T) {
	queue := []agent.Message{{Role: agent.User, Text: "only in red", Origin: chat.Member}}
	var spoken []string
	look := tool{agent.Spec{Name: "look", Effect: agent.Read}, func(_ context.Context, in agent.Invocation) (agent.Result, error) {
		spoken = append(spoken, in.Spoken)
		return agent.Result{Text: in.Spoken}, nil
	}}
	m := script(use(call("1", "look", `{}`)), use(call("2", "look", `{}`)), say("done"))
	a := run(t, m, turn("find socks", look), agent.Hooks{Steer: func() []agent.Message {
		defer func() { queue = nil }()
		return queue
	}})
	if second := m.asked[1].Messages; second[len(second)-1].Text != "only in red" {
		t.Errorf("last message before the second call: %+v", second[len(second)-1])
	}
	if spoken[1] != "find socks\nonly in red" {
		t.Errorf("spoken: %q", spoken)
	}
	wellFormed(t, a.Messages)
}

func TestWorstOriginReachesTools(t *testing.T) {
	var seen []chat.Origin
	probe := tool{agent.Spec{Name: "probe", Effect: agent.Idempotent}, func(_ context.Context, in agent.Invocation) (agent.Result, error) {
		seen = append(seen, in.Context)
		return agent.Result{Text: in.ID, Origin: chat.Self}, nil
	}}
	page := tool{agent.Spec{Name: "page", Effect: agent.Read}, func(context.Context, agent.Invocation) (agent.Result, error) {
		return agent.Result{Text: "page", Origin: chat.External}, nil
	}}
	m := script(use(call("1", "probe", `{}`), call("2", "page", `{}`), call("3", "probe", `{}`)), say("done"))
	tn := turn("x", probe, page)
	tn.Block = "<recalled>\nsomething\n</recalled>"
	a := run(t, m, tn, agent.Hooks{})
	if fmt.Sprint(seen) != "[member external]" {
		t.Errorf("contexts %v", seen)
	}
	if last := a.Messages[len(a.Messages)-1]; last.Origin != chat.External {
		t.Errorf("answer's origin %s", last.Origin)
	}
	tn.History = a.Messages
	seen = nil
	run(t, script(use(call("9", "probe", `{}`)), say("done")), tn, agent.Hooks{})
	if fmt.Sprint(seen) != "[external]" {
		t.Errorf("contexts with a tainted history %v", seen)
	}
}

func TestBlockStandsBeforeTheInputAndEarlierBytesStay(t *testing.T) {
	m := script(say("one"), say("two"))
	tn := turn("first")
	tn.Block = "<recalled>\nlikes tea\n</recalled>"
	a := run(t, m, tn, agent.Hooks{})
	next := turn("second")
	next.History = a.Messages
	run(t, m, next, agent.Hooks{})
	before, after := m.asked[0], m.asked[1]
	for n, msg := range before.Messages {
		if after.Messages[n].Text != msg.Text {
			t.Errorf("message %d was %q, is %q", n, msg.Text, after.Messages[n].Text)
		}
	}
	if before.Messages[0].Text != tn.Block || before.Messages[1].Text != "first" || after.Prefix != before.Prefix {
		t.Errorf("messages %+v", before.Messages)
	}
}

func TestProgressNamesCalls(t *testing.T) {
	var labels []string
	m := script(use(call("1", "look_up", `{}`)), say("done"))
	run(t, m, turn("x", echo("look_up", agent.Read, &tally{})), agent.Hooks{Progress: func(l string) { labels = append(labels, l) }})
	if fmt.Sprint(labels) != "[look up]" {
		t.Errorf("labels %q", labels)
	}
}
