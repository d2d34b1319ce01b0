package memory

import (
	"time"

	"talaria/core/chat"
)

// Kind is what a card is about.
type Kind string

// The kinds.
const (
	Work    Kind = "work"    // facts, conventions, decisions
	Profile Kind = "profile" // who the person is and how they like to be answered
)

// State is whether a card is used.
type State string

// The states.
const (
	Active      State = "active"
	Emerging    State = "emerging"    // used, but marked as not yet certain
	Quarantined State = "quarantined" // not used until the person confirms it
	Archived    State = "archived"    // not used any more
)

// Used reports whether cards in this state are shown to a model.
func (s State) Used() bool { return s == Active || s == Emerging }

// Card is one remembered statement.
type Card struct {
	ID         string        `json:"id"`
	Kind       Kind          `json:"kind"`
	Text       string        `json:"text"`
	State      State         `json:"state"`
	Confidence float64       `json:"confidence"` // 0 to 1
	Origin     chat.Origin   `json:"origin"`     // the worst of what it was made from
	Evidence   []Evidence    `json:"evidence,omitempty"`
	From       chat.Identity `json:"from"`               // whose conversation it comes from
	Link       string        `json:"link,omitempty"`     // with which linked account it came here
	Against    []string      `json:"against,omitempty"`  // ids of the cards that it contradicts, or that contradict it
	Inferred   bool          `json:"inferred,omitempty"` // concluded from several things that the person said
	Created    time.Time     `json:"created"`
	Updated    time.Time     `json:"updated"`
}

// Evidence is one occasion that speaks for a card.
type Evidence struct {
	Message string      `json:"message,omitempty"` // platform id of the message
	Task    string      `json:"task,omitempty"`    // the finished task that it was learned from
	Against string      `json:"against,omitempty"` // the finished task that spoke against the card
	Place   string      `json:"place,omitempty"`   // where it was said
	Origin  chat.Origin `json:"origin"`
	Spoken  bool        `json:"spoken"` // the person's own words say it
	At      time.Time   `json:"at"`
}

// The limits of cards.
const (
	MaxText     = 500  // characters of a card
	maxCards    = 1000 // of a shelf
	maxEvidence = 10   // of a card, the latest
)

// confidenceOf is what a new card starts with.
func confidenceOf(spoken bool, o chat.Origin) float64 {
	switch {
	case spoken, o <= chat.Member:
		return 0.75
	case o == chat.TrustedTool:
		return 0.6
	}
	return 0.4
}

// Source is where a statement comes from.
type Source struct {
	Origin  chat.Origin // the worst of what the model had seen
	Spoken  string      // the person's own words of the turn
	Message string      // platform id of the message
}
