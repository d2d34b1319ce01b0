package skill

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// Link is that one space lets another of its team use a skill of its own, and
// whether that one does. Nothing is copied: what the source puts in force is
// used, as long as both stay with their word.
type Link struct {
	Source      Ref          `json:"source"`
	To          chat.Address `json:"to"`
	Offered     Word         `json:"offered"`        // of who decides at the source
	Taken       Word         `json:"taken,omitzero"` // of who decides at To; zero: nobody subscribed
	Permissions Permissions  `json:"permissions"`    // that were subscribed to
}

// Word is who said so, and when.
type Word struct {
	By person.ID     `json:"by"`
	As chat.Identity `json:"as"`
	At time.Time     `json:"at"`
}

// linksOf are what a space is offered. They lie beside its skills, and so in
// the partition that those of the source lie in.
func linksOf(s Scope) string { return "skill.link/" + s.shelf() }

func linkKey(source Ref) string { return source.Scope.shelf() + "/" + source.Name }

// Offer lets another space of the team subscribe to a skill of the space where
// p decides, or ends that, and with it the subscription. p has to be a member
// of the other one too: nobody is offered things from places they can't know.
func (l *Library) Offer(ctx context.Context, p person.Principal, r Ref, to chat.Address, offered bool) (Skill, error) {
	action := "offer"
	if !offered {
		action = "withdraw"
	}
	to = to.Place()
	target := OfSpace(r.Scope.Team, to)
	s, err := l.change(ctx, r.At(0), entry(action, p, r, "", to.String()), func(c *change) error {
		now, err := l.decider(ctx, p, r.Scope)
		if err != nil {
			return err
		}
		switch shared := slices.Contains(c.skill.SharedAt, to.String()); {
		case !c.known:
			return ErrNotFound
		case r.Scope.Kind != Space, target == r.Scope:
			return fmt.Errorf("a place's own skill is offered to another place: %w", ErrInvalid)
		case shared == offered:
			return ErrUnchanged
		case !offered:
			c.skill.SharedAt = slices.DeleteFunc(c.skill.SharedAt, func(at string) bool { return at == to.String() })
			c.also = func(b *storage.Batch) { b.Delete(linksOf(target), linkKey(r), storage.Any) }
			return nil
		}
		if err := l.mayKnow(ctx, p, target); err != nil {
			return err
		}
		c.skill.SharedAt = append(c.skill.SharedAt, to.String())
		link := Link{Source: r.At(0), To: to, Offered: Word{now.Person, now.Identity, c.now}}
		c.also = func(b *storage.Batch) { b.Put(linksOf(target), linkKey(r), link, storage.Any) }
		return nil
	})
	if err != nil {
		return s, fmt.Errorf("%s %q: %w", action, r.Name, err)
	}
	l.announce(ctx, target)
	return s, nil
}

// mayKnow checks that p is a member of a space of their team.
func (l *Library) mayKnow(ctx context.Context, p person.Principal, s Scope) error {
	p.Place, p.Direct = s.Place, false
	now, err := l.renew(ctx, p)
	if err == nil && now.Team != s.Team {
		err = fmt.Errorf("offer a skill to another team: %w", person.ErrForbidden)
	}
	return err
}

// Offered are the links to the space where p acts: what other spaces offer it,
// whether it is subscribed to or not.
func (l *Library) Offered(ctx context.Context, p person.Principal) ([]Link, error) {
	if p.Direct || !person.AtLeast(p.Role, person.Member) {
		return nil, nil
	}
	links, err := l.links(ctx, Here(p))
	if err != nil {
		return nil, fmt.Errorf("list offered skills: %w", err)
	}
	return links, nil
}

// Subscribers are the spaces that a skill is offered to, for who sees it in its
// own.
func (l *Library) Subscribers(ctx context.Context, p person.Principal, r Ref) ([]Link, error) {
	s, err := l.load(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("list who uses %q: %w", r.Name, err)
	}
	if seen, err := l.sees(ctx, p, s.Value); err != nil || !seen || r.Scope.Kind != Space {
		return nil, err
	}
	var out []Link
	for _, at := range s.Value.SharedAt {
		to, _ := chat.ParseAddress(at)
		doc, err := storage.Get[Link](ctx, l.store, r.Scope.partition(), linksOf(OfSpace(r.Scope.Team, to)), linkKey(r))
		if errors.Is(err, storage.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("list who uses %q: %w", r.Name, err)
		}
		out = append(out, doc.Value)
	}
	return out, nil
}

// Subscribe has the space where p decides use a skill that another one offers
// it. It is p's yes to what the source makes of the skill, within the rights
// that it has now: once it asks for more it is out of use there until somebody
// subscribes again.
func (l *Library) Subscribe(ctx context.Context, p person.Principal, source Ref) (Link, error) {
	return l.subscription(ctx, p, source, "subscribe", func(link *Link, w Word) error {
		s, err := l.load(ctx, source)
		if err != nil {
			return err
		}
		if !s.Value.Live() {
			return ErrDisabled
		}
		_, rev, err := l.inForce(ctx, s.Value)
		if err != nil {
			return err
		}
		if link.Taken.By != "" && Added(link.Permissions, rev.Permissions).None() {
			return ErrUnchanged
		}
		rev.Scope, rev.Adds = Here(p), Added(link.Permissions, rev.Permissions)
		if _, err := l.mayApprove(ctx, p, rev); err != nil {
			return err
		}
		link.Taken, link.Permissions = w, rev.Permissions
		return nil
	})
}

// Unsubscribe ends that. The offer stays.
func (l *Library) Unsubscribe(ctx context.Context, p person.Principal, source Ref) (Link, error) {
	return l.subscription(ctx, p, source, "unsubscribe", func(link *Link, _ Word) error {
		if link.Taken.By == "" {
			return ErrUnchanged
		}
		link.Taken, link.Permissions = Word{}, Permissions{}
		return nil
	})
}

// subscription decides about a link for the space where p acts, and has that
// logged, refusals too.
func (l *Library) subscription(ctx context.Context, p person.Principal, source Ref, action string, decide func(*Link, Word) error) (Link, error) {
	here := Here(p)
	e := entry(action, p, Ref{Scope: here, Name: source.Name}, "", "from "+source.Scope.Place.String())
	link, err := l.decideLink(ctx, p, source, e, decide)
	if isRefusal(err) && !p.Direct {
		err = errors.Join(err, l.logRefusal(ctx, here, e, err))
	}
	if err != nil {
		return link, fmt.Errorf("%s %q: %w", action, source.Name, err)
	}
	l.announce(ctx, here)
	return link, nil
}

func (l *Library) decideLink(ctx context.Context, p person.Principal, source Ref, e Entry, decide func(*Link, Word) error) (Link, error) {
	here := Here(p)
	if here.Kind != Space {
		return Link{}, fmt.Errorf("a shared place subscribes: %w", ErrInvalid)
	}
	for {
		now, err := l.decider(ctx, p, here)
		if err != nil {
			return Link{}, err
		}
		doc, err := storage.Get[Link](ctx, l.store, here.partition(), linksOf(here), linkKey(source))
		if errors.Is(err, storage.ErrNotFound) || err == nil && doc.Value.Source != source.At(0) {
			err = ErrNotFound
		}
		if err != nil {
			return Link{}, err
		}
		if e.At, err = l.store.Now(ctx); err != nil {
			return Link{}, err
		}
		link := doc.Value
		if err := decide(&link, Word{now.Person, now.Identity, e.At}); err != nil {
			return doc.Value, err
		}
		b := storage.On(here.partition()).Durable().Put(linksOf(here), linkKey(source), link, doc.Revision).Append(auditLog, e)
		if _, err = l.store.Commit(ctx, b); !errors.Is(err, storage.ErrConflict) {
			return link, err
		}
	}
}

// links are what a space is offered, read afresh, by source and name.
func (l *Library) links(ctx context.Context, s Scope) ([]Link, error) {
	docs, err := all[Link](ctx, l.store, s.partition(), linksOf(s))
	var out []Link
	for _, doc := range docs {
		out = append(out, doc.Value)
	}
	return out, err
}

// holds reports whether a skill is used by a link: both places said so, and
// there is something in force.
func (link Link) holds(s Skill) bool {
	return link.Taken.By != "" && s.Hash != "" && slices.Contains(s.SharedAt, link.To.String())
}

// through is a skill as it is seen by a link.
func (link Link) through(s Skill) Skill {
	s.Subscribed, s.Pending, s.SharedAt = &link, 0, nil
	return s
}

// subscribed are the skills that links bring to a space, by the lists that are
// in memory.
func (l *Library) subscribed(ctx context.Context, links []Link, rank int) ([]listed, error) {
	var out []listed
	for _, link := range links {
		shelf, err := l.shelf(ctx, link.Source.Scope)
		if err != nil {
			return nil, err
		}
		i, found := slices.BinarySearchFunc(shelf.skills, link.Source.Name, func(s Skill, name string) int { return strings.Compare(s.Name, name) })
		if found && link.holds(shelf.skills[i]) {
			out = append(out, listed{Skill: link.through(shelf.skills[i]), rank: rank, stats: shelf.stats[link.Source.Name]})
		}
	}
	return out, nil
}

// linked are the skills of a name that links bring to a space now.
func (l *Library) linked(ctx context.Context, here Scope, name string) ([]listed, error) {
	links, err := l.links(ctx, here)
	if err != nil {
		return nil, err
	}
	var out []listed
	for _, link := range links {
		if link.Source.Name != name {
			continue
		}
		s, err := l.load(ctx, link.Source)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if link.holds(s.Value) {
			out = append(out, listed{Skill: link.through(s.Value), rank: 1})
		}
	}
	return out, nil
}

// subscribes reports whether p reads a skill by a subscription of the space
// where p acts.
func (l *Library) subscribes(ctx context.Context, p person.Principal, s Skill) (bool, error) {
	here := Here(p)
	if here.Kind != Space || s.Scope.Kind != Space || here.Team != s.Scope.Team || !person.AtLeast(p.Role, person.Member) {
		return false, nil
	}
	doc, err := storage.Get[Link](ctx, l.store, here.partition(), linksOf(here), linkKey(s.Ref))
	if errors.Is(err, storage.ErrNotFound) {
		return false, nil
	}
	return err == nil && doc.Value.holds(s), err
}

// reads reports whether p may read what is in force of a skill.
func (l *Library) reads(ctx context.Context, p person.Principal, s Skill) (bool, error) {
	seen, err := l.sees(ctx, p, s)
	if err != nil || seen {
		return seen, err
	}
	return l.subscribes(ctx, p, s)
}
