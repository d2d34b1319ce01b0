package scheduler

import (
	"encoding/json"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/scheduler/when"
)

// Job is something that is to happen at times.
type Job struct {
	ID       string           `json:"id"`
	Key      string           `json:"key"` // of the request that made it: the same request makes no second one
	Owner    person.Principal `json:"owner"`
	Origin   chat.Origin      `json:"origin"` // of Prompt or Say
	Prompt   string           `json:"prompt,omitempty"`
	Say      string           `json:"say,omitempty"` // in place of Prompt: said as it stands, without a model
	Schedule when.Schedule    `json:"schedule"`
	// Data is for whoever carries a run out, beside the words.
	Data    json.RawMessage `json:"data,omitempty"`
	About   *chat.Quote     `json:"about,omitempty"` // the message that it is about: somebody's words, as data
	Targets []Target        `json:"targets"`
	Rules   Rules           `json:"rules"`
	Created time.Time       `json:"created"`
	Link    string          `json:"link,omitempty"` // with which link of accounts it came to its owner

	Paused bool      `json:"paused,omitempty"`
	Why    string    `json:"why,omitempty"`  // with Paused: why, where it was not the owner's wish
	Over   bool      `json:"over,omitempty"` // nothing more will fire; it is kept for its history
	Next   time.Time `json:"next,omitzero"`  // the next slot; zero while paused and once over
	Last   time.Time `json:"last,omitzero"`  // the last slot that was decided on
	Runs   int       `json:"runs"`
	// Firing is a decision that has not been carried out to its end.
	Firing  *Firing `json:"firing,omitempty"`
	History []Run   `json:"history,omitempty"` // the latest last, at most keptRuns
}

// Target is a place where a job's answer goes, and as whom the owner is there.
// Without a Place it is the owner's direct conversation, wherever that is when
// the job fires.
type Target struct {
	Place  chat.Address `json:"place"`
	Direct bool         `json:"direct,omitempty"`
	Dead   string       `json:"dead,omitempty"` // why nothing is sent there any more
	// Told means that the owner was told that the place is out of reach.
	Told bool `json:"told,omitempty"`
}

// Overlap says what happens when a slot comes while the run before it is
// still under way.
type Overlap string

// The ways of dealing with an overlap.
const (
	OverlapSkip   Overlap = "skip"
	OverlapQueue  Overlap = "queue"
	OverlapCancel Overlap = "cancel" // the earlier run is stopped
)

// CatchUp says what happens to slots that were missed.
type CatchUp string

// The ways of catching up.
const (
	CatchUpOnce CatchUp = "once" // the latest of them runs
	CatchUpSkip CatchUp = "skip" // none does
	CatchUpAll  CatchUp = "all"  // each does, but for more than maxAll
)

// Rules are how a job behaves. The zero value is not usable; see Defaults.
type Rules struct {
	Overlap Overlap       `json:"overlap"`
	CatchUp CatchUp       `json:"catch_up"`
	Window  time.Duration `json:"window"`           // what is later than this is not caught up with
	Jitter  time.Duration `json:"jitter,omitempty"` // a slot fires up to this much later, always the same for a job
	Quiet   Quiet         `json:"quiet,omitzero"`
	Limit   int           `json:"limit,omitempty"` // runs; zero: any number
	Until   time.Time     `json:"until,omitzero"`  // no slot after it; zero: for ever
	Use
}

// Use is what a run works with. Nothing in it gives a run more than its owner
// has at that moment: names that the owner may not use (any more) give nothing.
type Use struct {
	Tools  []string `json:"tools,omitempty"`  // the only tools; nil: all that the owner may use
	Skills []string `json:"skills,omitempty"` // procedures to be followed, by name
	Model  string   `json:"model,omitempty"`  // by its name in the configuration; empty: the usual one
	Tokens int      `json:"tokens,omitempty"` // at most so many, input and output together; zero: no limit of its own
}

// Quiet is a part of the day, in the schedule's zone, in which nothing fires:
// slots in it come at its end. From and To are minutes since midnight; equal
// ones mean none.
type Quiet struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Defaults are the rules of a job of which nothing else was said. A reminder
// for one moment is wanted late rather than never; a thing that comes again
// anyway is stale after half a day.
func Defaults(once bool) Rules {
	r := Rules{Overlap: OverlapSkip, CatchUp: CatchUpOnce, Window: 12 * time.Hour}
	if once {
		r.Window = 7 * 24 * time.Hour
	}
	return r
}

// Firing is the decision on slots that are due.
type Firing struct {
	Slots []Slot    `json:"slots"` // to be handed over
	Skips []Run     `json:"skips,omitempty"`
	Last  time.Time `json:"last"`          // the last slot that it covers
	Next  time.Time `json:"next,omitzero"` // the one after it; zero where there is none
}

// Slot is one run that was decided on.
type Slot struct {
	At   time.Time     `json:"at"`             // nominal
	Late time.Duration `json:"late,omitempty"` // zero where it is on time
	To   []Stop        `json:"to"`
	// Lost is why none of the job's places is in reach, where that is so.
	Lost string `json:"lost,omitempty"`
}

// Stop is where a slot's event goes.
type Stop struct {
	Who  person.Principal `json:"who"` // at the place, with the rights of the moment of the decision
	Note string           `json:"note,omitempty"`
	Key  string           `json:"key"` // of the event
}

// RunState is how far a run has come.
type RunState string

// The states of a run.
const (
	Handed  RunState = "handed over" // its turn may wait, run, or be over
	Done    RunState = "done"
	Failed  RunState = "failed"  // its turn broke off
	Skipped RunState = "skipped" // see Why
	Refused RunState = "refused" // its owner may not have it run any more
)

// Run is one entry of a job's history.
type Run struct {
	At    time.Time     `json:"at"`             // nominal slot; of several skipped ones the first
	Last  time.Time     `json:"last,omitzero"`  // of several skipped ones the last
	Count int           `json:"count"`          // slots that the entry stands for
	Fired time.Time     `json:"fired,omitzero"` // when it was handed over
	Late  time.Duration `json:"late,omitempty"`
	State RunState      `json:"state"`
	Why   string        `json:"why,omitempty"`
	Stops []Delivery    `json:"stops,omitempty"`
	// Looks is how often it was looked at since.
	Looks int `json:"looks,omitempty"`
}

// Delivery is what became of a run at one place.
type Delivery struct {
	Key    string       `json:"key"`
	Place  chat.Address `json:"place"`
	State  string       `json:"state,omitempty"` // of the outbox row; empty while there is none
	Error  string       `json:"error,omitempty"`
	Output string       `json:"output,omitempty"` // its beginning
	Tokens int          `json:"tokens,omitempty"`
	Moved  bool         `json:"moved,omitempty"` // what could not be delivered went to the owner's direct conversation
}

// Bounds of what is kept.
const (
	keptRuns   = 20
	keptOutput = 500                 // characters of an output
	keptOver   = 30 * 24 * time.Hour // a job that is over
)

// note adds to the history and forgets what is too old.
func (j *Job) note(runs ...Run) {
	j.History = append(j.History, runs...)
	if extra := len(j.History) - keptRuns; extra > 0 {
		j.History = append([]Run(nil), j.History[extra:]...)
	}
}

// Text is what the job says or does.
func (j *Job) Text() string {
	if j.Say != "" {
		return j.Say
	}
	return j.Prompt
}
