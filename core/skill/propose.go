package skill

import (
	"context"
	"fmt"
	"slices"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill/manifest"
	"talaria/storage"
)

// Proposal is a change that somebody wants, or that was learned.
type Proposal struct {
	Ref        Ref             // scope and name; the name must be the one in SKILL.md
	Files      manifest.Bundle // the whole skill
	Base       string          // hash of the revision in force that it was made from; empty: a new skill
	ByAgent    bool            // Talaria wrote it; else the principal did
	CreatedBy  Creator         // of a new skill; empty: as ByAgent says
	Reason     string
	Origin     chat.Origin
	Provenance []Provenance
	// Unattended: nobody was there when it was learned. Then a person decides,
	// whatever the policy, but about small changes of a person's own skill.
	Unattended bool
	Ask        bool // a person decides, whatever the policy

	follows *Ref   // the skill that it was taken from, to be followed
	taken   string // the hash of it
}

// Outcome is what came of a proposal.
type Outcome struct {
	Revision Revision
	Merged   bool // it joined the draft that was pending
	Known    bool // and its occasion had spoken for that draft before
	Live     bool // the policy put it in force at once
}

// maxProvenance bounds the occasions kept with a revision, the latest.
const maxProvenance = 20

// Propose takes a change in on p's behalf: it is checked, and becomes a draft
// that waits for a decision, or goes live where the policy says so. The same
// proposal again joins the draft that is pending; another one for the same
// skill takes its place. Errors: ErrInvalid for what can't be read as a skill,
// ErrStale if Base is no longer in force, ErrUnchanged, ErrDecided if the agent
// proposes again what was rejected.
func (l *Library) Propose(ctx context.Context, p person.Principal, pr Proposal) (Outcome, error) {
	if err := l.mayPropose(ctx, p, pr.Ref.Scope); err != nil {
		return Outcome{}, fmt.Errorf("propose %q: %w", pr.Ref.Name, err)
	}
	return l.propose(ctx, p, pr)
}

func (l *Library) propose(ctx context.Context, p person.Principal, pr Proposal) (Outcome, error) {
	next, err := l.examine(ctx, p, pr)
	if err != nil {
		return Outcome{}, fmt.Errorf("propose %q: %w", pr.Ref.Name, err)
	}
	if err := l.register(ctx, pr.Ref.Scope); err != nil {
		return Outcome{}, fmt.Errorf("propose %q: %w", pr.Ref.Name, err)
	}
	var out Outcome
	e := entry("propose", p, pr.Ref, next.Hash, pr.Reason)
	_, err = l.change(ctx, pr.Ref.At(0), e, func(c *change) error {
		var err error
		out, err = c.propose(ctx, p, pr, next)
		return err
	})
	if err != nil {
		return Outcome{}, fmt.Errorf("propose %q: %w", pr.Ref.Name, err)
	}
	return out, nil
}

// propose decides what becomes of a proposal.
func (c *change) propose(ctx context.Context, p person.Principal, pr Proposal, next Revision) (Outcome, error) {
	switch {
	case c.skill.Hash != pr.Base:
		return Outcome{}, ErrStale
	case c.skill.Hash == next.Hash:
		return Outcome{}, ErrUnchanged
	case c.skill.State == Disabled && pr.ByAgent:
		return Outcome{}, ErrDisabled
	}
	if merged, ok, err := c.merge(ctx, pr, &next); err != nil || ok {
		return merged, err
	}
	if pr.ByAgent {
		if err := c.notRejected(ctx, next); err != nil {
			return Outcome{}, err
		}
	}
	if !c.known {
		c.create(p, pr, next)
	}
	c.skill.Last++
	next.Number, next.Created, next.Expires = c.skill.Last, c.now, c.now.Add(c.lib.config.draftFor())
	if pr.follows != nil {
		c.skill.Follows, c.skill.Taken = pr.follows, pr.taken
	}
	doc := storage.Doc[Revision]{Value: next, Revision: storage.Absent}
	if policy, ok := c.granted(pr, next); ok {
		c.policy = policy
		c.activate(doc, Grant{Policy: policy})
		return Outcome{Revision: c.revisions[len(c.revisions)-1].Value, Live: true}, nil
	}
	c.skill.Pending = next.Number
	c.put(doc)
	return Outcome{Revision: next}, nil
}

func (c *change) create(p person.Principal, pr Proposal, next Revision) {
	by := pr.CreatedBy
	switch {
	case by != "":
	case pr.ByAgent:
		by = ByAgent
	default:
		by = ByPerson
	}
	c.skill = Skill{Ref: pr.Ref.At(0), Summary: next.Summary, CreatedBy: by, Owner: p.Person, From: p.Identity, Created: c.now}
	c.known = true
}

// merge joins a proposal with the draft that is pending, or has it take that
// draft's place with all that spoke for it.
func (c *change) merge(ctx context.Context, pr Proposal, next *Revision) (Outcome, bool, error) {
	if c.skill.Pending == 0 {
		return Outcome{}, false, nil
	}
	d, err := c.revision(ctx, c.skill.Pending)
	if err != nil {
		return Outcome{}, false, err
	}
	switch state := d.Value.StateAt(c.now); {
	case state == Expired:
		d.Value.State = Expired
		c.put(d)
		return Outcome{}, false, nil
	case d.Value.Hash == next.Hash && d.Value.Base == next.Base && d.Value.Origin >= next.Origin:
		have := d.Value.Provenance
		known := len(next.Provenance) > 0 && !slices.ContainsFunc(next.Provenance, func(p Provenance) bool { return !slices.ContainsFunc(have, p.sameOccasion) })
		d.Value.Provenance = joined(have, next.Provenance)
		c.put(d)
		return Outcome{Revision: d.Value, Merged: true, Known: known}, true, nil
	case pr.ByAgent && !d.Value.Author.Agent():
		return Outcome{}, false, fmt.Errorf("a person's draft waits for a decision: %w", ErrProtected)
	}
	next.Provenance = joined(d.Value.Provenance, next.Provenance)
	c.supersede(d, "a newer draft took its place")
	return Outcome{}, false, nil
}

// sameOccasion reports whether two proposals come from the same: a task that went
// on is one occasion, however often it was looked at.
func (p Provenance) sameOccasion(o Provenance) bool {
	if p.Place != o.Place || p.Task != o.Task {
		return false
	}
	return p.Task != "" || slices.Equal(p.Messages, o.Messages)
}

// joined are the occasions of both, each once, the latest ones last.
func joined(have, more []Provenance) []Provenance {
	out := slices.Clone(have)
	for _, p := range more {
		if i := slices.IndexFunc(out, p.sameOccasion); i >= 0 {
			out = slices.Delete(out, i, i+1)
		}
		out = append(out, p)
	}
	return out[max(len(out)-maxProvenance, 0):]
}

// notRejected keeps the agent from asking again what a person said no to.
func (c *change) notRejected(ctx context.Context, next Revision) error {
	if !c.known {
		return nil
	}
	past, err := c.lib.history(ctx, c.skill.Ref)
	if err != nil {
		return err
	}
	for _, r := range past {
		if r.State == Rejected && r.Hash == next.Hash {
			return ErrDecided
		}
	}
	return nil
}

// granted reports whether the operator's policy puts a revision in force
// without a person, and which one does.
func (c *change) granted(pr Proposal, next Revision) (string, bool) {
	kind := next.Scope.Kind
	policy := c.lib.config.policy(kind)
	protected := pr.ByAgent && (c.skill.CreatedBy != ByAgent || c.skill.Pinned)
	vetoed := c.skill.State != Proposed && !c.skill.Live()
	if next.State == Blocked || pr.Ask || protected || vetoed || next.Origin >= chat.External {
		return "", false
	}
	small := next.Base != "" && !next.Wider() && !next.Scripts
	if pr.Unattended && (kind != Person || !small) {
		return "", false
	}
	return string(kind) + ": " + string(policy), policy == None || policy == NewAndWider && small
}
