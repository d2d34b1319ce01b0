package rehearsal

import (
	"fmt"
	"slices"
	"strings"

	"talaria/core/agent"
)

// task is the steps that a message comes to.
type task struct {
	*scene
	acts      map[intent]act
	steps     []*step
	procedure procedure // the skill that the steps come from, if any
}

// state is how far a step is.
type state int

const (
	pending state = iota
	done
	failed
	skipped // what it needs has failed
	moot    // a fallback that nobody needs
)

// step is one thing to do.
type step struct {
	intent intent
	slots  slots
	clause string // its wording
	needs  bool   // it works on what the step before came to
	// fallback: it is done only if the step before fails.
	fallback bool

	state  state
	result string // of its tool, or the text to tell
	reason string // of a failure
	tries  int
	next   wish // what it wants to call, if it is pending
}

// wish is a call before it is made.
type wish struct {
	tool string
	args map[string]any
}

// maxTries bounds the calls of one step.
const maxTries = 3

// parse finds the things to do in a message. It is empty if there are none.
func parse(text string, l language) []*step {
	var steps []*step
	found, fallback := false, false
	for _, c := range clauses(text) {
		if m := ifFailed().FindStringSubmatch(c); m != nil && len(steps) > 0 {
			fallback = true
			if c = strings.TrimSpace(m[1]); c == "" {
				continue // "if it fails, then ..." is cut at "then"
			}
		}
		i, s := understand(c, l)
		found = found || i != unknown
		if i != nothing {
			for _, s := range several(i, s) {
				next := newStep(i, s, c, len(steps) > 0)
				next.fallback = fallback
				steps = append(steps, next)
			}
		}
		fallback = false
	}
	if !found {
		return nil
	}
	return steps
}

// ifFailed is the condition before what to do if the step before fails.
var ifFailed = lazily(`(?i)^(?:if|in case) (?:it|that|this|the \w+)(?: \w+)? (?:fails?|(?:does|did)(?:n't| not) work|is(?:n't| not) (?:there|available|reachable|found)|can(?:not|'t) be \w+)[,:]?\s*(.*)$|^(?:如果|要是|万一)(?:失败|不行|打不开|不成功|没成功|没有|找不到)(?:了|的话)*[,，]?(?:就)?(.*)$`)

// several makes a step each of places named together.
func several(i intent, s slots) []slots {
	if i != clock || s["zone"] == "" {
		return []slots{s}
	}
	if _, ok := zoneOf(s["zone"]); ok {
		return []slots{s}
	}
	var out []slots
	for _, place := range listing().Split(s["zone"], -1) {
		out = append(out, slots{"zone": strings.TrimSpace(place)})
	}
	return out[:min(len(out), maxClauses)]
}

var listing = lazily(`(?i)\s*(?:,|，|、|\band\b|&|和|与|跟)\s*(?:(?:in|at)\b)?\s*`)

func newStep(i intent, s slots, clause string, follows bool) *step {
	return &step{intent: i, slots: s, clause: clause, needs: follows && ((i == write || i == extend) && pointsBack(s) || i == use && strings.Contains(s["args"], lastResult))}
}

// newTask makes the task of a scene: the steps of a skill that fits the
// message, else the message's own.
func newTask(s *scene) *task {
	t := &task{scene: s, acts: theActs()}
	if s.agreed.Name != "" {
		t.steps = []*step{{intent: agree, slots: slots{"tool": s.agreed.Name}}}
		return t
	}
	t.steps = parse(s.input, s.language)
	if p, ok := skillFor(s, t.steps); ok {
		t.procedure = p
		t.steps = p.steps(s)
	}
	return t
}

// play goes through the task with what was called already and returns the
// calls that are to be made now; none if the task is over.
func (t *task) play(past []exchange) []agent.Call {
	for {
		ready := t.ready()
		if len(ready) == 0 {
			return nil
		}
		if len(past) == 0 {
			return t.calls(ready)
		}
		n := min(len(ready), len(past))
		for i := range n {
			t.take(ready[i], past[i])
		}
		past = past[n:]
	}
}

// ready returns the steps that want a call and need wait for no other. Those
// that can be done without one are done on the way.
func (t *task) ready() []*step {
	var out []*step
	for i, s := range t.steps {
		if s.state != pending {
			continue
		}
		if s.needs || s.fallback {
			switch before := t.before(i); {
			case before == pending:
				return out
			case s.fallback && before == done:
				s.state = moot
				continue
			case s.needs && (before == failed || before == skipped):
				s.state = skipped
				continue
			}
		}
		if (s.intent == readFile || s.intent == extend) && t.writing(i) {
			return out
		}
		if s.tries == 0 {
			t.begin(i)
		}
		if s.state == pending {
			out = append(out, s)
		}
	}
	return out
}

// writing reports whether a step before step i is still to write the file that
// step i reads.
func (t *task) writing(i int) bool {
	return slices.ContainsFunc(t.steps[:i], func(s *step) bool {
		return (s.intent == write || s.intent == extend) && s.state == pending && s.slots["name"] == t.steps[i].slots["name"]
	})
}

// before is how the step before step i ended; there is always one.
func (t *task) before(i int) state {
	for j := i - 1; j > 0; j-- {
		if t.steps[j].state != moot {
			return t.steps[j].state
		}
	}
	return t.steps[0].state
}

// begin prepares a step's first call, or does the step where none is needed.
func (t *task) begin(i int) {
	s := t.steps[i]
	s.state, s.next = t.acts[s.intent].begin(t, i)
}

// take brings in what a step's call came to.
func (t *task) take(s *step, x exchange) {
	s.tries++
	if next, ok := t.again(s, x); ok && s.tries < maxTries {
		s.next = next
		return
	}
	s.result, s.state = x.outcome.Text, done
	if x.outcome.Failed {
		s.state, s.reason = failed, reason(x.outcome.Text)
		return
	}
	if s.intent == readFile && x.call.Name == "files_list" { // which names nothing near
		s.state, s.reason = failed, t.noSuchFile(s.slots["name"], x.outcome.Text)
		return
	}
	if s.intent == extend && x.call.Name != "files_write" {
		s.state, s.reason = failed, notWholeWords.in(t.language)
		return
	}
	if s.intent == skill {
		t.follow(s)
	}
}

// follow puts the steps of a skill that was just read behind the others.
func (t *task) follow(s *step) {
	if p, ok := readProcedure(s.result); ok && t.procedure.name == "" {
		p.name = s.slots["name"]
		t.procedure = p
		t.steps = append(t.steps, p.steps(t.scene)...)
	}
}

func (t *task) again(s *step, x exchange) (wish, bool) {
	again := t.acts[s.intent].again
	if again == nil {
		return wish{}, false
	}
	return again(t, s, x)
}

// last is what the step before came to, or what was said before this message.
func (t *task) last(i int) string {
	for j := i - 1; j >= 0; j-- {
		if s := t.steps[j]; s.state == done && s.result != "" {
			return s.result
		}
	}
	return t.answered
}

// calls makes calls of what the steps want.
func (t *task) calls(ready []*step) []agent.Call {
	calls := make([]agent.Call, len(ready))
	for i, s := range ready {
		calls[i] = agent.Call{Name: s.next.tool, Args: encode(s.next.args)}
	}
	return calls
}

// name gives calls ids that no earlier call of the conversation has.
func name(calls []agent.Call, messages int) []agent.Call {
	for i := range calls {
		calls[i].ID = fmt.Sprintf("rehearsal_%d_%d", messages, i)
	}
	return calls
}
