package person

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"talaria/core/chat"
	"talaria/storage"
)

const spaces = "space" // documents in the place's shard, by address

// spaceDoc is an admin's decision about a place.
type spaceDoc struct {
	State Space     `json:"state"`
	By    ID        `json:"by"`
	At    time.Time `json:"at"`
}

// Space says whether the bot was let into a place, in chat or by
// configuration. What was said in chat counts more.
func (d *Directory) Space(ctx context.Context, a chat.Address) (Space, error) {
	doc, err := storage.Get[spaceDoc](ctx, d.store, ShardOf(a), spaces, a.Place().String())
	if errors.Is(err, storage.ErrNotFound) {
		return d.config.space(a), nil
	}
	if err != nil {
		return SpaceUnknown, fmt.Errorf("look up place %s: %w", a.Place(), err)
	}
	return doc.Value.State, nil
}

// SetSpace opens or closes by's place to the bot, on an admin's word.
func (d *Directory) SetSpace(ctx context.Context, by Principal, state Space) error {
	if by.Role != Admin || by.Direct {
		return fmt.Errorf("open or close a place: %w", ErrForbidden)
	}
	now, err := d.store.Now(ctx)
	if err != nil {
		return fmt.Errorf("open or close a place: %w", err)
	}
	doc := spaceDoc{State: state, By: by.Person, At: now}
	b := storage.On(ShardOf(by.Place)).Durable().Put(spaces, by.Place.Place().String(), doc, storage.Any)
	if _, err := d.store.Commit(ctx, b); err != nil {
		return fmt.Errorf("open or close place %s: %w", by.Place, err)
	}
	return nil
}

// spot is that somebody took part at a place.
type spot struct {
	Place    chat.Address  `json:"place"`
	Direct   bool          `json:"direct,omitempty"`
	Identity chat.Identity `json:"identity"` // as whom
	Team     TeamID        `json:"team"`
	Link     string        `json:"link,omitempty"` // with which link it came here
	At       time.Time     `json:"at"`
}

// spotAgain is after how long it is recorded again that somebody takes part.
const spotAgain = 24 * time.Hour

// maxSpots bounds the places of a person that a search looks into.
const maxSpots = 500

// Been records that p took part at their place: from then on they may read
// there. It writes at most once a day for each person and place.
func (d *Directory) Been(ctx context.Context, p Principal) error {
	if err := d.noteGuest(ctx, p); err != nil {
		return err
	}
	key := p.Place.Place().String()
	memo := string(p.Person) + " " + key
	d.mu.Lock()
	fresh := time.Since(d.been[memo]) < spotAgain
	d.mu.Unlock()
	if fresh {
		return nil
	}
	now, err := d.store.Now(ctx)
	if err != nil {
		return fmt.Errorf("record a visit: %w", err)
	}
	s := spot{Place: p.Place.Place(), Direct: p.Direct, Identity: p.Identity, Team: p.Team, At: now}
	err = update(ctx, d.store, partition(p.Person), places, key, func(have *spot) (bool, error) {
		s.Link = have.Link
		*have = s
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("record a visit: %w", err)
	}
	if !p.Direct && !p.Guest {
		if err := d.joinTeam(ctx, p); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.been) >= cacheSize {
		clear(d.been)
	}
	d.been[memo] = time.Now()
	return nil
}

// joinTeam notes the team as the latest one that the person took part in.
func (d *Directory) joinTeam(ctx context.Context, p Principal) error {
	return d.updateRecord(ctx, p.Person, func(r *record) (bool, error) {
		if n := len(r.Teams); n > 0 && r.Teams[n-1] == p.Team {
			return false, nil
		}
		r.Teams = slices.DeleteFunc(r.Teams, func(t TeamID) bool { return t == p.Team })
		r.Teams = append(r.Teams, p.Team)
		return true, nil
	})
}

// Left records that an identity is no longer at a place: it reads nothing
// there any more.
func (d *Directory) Left(ctx context.Context, i chat.Identity, a chat.Address) error {
	f, err := d.lookUp(ctx, i)
	if err != nil {
		return fmt.Errorf("record who left %s: %w", a, err)
	}
	key := a.Place().String()
	d.mu.Lock()
	delete(d.been, string(f.person)+" "+key)
	d.mu.Unlock()
	if _, err := d.store.Commit(ctx, storage.On(partition(f.person)).Delete(places, key, storage.Any)); err != nil {
		return fmt.Errorf("record who left %s: %w", a, err)
	}
	return nil
}

// Readable returns the places that p may read now. Asked in a shared place it
// is that place alone, since what is found is seen by everybody there; asked
// in a direct conversation it is the person's own direct conversations and the
// spaces they took part in and are still members of.
func (d *Directory) Readable(ctx context.Context, p Principal) ([]chat.Address, error) {
	if !p.Direct {
		return []chat.Address{p.Place.Place()}, nil
	}
	f, err := d.lookUp(ctx, p.Identity)
	if err != nil {
		return nil, fmt.Errorf("list the places of a person: %w", err)
	}
	docs, err := storage.List[spot](ctx, d.store, partition(p.Person), places, "", maxSpots)
	if err != nil {
		return nil, fmt.Errorf("list the places of a person: %w", err)
	}
	out := []chat.Address{p.Place.Place()}
	for _, doc := range docs {
		s := doc.Value
		there := Principal{Identity: s.Identity, Team: s.Team, Place: s.Place}
		if s.Place == out[0] || f.record.keptOut(there) {
			continue
		}
		if s.Direct || d.stillThere(ctx, s) {
			out = append(out, s.Place)
		}
	}
	return out, nil
}

// vouched is what a platform said about somebody's membership.
type vouched struct {
	member bool
	until  time.Time
}

// vouchedFor is how long a platform's word about a membership is believed.
const vouchedFor = 5 * time.Minute

// stillThere asks the platform whether somebody is still at a place. No
// answer is a no.
func (d *Directory) stillThere(ctx context.Context, s spot) bool {
	inviter := d.config.Inviters[s.Place.Platform]
	if inviter == nil {
		return true
	}
	key := s.Identity.String() + " " + s.Place.String()
	d.mu.Lock()
	v, ok := d.vouched[key]
	d.mu.Unlock()
	if ok && time.Now().Before(v.until) {
		return v.member
	}
	member, err := inviter.Member(ctx, s.Place, s.Identity)
	if err != nil {
		d.log.WarnContext(ctx, "membership not known; the place is left out of the search", "platform", s.Place.Platform, "err", err)
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.vouched) >= cacheSize {
		clear(d.vouched)
	}
	d.vouched[key] = vouched{member, time.Now().Add(vouchedFor)}
	return member
}

// DirectPlace is where p and the bot talk alone, on the platform that p acts
// on; storage.ErrNotFound if they never did.
func DirectPlace(ctx context.Context, s *storage.Store, p Principal) (chat.Address, error) {
	docs, err := storage.List[spot](ctx, s, partition(p.Person), places, "", maxSpots)
	if err != nil {
		return chat.Address{}, fmt.Errorf("look for a direct conversation: %w", err)
	}
	for _, d := range docs {
		if d.Value.Direct && d.Value.Identity == p.Identity {
			return d.Value.Place, nil
		}
	}
	return chat.Address{}, fmt.Errorf("direct conversation: %w", storage.ErrNotFound)
}
