package trace

import (
	"slices"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
)

// Start is how a task came about.
type Start string

// The starts.
const (
	Direct    Start = "direct"    // a person asked
	Scheduled Start = "scheduled" // a job fired
	Cascading Start = "cascading" // a person asked for something on top of an earlier result
)

// Kind is what a step is.
type Kind string

// The kinds.
const (
	Thought     Kind = "thought"     // what the model said beside its calls
	ToolCall    Kind = "tool_call"   // a call that it asked for
	Observation Kind = "observation" // what came of the call
)

// Step is one redacted step of a task.
type Step struct {
	Kind     Kind          `json:"kind"`
	Turn     int           `json:"turn"`               // index of the turn in the task
	Offset   time.Duration `json:"offset"`             // since the turn began
	Duration time.Duration `json:"duration,omitempty"` // of a call: with its observation
	Tool     string        `json:"tool,omitempty"`
	Call     string        `json:"call,omitempty"` // the id that a call shares with its observation
	Success  bool          `json:"success"`        // of an observation: the tool did not fail
	Error    ErrorKind     `json:"error,omitempty"`
	Recovery bool          `json:"recovery,omitempty"` // of an observation: it worked after the same tool had failed
	Origin   chat.Origin   `json:"origin"`
	Text     string        `json:"text,omitempty"`
}

// Turn is one message of a task and its answer.
type Turn struct {
	ID        string       `json:"id"`
	Who       person.ID    `json:"who"`
	Message   string       `json:"message,omitempty"` // platform id of the question
	Answers   []string     `json:"answers,omitempty"` // platform ids of the answer's messages, as far as known
	Began     time.Time    `json:"began"`
	Ended     time.Time    `json:"ended"`
	Asked     string       `json:"asked"`             // the author's own words, redacted
	Steered   []string     `json:"steered,omitempty"` // what they said while it ran
	Answered  string       `json:"answered"`
	Ending    agent.Ending `json:"ending"`
	Stopped   bool         `json:"stopped,omitempty"` // by its author
	Tokens    int          `json:"tokens"`            // input that no cache had, and output
	Reactions []Reaction   `json:"reactions,omitempty"`
}

// Reaction is an emoji on an answer.
type Reaction struct {
	Who   chat.Identity `json:"who"`
	Name  string        `json:"name"`  // the character, or the platform's short name
	Asker bool          `json:"asker"` // it is from the account that asked
	At    time.Time     `json:"at"`
}

// Use is a skill whose body was in the prompt.
type Use struct {
	Skill    string `json:"skill"`
	Revision int    `json:"revision"`
}

// Task is the turns of one session that pursue one request, with their steps.
type Task struct {
	ID      string        `json:"id"` // sorts by time
	Session string        `json:"session"`
	Person  person.ID     `json:"person"` // who asked first
	Asker   chat.Identity `json:"asker"`  // with which account
	Place   chat.Address  `json:"place"`
	Direct  bool          `json:"direct"` // a conversation of the person and the bot; else the scope is the space
	Start   Start         `json:"start"`
	After   string        `json:"after,omitempty"` // the task whose result a cascading one builds on
	Request string        `json:"request"`
	Job     string        `json:"job,omitempty"` // what the job that fired is to do: nobody's request of that moment
	Turns   []Turn        `json:"turns"`
	Steps   []Step        `json:"steps"`
	Left    int           `json:"left,omitempty"`    // steps that were left out, from the middle
	Calls   int           `json:"calls"`             // tool calls, those left out included
	Skills  []Use         `json:"skills,omitempty"`  // each once
	Closing string        `json:"closing,omitempty"` // words about this task that opened the next one
	Settled Settling      `json:"settled,omitempty"` // how it ended; empty while it may go on
	Cited   []string      `json:"cited,omitempty"`   // what is derived from it
}

// Settling is what ended a task.
type Settling string

// The ends of tasks.
const (
	ByNew     Settling = "new"     // the session began anew
	ByIdle    Settling = "idle"    // nothing was said for long
	ByRequest Settling = "request" // another request came
)

// Output is the final answer, empty before there is one.
func (t Task) Output() string {
	if len(t.Turns) == 0 {
		return ""
	}
	return t.Turns[len(t.Turns)-1].Answered
}

// Scope is whose experience the task is: the person's, or the space's.
func (t Task) Scope() string {
	if t.Direct {
		return ScopeOf(t.Person)
	}
	return "space:" + t.Place.Place().String()
}

// ScopeOf is the scope of the tasks that a person has alone with the bot.
func ScopeOf(who person.ID) string { return "person:" + string(who) }

// Last is when the task was last added to.
func (t Task) Last() time.Time {
	if len(t.Turns) == 0 {
		return time.Time{}
	}
	return t.Turns[len(t.Turns)-1].Ended
}

// Duration is the time that was worked on it, waiting for the person left out.
func (t Task) Duration() time.Duration {
	var sum time.Duration
	for _, turn := range t.Turns {
		sum += turn.Ended.Sub(turn.Began)
	}
	return sum
}

// Tokens is what its turns used.
func (t Task) Tokens() int {
	sum := 0
	for _, turn := range t.Turns {
		sum += turn.Tokens
	}
	return sum
}

// Messages counts what the person and the bot said.
func (t Task) Messages() int {
	n := 0
	for _, turn := range t.Turns {
		n += 2 + len(turn.Steered)
	}
	return n
}

// People are all who spoke in it, sorted.
func (t Task) People() []person.ID {
	var people []person.ID
	if t.Person != "" {
		people = append(people, t.Person)
	}
	for _, turn := range t.Turns {
		people = append(people, turn.Who)
	}
	slices.Sort(people)
	return slices.Compact(people)
}

// Of is the task with the turns of some people alone.
func (t Task) Of(is func(person.ID) bool) Task {
	at := map[int]int{} // where a kept turn stands now
	var turns []Turn
	for n, turn := range t.Turns {
		if is(turn.Who) {
			at[n], turns = len(turns), append(turns, turn)
		}
	}
	var steps []Step
	for _, s := range t.Steps {
		if n, kept := at[s.Turn]; kept {
			s.Turn = n
			steps = append(steps, s)
		}
	}
	if !is(t.Person) {
		t.Person, t.Asker, t.Request, t.Job = "", chat.Identity{}, "", ""
	}
	t.Turns, t.Steps = turns, steps
	return t
}

// Tools are the names of the tools that were called, sorted.
func (t Task) Tools() []string {
	var names []string
	for _, s := range t.Steps {
		if s.Kind == ToolCall {
			names = append(names, s.Tool)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Recoveries counts the calls that worked after the same tool had failed.
func (t Task) Recoveries() int {
	n := 0
	for _, s := range t.Steps {
		if s.Recovery {
			n++
		}
	}
	return n
}
