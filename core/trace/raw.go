package trace

import (
	"strings"
	"time"
	"unicode/utf8"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// Raw is what is handed over to be observed: a finished turn or a long one under way, the end of a
// session, or a reaction. It is cut to size and not redacted.
type Raw struct {
	Session  string       `json:"session,omitempty"` // with its generation
	Turn     *RawTurn     `json:"turn,omitempty"`
	Midway   bool         `json:"midway,omitempty"` // the turn is still under way
	Ended    bool         `json:"ended,omitempty"`  // the session began anew
	Reaction *RawReaction `json:"reaction,omitempty"`
	Place    chat.Address `json:"place"`
	At       time.Time    `json:"at"`
}

// RawTurn is a finished turn, however it finished.
type RawTurn struct {
	ID        string        `json:"id"`
	Who       person.ID     `json:"who"`
	Identity  chat.Identity `json:"identity"`
	Direct    bool          `json:"direct,omitempty"`
	Scheduled bool          `json:"scheduled,omitempty"` // a job fired
	Job       string        `json:"job,omitempty"`       // what that job is to do
	ReplyTo   string        `json:"reply_to,omitempty"`  // the message of the bot's that it replies to
	Agrees    string        `json:"agrees,omitempty"`    // the turn whose question it says yes to
	Question  string        `json:"question,omitempty"`  // that question
	Message   string        `json:"message,omitempty"`
	Began     time.Time     `json:"began"`
	Asked     string        `json:"asked"`
	Steered   []string      `json:"steered,omitempty"`
	Answered  string        `json:"answered"`
	Ending    agent.Ending  `json:"ending"`
	Stopped   bool          `json:"stopped,omitempty"`
	Tokens    int           `json:"tokens"`
	Steps     []Step        `json:"steps,omitempty"`
	Skills    []Use         `json:"skills,omitempty"`
}

// RawReaction is an emoji that was put on a message or taken off.
type RawReaction struct {
	Message string        `json:"message"`
	Who     chat.Identity `json:"who"`
	Name    string        `json:"name"`
	Added   bool          `json:"added"`
}

const handovers = "trace.new" // log of Raw in a shard

// HandOver adds to b, a batch on the place's shard, what is to be observed.
// Texts are cut; nothing else is done here, for it is on the path of a reply.
func HandOver(b *storage.Batch, r Raw) {
	if t := r.Turn; t != nil {
		t.Asked, t.Answered = cut(t.Asked, rawText), cut(t.Answered, rawText)
		t.Question, t.Job = cut(t.Question, rawText), cut(t.Job, rawText)
		for n := range t.Steered {
			t.Steered[n] = cut(t.Steered[n], rawText)
		}
	}
	b.Append(handovers, r)
}

// The most that is handed over.
const (
	rawText  = 4 << 10 // bytes of a question or an answer
	rawStep  = 2 << 10 // bytes of a step
	rawSteps = 300     // steps of a turn, the first ones
)

// Steps are the steps of a turn's journal, cut and not redacted. An entry
// without a time has the time of the one before it.
func Steps(entries []agent.Entry, began time.Time) []Step {
	w := writer{began: began, at: began, since: map[string]time.Time{}}
	for _, e := range entries {
		if len(w.steps) >= rawSteps {
			break
		}
		w.add(e)
	}
	return w.steps
}

// writer turns journal entries into steps.
type writer struct {
	began, at time.Time
	since     map[string]time.Time // by call: when it was asked for or began
	steps     []Step
}

func (w *writer) add(e agent.Entry) {
	before := w.at
	if e.At.After(w.at) {
		w.at = e.At
	}
	switch {
	case e.Model != nil:
		w.thought(*e.Model, before)
	case e.Started != nil:
		w.since[e.Started.ID] = w.at
	case e.Ended != nil:
		w.observed(*e.Ended)
	}
}

// thought adds what the model said beside its calls, and the calls. Its answer
// is the turn's and no step.
func (w *writer) thought(m agent.Message, before time.Time) {
	if len(m.Calls) == 0 {
		return
	}
	if strings.TrimSpace(m.Text) != "" {
		w.steps = append(w.steps, Step{
			Kind: Thought, Offset: before.Sub(w.began), Duration: w.at.Sub(before), Success: true,
			Origin: m.Origin, Text: cut(m.Text, rawStep),
		})
	}
	for _, c := range m.Calls {
		w.since[c.ID] = w.at
		w.steps = append(w.steps, Step{
			Kind: ToolCall, Offset: w.at.Sub(w.began), Tool: c.Name, Call: c.ID, Success: true,
			Origin: m.Origin, Text: cut(string(c.Args), rawStep),
		})
	}
}

func (w *writer) observed(o agent.Outcome) {
	took := time.Duration(0)
	if since, ok := w.since[o.ID]; ok {
		took = w.at.Sub(since)
	}
	w.steps = append(w.steps, Step{
		Kind: Observation, Offset: w.at.Sub(w.began), Duration: took, Tool: o.Name, Call: o.ID,
		Success: !o.Failed, Origin: o.Origin, Text: cut(o.Text, rawStep),
	})
}

// gap stands where something was cut out.
const gap = "\n[...]\n"

// cut shortens a text to about limit bytes. Two thirds are kept of its head
// and the rest of its tail, where errors tend to be; words are kept whole, and
// a word that is too long for that is left out.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	head, tail := s[:limit*2/3], s[len(s)-limit/3:]
	for len(head) > 0 && !utf8.RuneStart(s[len(head)]) {
		head = head[:len(head)-1]
	}
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	return wholeHead(head) + gap + wholeTail(tail)
}

// wholeHead drops the last word of a head, unless the script has no spaces.
func wholeHead(s string) string {
	if last, _ := utf8.DecodeLastRuneInString(s); last > latin {
		return s
	}
	return s[:strings.LastIndexAny(s, " \t\r\n,;")+1]
}

func wholeTail(s string) string {
	if first, _ := utf8.DecodeRuneInString(s); first > latin {
		return s
	}
	if n := strings.IndexAny(s, " \t\r\n,;"); n >= 0 {
		return s[n:]
	}
	return ""
}

// latin is below all characters of the scripts without spaces.
const latin = 0x0e00
