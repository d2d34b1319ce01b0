package observe_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/agent"
	"talaria/core/learning/observe"
	"talaria/core/trace"
)

// did makes a task of one turn from its observations. A tool with ! before it
// failed with the error kind behind the colon.
func did(steps ...trace.Step) trace.Task {
	t := trace.Task{
		ID: "t", Person: "ann", Direct: true, Request: "send the report every Monday if it is ready",
		Turns: []trace.Turn{{ID: "1", Who: "ann", Asked: "send the report", Answered: "The report is sent to everybody.", Ending: agent.Answered}},
	}
	for n, s := range steps {
		call := string(rune('a' + n))
		t.Steps = append(t.Steps, trace.Step{Kind: trace.ToolCall, Tool: s.Tool, Call: call, Text: s.Text, Success: true},
			trace.Step{Kind: trace.Observation, Tool: s.Tool, Call: call, Success: s.Error == "", Error: s.Error, Text: "came of " + s.Text})
		t.Calls++
	}
	return t
}

func failed(tool, args string, kind trace.ErrorKind) trace.Step {
	return trace.Step{Tool: tool, Text: args, Error: kind}
}

func worked(tool, args string) trace.Step { return trace.Step{Tool: tool, Text: args} }

func never(string, string) float64 { return 0 }

func look(t trace.Task) observe.Observation {
	return observe.Observe(t, observe.Past{Worths: observe.DefaultWorths(), Alike: never})
}

func TestRecoveries(t *testing.T) {
	for _, c := range []struct {
		name     string
		task     trace.Task
		resolved bool
		pitfall  bool
		next     string
	}{
		{"never resolved", did(failed("fetch", "x", trace.Arguments)), false, false, ""},
		{"other arguments", did(failed("fetch", "x", trace.Arguments), worked("fetch", "y")), true, true, "fetch"},
		{"another tool", did(failed("fetch", "x", trace.Missing), worked("search", "x")), true, true, "search"},
		{"the same call again", did(failed("fetch", "x", trace.Other), worked("fetch", "x")), true, false, "fetch"},
		{"a passing fault", did(failed("fetch", "x", trace.Transient), worked("fetch", "y")), true, false, "fetch"},
		{"a missing program", did(failed("run", "jq", trace.Environment), worked("run", "python")), true, false, "run"},
		{"failed again before it worked", did(failed("fetch", "x", trace.Arguments), failed("fetch", "z", trace.Arguments), worked("fetch", "y")), true, true, "fetch"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := look(c.task)
			r := o.Recoveries[0]
			if r.Resolved != c.resolved || r.Pitfall() != c.pitfall || r.Next != c.next {
				t.Errorf("recovery %+v", r)
			}
			if o.Success != c.resolved {
				t.Errorf("success %t, why %q", o.Success, o.Why)
			}
		})
	}
}

func TestACallThatWasForSomethingElseIsNoRecovery(t *testing.T) {
	both := did(failed("fetch", `{"url":"https://one.example/a"}`, trace.Other), worked("fetch", `{"url":"https://two.example/b"}`))
	both.Turns[0].Asked = "fetch https://one.example/a, then fetch https://two.example/b"
	beside := did(failed("fetch", "one page", trace.Other), worked("fetch", "another page"))
	s := beside.Steps
	s[1], s[2] = s[2], s[1] // both calls were made before either came back
	for name, task := range map[string]trace.Task{
		"a look at what there is": did(failed("fetch", `{"url":"https://one.example/a"}`, trace.Other), worked("files_list", `{}`)),
		"about something else":    did(failed("fetch", `{"url":"https://one.example/a"}`, trace.Other), worked("files_read", `{"name":"notes.txt"}`)),
		"asked for by itself":     both,
		"made beside it":          beside,
	} {
		if o := look(task); o.Recoveries[0].Resolved || o.Success {
			t.Errorf("%s: taken for a recovery: %+v", name, o.Recoveries)
		}
	}
	next := did(failed("fetch", `{"url":"https://one.example/a"}`, trace.Other), worked("fetch", `{"url":"https://two.example/b"}`))
	next.Turns[0].Asked = "fetch https://one.example/a"
	next.Turns = append(next.Turns, next.Turns[0])
	next.Steps[2].Turn, next.Steps[3].Turn = 1, 1
	for asked, want := range map[string]bool{"fetch https://two.example/b": false, "no, I meant https://two.example/b": true} {
		if next.Turns[1].Asked = asked; look(next).Recoveries[0].Resolved != want {
			t.Errorf("after %q it is resolved: %t", asked, !want)
		}
	}
	search := did(failed("fetch", `{"url":"https://weather.example/berlin"}`, trace.Other), worked("search", `{"query":"weather Berlin"}`))
	if o := look(search); !o.Recoveries[0].Resolved {
		t.Errorf("another way to the same thing is none: %+v", o.Recoveries)
	}
}

func TestWhatDidNotWorkIsNoSuccess(t *testing.T) {
	for _, task := range []trace.Task{
		did(failed("files_read", "absent", trace.Missing)),
		did(failed("files_read", "absent", trace.Missing), failed("fetch", "page", trace.Missing)),
		did(worked("skill_view", "tea"), failed("files_read", "absent", trace.Missing)),
		did(worked("files_list", ""), failed("files_write", "notes", trace.Denied)),
		answered("I don't understand what you mean by that."),
		answered("I'm sorry, but I can't open that page right now."),
		answered("1. It is noon in Oslo.\n2. I could not read the page: it is not there"),
		answered("抱歉，我无法访问这个网页。"),
		answered("Unfortunately the second file could not be opened."),
	} {
		if o := look(task); o.Success || o.Efficiency > 0 {
			t.Errorf("taken for a success: %q %+v", task.Output(), task.Steps)
		}
	}
	kept := answered("I could not read the page.")
	kept.Turns = append(kept.Turns, trace.Turn{Who: "ann", Asked: "remember how this is done", Answered: "A review takes it up.", Ending: agent.Answered})
	if look(kept).Success {
		t.Error("the wish to keep it made a success of it")
	}
	kept.Turns[1].Asked, kept.Turns[1].Answered = "try it again", "Here is the page."
	if !look(kept).Success {
		t.Error("the second try is no success")
	}
}

func TestAnAnswerWithACaveatIsASuccess(t *testing.T) {
	for _, text := range []string{
		"I couldn't find any mistakes in it, it reads well.",
		"You can't divide by zero, so the limit does not exist.",
		"The build failed because the disk was full.",
		"The report is sent to everybody. It has three parts, of which the first is about sales, the second about costs, and the third about people; each has a table of its own with the figures of the last four quarters and a line that sums them up.\n\nI can't verify the figures of the last quarter.",
		"不能除以零，所以没有结果。",
	} {
		if o := look(answered(text)); !o.Success {
			t.Errorf("%q: %s", text, o.Why)
		}
	}
}

// answered is a task without calls that was answered so.
func answered(text string) trace.Task {
	t := did()
	t.Turns[0].Answered = text
	return t
}

func TestAPitfallThatASkillListsIsNoNews(t *testing.T) {
	o := look(did(failed("fetch", "the page without its trailing slash", trace.Arguments), worked("fetch", "y")))
	if n := len(o.Pitfalls()); n != 1 {
		t.Errorf("%d pitfalls, want 1", n)
	}
	if n := len(o.Pitfalls("Pitfall: what came of a page without its trailing slash")); n != 0 {
		t.Errorf("%d pitfalls beside a skill that lists it", n)
	}
}

func TestSuccessNeedsADeliveredAnswer(t *testing.T) {
	for why, change := range map[string]func(*trace.Turn){
		"":                                   func(*trace.Turn) {},
		"it was stopped":                     func(t *trace.Turn) { t.Stopped, t.Ending = true, agent.Broken },
		"no answer was delivered":            func(t *trace.Turn) { t.Ending = agent.Broken },
		"the budget ran out":                 func(t *trace.Turn) { t.Ending = agent.Budgeted },
		"a person's yes is still needed":     func(t *trace.Turn) { t.Ending = agent.Asked },
		"the last answer met with: disliked": func(t *trace.Turn) { t.Reactions = []trace.Reaction{{Name: "-1", Asker: true}} },
	} {
		task := did(worked("fetch", "x"))
		change(&task.Turns[0])
		if o := look(task); o.Why != why || o.Success != (why == "") {
			t.Errorf("why %q, want %q", o.Why, why)
		}
	}
}

func TestACorrectionIsResolvedByTheNextAnswer(t *testing.T) {
	task := did(worked("fetch", "x"))
	add := func(asked string) {
		task.Turns = append(task.Turns, trace.Turn{ID: asked, Who: "ann", Asked: asked, Answered: "Changed as you said.", Ending: agent.Answered})
	}
	add("no, use the blue one because red is taken")
	o := look(task)
	want := []observe.Feedback{{Turn: 0, Sign: observe.ReasonedCorrection, Text: task.Turns[1].Asked}}
	if diff := cmp.Diff(want, o.Feedback); diff != "" || !o.ProvenRight {
		t.Errorf("proven right %t, feedback (-want +got):\n%s", o.ProvenRight, diff)
	}
	task.Turns[1].Reactions = []trace.Reaction{{Name: "👎", Asker: true}}
	if o := look(task); o.Success || o.ProvenRight {
		t.Errorf("a corrected answer that is disliked is no success: %+v", o)
	}
}

func TestACorrectionIsWorthMoreWithItsReasonOrWhenItIsSaidAgain(t *testing.T) {
	const plain, reasoned = "no, use the blue one", "no, use the blue one because red is taken"
	for _, c := range []struct {
		said  string
		times int // the like was said before
		want  float64
	}{{plain, 0, 0.60}, {plain, 1, 0.75}, {plain, 2, 0.90}, {plain, 5, 0.90}, {reasoned, 0, 0.90}, {"thanks", 3, 0}} {
		task := did(worked("fetch", "x"))
		task.Turns = append(task.Turns, trace.Turn{ID: "2", Who: "ann", Asked: c.said, Answered: "Changed as you said.", Ending: agent.Answered})
		o := observe.Observe(task, observe.Past{Corrections: slices.Repeat([]string{c.said}, c.times), Worths: observe.DefaultWorths(), Alike: never})
		if o.Worth != c.want {
			t.Errorf("%q, said %d times before, is worth %v, want %v", c.said, c.times, o.Worth, c.want)
		}
	}
}

func TestSomebodyElsesWordsDoNotCount(t *testing.T) {
	task := did(worked("fetch", "x"))
	task.Turns = append(task.Turns, trace.Turn{ID: "2", Who: "bob", Asked: "no, that's wrong", Answered: "Noted, here it is again.", Ending: agent.Answered})
	if o := look(task); o.Corrected || len(o.Feedback) != 1 || !o.Feedback[0].Other {
		t.Errorf("observed %+v", o)
	}
}

func TestLearningValue(t *testing.T) {
	full := did(failed("a", "1", trace.Other), worked("a", "2"), worked("b", "3"), worked("c", "4"))
	plain := did()
	plain.Request, plain.Turns[0].Answered = "hi", "Hi."
	plain.Turns[0].Asked = "hi"
	half := did() // of the rubric: it depends on something, and something clear came of it
	terse := did()
	terse.Turns[0].Answered = "Sent it all." // with one character less it is no clear output
	vague := did()
	vague.Turns[0].Answered = "Sent it now"
	lost := did(failed("a", "1", trace.Other))
	lost.Request, lost.Turns[0].Asked, lost.Turns[0].Answered = "hi", "hi", "Sorry."
	for _, c := range []struct {
		task trace.Task
		want float64
	}{{full, 1}, {plain, 0.4}, {half, 0.6}, {terse, 0.6}, {vague, 0.4}, {lost, 0}} {
		if o := look(c.task); o.Value < c.want-1e-9 || o.Value > c.want+1e-9 {
			t.Errorf("value %v, want %v: %+v", o.Value, c.want, o)
		}
	}
	few := observe.Weights{Success: 0.5, Tools: 0.3, Recovered: 0.1, General: 0.1, LeastTools: 4, Rubric: 1}
	if o := observe.Observe(full, observe.Past{Worths: observe.DefaultWorths(), Weights: few, Alike: never}); o.Value != 0.6 {
		t.Errorf("with other weights the value is %v", o.Value)
	}
	if r := look(full).Rubric; r != (observe.Rubric{Output: true, Several: true, Conditions: true}) {
		t.Errorf("rubric %+v", r)
	}
}

func TestEfficiencyIsByStepsThenByTokens(t *testing.T) {
	best := observe.Kind{ID: "k", Best: &observe.Best{Task: "b", Steps: 4, Tokens: 1000}}
	for _, c := range []struct {
		steps, tokens int
		want          float64
	}{{4, 1000, 1}, {8, 10, 0.5}, {2, 9000, 1}, {4, 2000, 0.5}, {4, 500, 1}} {
		if got := best.Efficiency(observe.Observation{Task: "t", Steps: c.steps, Tokens: c.tokens}); got != c.want {
			t.Errorf("%d steps and %d tokens are %v efficient, want %v", c.steps, c.tokens, got, c.want)
		}
	}
	first := observe.Kind{}
	if got := first.Efficiency(observe.Observation{Steps: 9}); got != 1 {
		t.Errorf("the first of a kind is %v efficient", got)
	}
}

func TestAKindKeepsItsBestUntilItIsNoneAnyMore(t *testing.T) {
	var k observe.Kind
	task := func(id string, steps, tokens int, success bool) {
		k = k.With(trace.Task{ID: id, Request: "send the report", Turns: []trace.Turn{{Ended: time.Unix(1, 0)}}}, observe.Observation{Task: id, Steps: steps, Tokens: tokens, Success: success})
	}
	best := func() string {
		if k.Best == nil {
			return ""
		}
		return k.Best.Task
	}
	for _, c := range []struct {
		id            string
		steps, tokens int
		success       bool
		want          string
	}{
		{"1", 1, 1, false, ""}, {"2", 5, 90, true, "2"}, {"3", 7, 10, true, "2"}, {"4", 3, 90, true, "4"}, {"4", 3, 90, false, ""},
		{"5", 6, 90, true, "5"}, {"6", 6, 95, true, "5"}, {"7", 6, 80, true, "7"},
	} {
		if task(c.id, c.steps, c.tokens, c.success); best() != c.want {
			t.Errorf("after task %s the best is %q, want %q", c.id, best(), c.want)
		}
	}
	if len(k.Points) != 7 {
		t.Errorf("%d points of seven tasks", len(k.Points))
	}
}

func TestOfAChainOfPointersTheFirstIsThePitfall(t *testing.T) {
	moved := func(tried, how string) observe.Recovery {
		return observe.Recovery{Tool: "fetch", Error: trace.Arguments, Tried: tried, How: how, Worked: "fetch", With: `{"path":"/third"}`, Resolved: true}
	}
	o := observe.Observation{Recoveries: []observe.Recovery{
		moved(`{"path":"/first"}`, "it moved to /second"), moved(`{"path":"/second"}`, "it moved to /third"), moved(`{"path":"/elsewhere"}`, "nothing is there"),
	}}
	var got []string
	for _, r := range o.Pitfalls() {
		got = append(got, r.Tried)
	}
	if want := []string{`{"path":"/first"}`, `{"path":"/elsewhere"}`}; !slices.Equal(got, want) {
		t.Errorf("the pitfalls are %q, want %q", got, want)
	}
}
