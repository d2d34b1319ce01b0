package skill

import "time"

// Use is that a skill's body entered the prompt of a task. Being listed is none.
type Use struct {
	Task        string        `json:"task"` // recorded again, the task's later word counts
	Number      int           `json:"number"`
	Success     bool          `json:"success"`
	Steps       int           `json:"steps"`
	ToolCalls   int           `json:"tool_calls"`
	Tokens      int           `json:"tokens"`
	Duration    time.Duration `json:"duration"`
	Corrections int           `json:"corrections"`
	At          time.Time     `json:"at"`  // set when first recorded
	Seq         int           `json:"seq"` // order of first recording, from 1; set
}

// Counts are the outcomes of uses.
type Counts struct {
	Successes int `json:"successes"`
	Failures  int `json:"failures"`
}

// Uses is how many there were.
func (c Counts) Uses() int { return c.Successes + c.Failures }

// Stats are how a skill has done.
type Stats struct {
	Counts
	Rate       float64        `json:"rate"`        // success_rate for display: a moving average from 1
	Revisions  map[int]Counts `json:"revisions"`   // by revision number
	Reused     int            `json:"reused"`      // reuse_after_patch: generations that were used again
	LastReused int            `json:"last_reused"` // the latest such generation
	Seq        int            `json:"seq"`
	LastUsed   time.Time      `json:"last_used"`
}
