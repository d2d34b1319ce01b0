package skill

import (
	"context"
	"fmt"
	"slices"

	"talaria/core/chat"
	"talaria/core/person"
)

// Share lets p's own turns at the place where p acts see one of p's own skills,
// or ends that. It steers nobody else's turns, so nobody else is asked; for that
// there is Publish.
func (l *Library) Share(ctx context.Context, p person.Principal, name string, shared bool) (Skill, error) {
	r := Ref{Scope: OfPerson(p.Person), Name: name}
	place := p.Place.Place().String()
	action := "share"
	if !shared {
		action = "unshare"
	}
	s, err := l.change(ctx, r, entry(action, p, r, "", place), func(c *change) error {
		if err := l.mayDecide(ctx, p, r.Scope); err != nil {
			return err
		}
		switch {
		case !c.known:
			return ErrNotFound
		case p.Direct:
			return fmt.Errorf("a skill is shared from the place it is to be seen in: %w", person.ErrForbidden)
		case slices.Contains(c.skill.SharedAt, place) == shared:
			return ErrUnchanged
		case shared:
			c.skill.SharedAt = append(c.skill.SharedAt, place)
			return nil
		}
		c.skill.SharedAt = slices.DeleteFunc(c.skill.SharedAt, func(at string) bool { return at == place })
		return nil
	})
	if err != nil {
		return s, fmt.Errorf("%s %q: %w", action, name, err)
	}
	return s, nil
}

// Publish proposes what is in force of a skill in a wider scope, whose
// approvers decide as about any other draft: a person's own to where p acts or
// to a team, a space's to its team. Where it came from in private is not told.
func (l *Library) Publish(ctx context.Context, p person.Principal, r Ref, to Scope) (Outcome, error) {
	out, err := l.publish(ctx, p, r, to)
	if err != nil {
		return out, fmt.Errorf("publish %q: %w", r.Name, err)
	}
	return out, nil
}

func (l *Library) publish(ctx context.Context, p person.Principal, r Ref, to Scope) (Outcome, error) {
	if to.Kind == Person || r.Scope.Kind == Team || r.Scope == to {
		return Outcome{}, fmt.Errorf("a skill is published to a wider scope: %w", ErrInvalid)
	}
	if r.Scope.Kind == Person && r.Scope != OfPerson(p.Person) || r.Scope.Kind == Space && r.Scope != Here(p) {
		return Outcome{}, ErrNotFound
	}
	pr, err := l.copied(ctx, p, r)
	if err != nil {
		return Outcome{}, err
	}
	if r.Scope.Kind == Person {
		for i := range pr.Provenance {
			pr.Provenance[i].Place, pr.Provenance[i].Messages = "", nil
		}
	}
	return l.copyTo(ctx, p, pr, Ref{Scope: to, Name: r.Name})
}

// copied is what is in force of a live skill, as a proposal of p's.
func (l *Library) copied(ctx context.Context, p person.Principal, r Ref) (Proposal, error) {
	s, err := l.load(ctx, r)
	if err != nil {
		return Proposal{}, err
	}
	seen, err := l.sees(ctx, p, s.Value)
	if err != nil {
		return Proposal{}, err
	}
	reads := seen || r.Scope == OfPerson(p.Person)
	if !reads {
		if reads, err = l.subscribes(ctx, p, s.Value); err != nil {
			return Proposal{}, err
		}
	}
	switch {
	case !reads:
		return Proposal{}, ErrNotFound
	case !s.Value.Live():
		return Proposal{}, ErrDisabled
	}
	files, rev, err := l.inForce(ctx, s.Value)
	if err != nil {
		return Proposal{}, err
	}
	if !seen && r.Scope.Kind == Space {
		rev = rev.abroad()
	}
	return Proposal{
		Files: files, CreatedBy: s.Value.CreatedBy, Reason: "copied from another scope",
		Origin: rev.Origin, Provenance: slices.Clone(rev.Provenance), taken: rev.Hash,
	}, nil
}

// copyTo proposes a copy under a name in another scope.
func (l *Library) copyTo(ctx context.Context, p person.Principal, pr Proposal, to Ref) (Outcome, error) {
	have, err := l.load(ctx, to)
	if err != nil && !isRefusal(err) {
		return Outcome{}, err
	}
	pr.Ref, pr.Base = to, have.Value.Hash
	return l.Propose(ctx, p, pr)
}

// Adopt proposes a copy of a skill that p's turns see as one of p's own, an
// external one too. With follow, what is new in it is proposed as well, at each
// Refresh.
func (l *Library) Adopt(ctx context.Context, p person.Principal, name string, follow bool) (Outcome, error) {
	s, err := l.find(ctx, p, name)
	if err == nil && s.Scope == OfPerson(p.Person) {
		err = ErrUnchanged
	}
	if err != nil {
		return Outcome{}, fmt.Errorf("adopt %q: %w", name, err)
	}
	pr, err := l.taking(ctx, p, s)
	if err != nil {
		return Outcome{}, fmt.Errorf("adopt %q: %w", name, err)
	}
	if follow {
		from := s.At(0)
		pr.follows = &from
	}
	pr.CreatedBy = ByPerson
	return l.copyTo(ctx, p, pr, Ref{Scope: OfPerson(p.Person), Name: name})
}

// taking is what is in force of a skill of the library or of a folder.
func (l *Library) taking(ctx context.Context, p person.Principal, s listed) (Proposal, error) {
	if s.folder == nil {
		return l.copied(ctx, p, s.Ref)
	}
	files, err := s.folder.bundle(s.Name)
	if err != nil {
		return Proposal{}, err
	}
	return Proposal{Files: files, Reason: "copied from " + s.folder.external.Name, Origin: chat.TrustedTool, taken: s.Hash}, nil
}

// Refresh proposes what is new in the skill that one of p's own follows, or
// returns ErrUnchanged. What p changed in the copy meanwhile is not lost
// without a decision.
func (l *Library) Refresh(ctx context.Context, p person.Principal, name string) (Outcome, error) {
	own, err := l.load(ctx, Ref{Scope: OfPerson(p.Person), Name: name})
	if err == nil && own.Value.Follows == nil {
		err = ErrUnchanged
	}
	if err != nil {
		return Outcome{}, fmt.Errorf("refresh %q: %w", name, err)
	}
	from, err := l.source(ctx, p, *own.Value.Follows)
	if err != nil {
		return Outcome{}, fmt.Errorf("refresh %q: %w", name, err)
	}
	pr, err := l.taking(ctx, p, from)
	if err == nil && pr.taken == own.Value.Taken {
		err = ErrUnchanged
	}
	if err != nil {
		return Outcome{}, fmt.Errorf("refresh %q: %w", name, err)
	}
	pr.follows, pr.Ask = own.Value.Follows, own.Value.Hash != own.Value.Taken
	return l.copyTo(ctx, p, pr, own.Value.Ref)
}

// source finds a followed skill as far as p still sees it.
func (l *Library) source(ctx context.Context, p person.Principal, r Ref) (listed, error) {
	found, err := l.candidates(ctx, p)
	if err != nil {
		return listed{}, err
	}
	i := slices.IndexFunc(found, func(s listed) bool { return s.Ref == r })
	if i < 0 {
		return listed{}, ErrNotFound
	}
	return found[i], nil
}
