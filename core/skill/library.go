package skill

import (
	"context"
	"errors"
	"log/slog"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill/manifest"
	"talaria/core/skill/match"
	"talaria/storage"
)

// The errors of the library, wrapped with the reason. Who may not do something
// gets person.ErrForbidden.
var (
	ErrInvalid      = errors.New("that can't be a skill")
	ErrNotFound     = errors.New("no such skill here")
	ErrBlocked      = errors.New("a check blocks this draft; edit it first")
	ErrDecided      = errors.New("this was decided already")
	ErrExpired      = errors.New("this draft has expired; it can be proposed again")
	ErrStale        = errors.New("this is no longer what was shown")
	ErrNeedsAdmin   = errors.New("new permissions need an admin's yes")
	ErrNeedsAnother = errors.New("new permissions need the yes of somebody other than who the draft comes from")
	ErrDisabled     = errors.New("this skill is disabled")
	ErrProtected    = errors.New("this skill is its owner's to change")
	ErrUnchanged    = errors.New("nothing would change")
)

// Library keeps skills in a store. It is safe for concurrent use, also by
// several replicas on one store.
type Library struct {
	store *storage.Store
}

// New returns a library over a store. The checks look at every proposal, after
// the library's own.
func New(s *storage.Store, a Authority, c Config, log *slog.Logger, checks ...Check) *Library {
	return &Library{store: s}
}

// Run drops from memory what other replicas changed, until ctx ends. Without
// it changes made elsewhere are seen within five seconds.
func (l *Library) Run(ctx context.Context) error { return nil }

// Proposal is a change that somebody wants, or that was learned.
type Proposal struct {
	Ref        Ref             // scope and name; the name must be the one in SKILL.md
	Files      manifest.Bundle // the whole skill
	Base       string          // hash of the revision in force it was made from; empty for a new skill
	ByAgent    bool            // Talaria wrote it; else p did
	CreatedBy  Creator         // of a new skill; empty: ByAgent or ByPerson as ByAgent says
	Reason     string
	Origin     chat.Origin
	Provenance []Provenance
}

// Outcome is what came of a proposal.
type Outcome struct {
	Revision Revision
	Merged   bool // it joined the draft that was pending
	Live     bool // the policy put it in force at once
}

// Propose takes a change in, on p's behalf.
func (l *Library) Propose(ctx context.Context, p person.Principal, pr Proposal) (Outcome, error) {
	return Outcome{}, nil
}

// Approve puts a draft in force. r names the revision, hash what p was shown.
func (l *Library) Approve(ctx context.Context, p person.Principal, r Ref, hash string) (Revision, error) {
	return Revision{}, nil
}

// Reject ends a draft.
func (l *Library) Reject(ctx context.Context, p person.Principal, r Ref, hash, reason string) (Revision, error) {
	return Revision{}, nil
}

// Edit puts p's own text in the place of a pending draft; it needs a decision again.
func (l *Library) Edit(ctx context.Context, p person.Principal, r Ref, hash string, files manifest.Bundle, reason string) (Outcome, error) {
	return Outcome{}, nil
}

// Disable takes a skill out of use at once.
func (l *Library) Disable(ctx context.Context, p person.Principal, r Ref, reason string) (Skill, error) {
	return Skill{}, nil
}

// Enable undoes Disable.
func (l *Library) Enable(ctx context.Context, p person.Principal, r Ref, reason string) (Skill, error) {
	return Skill{}, nil
}

// Archive puts a skill away.
func (l *Library) Archive(ctx context.Context, p person.Principal, r Ref, reason string) (Skill, error) {
	return Skill{}, nil
}

// Restore brings an archived skill back.
func (l *Library) Restore(ctx context.Context, p person.Principal, r Ref, reason string) (Skill, error) {
	return Skill{}, nil
}

// Pin protects a skill from upkeep, or ends that.
func (l *Library) Pin(ctx context.Context, p person.Principal, r Ref, pinned bool) (Skill, error) {
	return Skill{}, nil
}

// Rollback puts an earlier authorised revision, r.Number, in force again.
func (l *Library) Rollback(ctx context.Context, p person.Principal, r Ref, reason string) (Skill, error) {
	return Skill{}, nil
}

// Revert is the unattended Rollback, to the authorised revision before.
func (l *Library) Revert(ctx context.Context, r Ref, reason string) (Skill, error) {
	return Skill{}, nil
}

// Retire is the unattended change of state: to Stale or Archived (agent's,
// unpinned ones only), Deprecated, or Disabled when a source was deleted.
func (l *Library) Retire(ctx context.Context, r Ref, to State, reason string) (Skill, error) {
	return Skill{}, nil
}

// Visible are the live skills for p's turn, narrower scopes first, each name once.
func (l *Library) Visible(ctx context.Context, p person.Principal) ([]Skill, error) { return nil, nil }

// Matchable are the same for package match, with bodies and proven success.
func (l *Library) Matchable(ctx context.Context, p person.Principal) ([]match.Skill, error) {
	return nil, nil
}

// List are all skills that p may see, in every state.
func (l *Library) List(ctx context.Context, p person.Principal) ([]Skill, error) { return nil, nil }

// Find is the skill that p means by a name, in whatever state.
func (l *Library) Find(ctx context.Context, p person.Principal, name string) (Skill, error) {
	return Skill{}, nil
}

// View is a live skill's file for p's turn, SKILL.md for "". It is checked on
// every call that the skill may be used.
func (l *Library) View(ctx context.Context, p person.Principal, name, file string) (Skill, []byte, error) {
	return Skill{}, nil, nil
}

// Pending are the drafts that p may see and that wait, the oldest first.
func (l *Library) Pending(ctx context.Context, p person.Principal) ([]Revision, error) {
	return nil, nil
}

// Revision is one revision, Number zero: the one in force.
func (l *Library) Revision(ctx context.Context, p person.Principal, r Ref) (Revision, error) {
	return Revision{}, nil
}

// Bundle are a revision's files.
func (l *Library) Bundle(ctx context.Context, p person.Principal, r Ref) (manifest.Bundle, error) {
	return nil, nil
}

// History are the revisions of a skill, the latest first.
func (l *Library) History(ctx context.Context, p person.Principal, r Ref) ([]Revision, error) {
	return nil, nil
}

// Diff is the unified difference from revision from (zero: nothing) to r.Number.
func (l *Library) Diff(ctx context.Context, p person.Principal, r Ref, from int) (string, error) {
	return "", nil
}

// Share lets p's own turns at a place see p's own skill, or ends that.
func (l *Library) Share(ctx context.Context, p person.Principal, name string, at chat.Address, shared bool) (Skill, error) {
	return Skill{}, nil
}

// Publish proposes what is in force of r in a wider scope, whose approvers decide.
func (l *Library) Publish(ctx context.Context, p person.Principal, r Ref, to Scope) (Outcome, error) {
	return Outcome{}, nil
}

// Adopt proposes a copy of a visible skill among p's own; with follow, new
// revisions of it are proposed too, at each Refresh.
func (l *Library) Adopt(ctx context.Context, p person.Principal, r Ref, follow bool) (Outcome, error) {
	return Outcome{}, nil
}

// Refresh proposes what is new in the skill that r follows, or ErrUnchanged.
func (l *Library) Refresh(ctx context.Context, p person.Principal, r Ref) (Outcome, error) {
	return Outcome{}, nil
}

// Record keeps how a use went, again when its task is settled later.
func (l *Library) Record(ctx context.Context, r Ref, u Use) (Stats, error) { return Stats{}, nil }

// Stats are how a skill has done.
func (l *Library) Stats(ctx context.Context, r Ref) (Stats, error) { return Stats{}, nil }

// Uses are the last limit uses of a skill, the latest first.
func (l *Library) Uses(ctx context.Context, r Ref, limit int) ([]Use, error) { return nil, nil }

// Scopes calls yield for every scope that has skills, for unattended work.
func (l *Library) Scopes(ctx context.Context, yield func(Scope) error) error { return nil }

// Shelf are all skills of one scope, for unattended work.
func (l *Library) Shelf(ctx context.Context, s Scope) ([]Skill, error) { return nil, nil }

// Remind returns the drafts of a scope whose approvers are to be reminded now;
// each is returned once, to one caller.
func (l *Library) Remind(ctx context.Context, s Scope) ([]Revision, error) { return nil, nil }

// Audit are the last limit entries of the audit log of p's scope, the latest first.
func (l *Library) Audit(ctx context.Context, p person.Principal, limit int) ([]Entry, error) {
	return nil, nil
}
