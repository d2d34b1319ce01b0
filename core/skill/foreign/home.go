package foreign

import (
	"encoding/json"
	"path"
	"time"

	"talaria/core/skill/manifest"
)

// Limits of what is read at once. Past them the rest is left out and said so.
const (
	MaxSkills = 2_000
	MaxBytes  = 256 << 20 // of all skills together
	maxFile   = 8 << 20   // bytes of any other file
	maxRecord = 1 << 20   // bytes of the record of a job or of a pending change
)

// Home is everything that was found in one place.
type Home struct {
	Skills   []Found   // by path
	Settings []Setting // what people set for the skills, in the order of their file
	Cards    []Card    // in the order of their files
	Jobs     []Job     // in the order of their file
	Pending  []Pending // oldest first
	Odd      []string  // for people: whole sentences without their full stops
}

// Maker is who made a skill, as far as its home knows.
type Maker string

// The makers.
const (
	Unknown  Maker = ""         // a person, or nobody wrote it down
	Agent    Maker = "agent"    // the agent made it by itself
	Bundled  Maker = "bundled"  // it came with the program
	External Maker = "external" // it was installed from a registry or an organisation
)

// State is whether a skill was in use in its home.
type State string

// The states.
const (
	Active   State = "active"
	Stale    State = "stale"
	Archived State = "archived"
	Disabled State = "disabled" // a person switched it off
)

// Found is one skill.
type Found struct {
	Path     string            // of its folder or file below the place that was read
	Category string            // the folders between, such as "research"; "" without
	Bundle   manifest.Bundle   // nil where the skill was refused
	Manifest manifest.Manifest // zero where the skill was refused
	Messages []manifest.Message
	Made     Maker
	State    State
	Pinned   bool // it was kept from all changes that nobody asked for
	Usage    Usage
}

// Refused reports whether the skill can't be used; the last message says why.
func (f Found) Refused() bool { return manifest.Worst(f.Messages) == manifest.Refuse }

// Setting is a value that a skill asked for, see [manifest.Option].
type Setting struct {
	Key   string // dotted, such as "papers.max"
	Value string // as written
}

// names are the ones that its home may know a skill by.
func (f Found) names() []string {
	return []string{f.Manifest.Name, f.Manifest.Title, path.Base(f.Path)}
}

// Usage is what a home counted for a skill. Times are zero where it did not.
type Usage struct {
	Uses, Views, Patches int
	Created, Used        time.Time
	Record               json.RawMessage // the whole record, nil without one
}

// Kind is what a card is about.
type Kind string

// The kinds: MEMORY.md holds work, USER.md the profile.
const (
	Work    Kind = "work"
	Profile Kind = "profile"
)

// Card is one entry of a memory file.
type Card struct {
	Kind Kind
	Text string
	File string
}

// Job is a scheduled task. It is listed, never taken over by itself.
type Job struct {
	ID       string
	Name     string
	Prompt   string
	Schedule string // in its home's words, such as "0 9 * * 1-5" or "every 120m"
	Deliver  string // where its results went
	Skills   []string
	Enabled  bool
	Record   json.RawMessage
}

// Pending is a change that waited for somebody's approval.
type Pending struct {
	ID      string
	About   string // "memory" or "skills"
	Action  string // such as "add", "create" or "patch"
	Summary string
	By      string // what asked for it, such as "background_review"
	Created time.Time
	Record  json.RawMessage
}

// Person reports whether there is more in a home than skills: what belongs to
// the person whose it is.
func (h Home) Person() bool {
	return len(h.Settings)+len(h.Cards)+len(h.Jobs)+len(h.Pending) > 0
}

// Join adds what was found in another place.
func (h *Home) Join(more Home) {
	h.Skills, h.Settings = append(h.Skills, more.Skills...), append(h.Settings, more.Settings...)
	h.Cards, h.Jobs = append(h.Cards, more.Cards...), append(h.Jobs, more.Jobs...)
	h.Pending, h.Odd = append(h.Pending, more.Pending...), append(h.Odd, more.Odd...)
}
