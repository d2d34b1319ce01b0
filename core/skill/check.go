package skill

import (
	"context"
	"slices"

	"talaria/core/chat"
	"talaria/core/skill/manifest"
)

// Severity is how much a finding weighs.
type Severity string

// The severities. One finding that blocks makes a blocked draft.
const (
	Note  Severity = "note"
	Warn  Severity = "warn"
	Block Severity = "block"
)

// weight orders severities; the gravest findings stand first.
func (s Severity) weight() int { return slices.Index([]Severity{Note, Warn, Block}, s) }

// Finding is what a check has to say about a proposal. It is shown on the card.
type Finding struct {
	Check    string   `json:"check"` // such as "scan"
	Severity Severity `json:"severity"`
	File     string   `json:"file,omitempty"`
	Line     int      `json:"line,omitempty"`
	Message  string   `json:"message"`
	// Same names the skill that a proposal repeats.
	Same *Ref `json:"same,omitempty"`
}

// Candidate is a proposal as the checks see it.
type Candidate struct {
	Ref         Ref
	Files       manifest.Bundle
	Manifest    manifest.Manifest
	Before      manifest.Bundle // what it changes; nil: it is a new skill
	Permissions Permissions
	Origin      chat.Origin
	ByAgent     bool
	Provenance  []Provenance
	Neighbours  []Skill // the other skills of its scope
}

// Check looks at a proposal: the injection scan, the duplicate check, the
// permission audit. An error means that it could not look; nothing is proposed
// then.
type Check func(ctx context.Context, c Candidate) ([]Finding, error)
