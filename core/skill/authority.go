package skill

import (
	"context"
	"fmt"
	"slices"

	"talaria/core/person"
)

// scopes are those whose skills p's turn may see, the narrowest first. In a
// shared place nothing of the person is among them, in a direct conversation
// nothing of shared places.
func (l *Library) scopes(ctx context.Context, p person.Principal) ([]Scope, error) {
	switch {
	case !person.AtLeast(p.Role, person.Guest), !p.Direct && !person.AtLeast(p.Role, person.Member):
		return nil, nil
	case !p.Direct:
		return []Scope{OfSpace(p.Team, p.Place), OfTeam(p.Team)}, nil
	}
	out := []Scope{OfPerson(p.Person)}
	if !person.AtLeast(p.Role, person.Member) {
		return out, nil
	}
	teams, err := l.authority.Teams(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("look up the teams of a person: %w", err)
	}
	for _, t := range teams {
		out = append(out, OfTeam(t))
	}
	return out, nil
}

// sees reports whether p may read about a skill.
func (l *Library) sees(ctx context.Context, p person.Principal, s Skill) (bool, error) {
	scopes, err := l.scopes(ctx, p)
	if err != nil || slices.Contains(scopes, s.Scope) {
		return err == nil, err
	}
	return s.sharedWith(p), nil
}

// sharedWith reports whether a skill of p's own was let into the place where p acts.
func (s Skill) sharedWith(p person.Principal) bool {
	return s.Scope == OfPerson(p.Person) && !p.Direct && slices.Contains(s.SharedAt, p.Place.Place().String())
}

// mayPropose checks that p may bring changes into a scope. Into their own they
// may from anywhere: nothing of it is shown there.
func (l *Library) mayPropose(ctx context.Context, p person.Principal, s Scope) error {
	now, err := l.renew(ctx, p)
	if err != nil {
		return err
	}
	scopes, err := l.scopes(ctx, now)
	if err != nil {
		return err
	}
	if s != OfPerson(p.Person) && !slices.Contains(scopes, s) {
		return fmt.Errorf("propose a skill: %w", person.ErrForbidden)
	}
	return nil
}

// mayDecide checks that p may decide about the skills of a scope.
func (l *Library) mayDecide(ctx context.Context, p person.Principal, s Scope) error {
	_, err := l.decider(ctx, p, s)
	return err
}

// decider is p with the rights it has now where the scope decides: a person
// about their own, an approver of the space in it, an approver of the team in
// it. An admin may decide about a space of their team from a direct
// conversation too.
func (l *Library) decider(ctx context.Context, p person.Principal, s Scope) (person.Principal, error) {
	forbidden := fmt.Errorf("decide about a skill: %w", person.ErrForbidden)
	need, at := person.Approver, p
	switch {
	case s.Kind == Person && s.Person == p.Person:
		need = person.Member
	case s.Kind == Space && p.Direct:
		need, at.Direct, at.Place = person.Admin, false, s.Place
	case s.Kind == Space && p.Place.Place() == s.Place, s.Kind == Team && p.Team == s.Team:
	default:
		return p, forbidden
	}
	now, err := l.renew(ctx, p)
	if err != nil {
		return p, err
	}
	if at != p {
		if now, err = l.renew(ctx, at); err != nil {
			return p, err
		}
	}
	if s.Kind == Team {
		if now.Role, err = l.authority.TeamRole(ctx, now); err != nil {
			return p, err
		}
	}
	if !person.AtLeast(now.Role, need) || s.Kind != Person && now.Team != s.Team {
		return now, forbidden
	}
	return now, nil
}

// renew is p with the rights it has now. Who was a guest or a bot when it
// acted stays one, whatever is known about the account.
func (l *Library) renew(ctx context.Context, p person.Principal) (person.Principal, error) {
	if !person.AtLeast(p.Role, person.Member) {
		return p, fmt.Errorf("change a skill: %w", person.ErrForbidden)
	}
	now, err := l.authority.Renew(ctx, p)
	if err != nil {
		return p, fmt.Errorf("look up the rights of a person: %w", err)
	}
	if !person.AtLeast(now.Role, person.Member) || now.Person != p.Person {
		return p, fmt.Errorf("change a skill: %w", person.ErrForbidden)
	}
	return now, nil
}

// mayApprove checks that p may put a revision in force, and returns p with the
// rights it has now.
func (l *Library) mayApprove(ctx context.Context, p person.Principal, r Revision) (person.Principal, error) {
	if r.Scope.Kind == Person && r.privileged() {
		return l.mayWiden(ctx, p, r)
	}
	now, err := l.decider(ctx, p, r.Scope)
	if err != nil || r.Scope.Kind == Person || !r.Wider() || !slices.Contains(r.sources(), p.Person) {
		return now, err
	}
	other, err := l.authority.Another(ctx, now, person.Approver, r.Scope.Kind == Team)
	if err == nil && other {
		err = ErrNeedsAnother
	}
	return now, err
}

// mayWiden checks that p may give a person's skill rights that reach beyond
// them: an admin of the team they work in, who is the person only if there is
// no other.
func (l *Library) mayWiden(ctx context.Context, p person.Principal, r Revision) (person.Principal, error) {
	own := r.Scope.Person == p.Person
	now, err := l.renew(ctx, p)
	if err != nil {
		return p, err
	}
	if now.Role, err = l.authority.TeamRole(ctx, now); err != nil {
		return p, err
	}
	if now.Team != r.Team || now.Role != person.Admin {
		if own {
			return p, ErrNeedsAdmin
		}
		return p, fmt.Errorf("decide about a skill: %w", person.ErrForbidden)
	}
	if !own {
		return now, nil
	}
	other, err := l.authority.Another(ctx, now, person.Admin, true)
	if err == nil && other {
		err = ErrNeedsAdmin
	}
	return now, err
}
