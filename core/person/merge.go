package person

import (
	"context"
	"errors"
	"slices"

	"talaria/core/chat"
	"talaria/storage"
)

// withLink changes a person's record and one of their links in one step.
func (d *Directory) withLink(ctx context.Context, id ID, link string, change func(r *record, l *Link) error) error {
	for {
		r, err := storage.Get[record](ctx, d.store, partition(id), persons, self)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
		l, err := storage.Get[Link](ctx, d.store, partition(id), links, link)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
		if err := change(&r.Value, &l.Value); err != nil {
			return err
		}
		b := storage.On(partition(id)).Durable().
			Put(persons, self, r.Value, r.Revision).
			Put(links, link, l.Value, l.Revision)
		_, err = d.store.Commit(ctx, b)
		if errors.Is(err, storage.ErrConflict) {
			continue
		}
		if err == nil {
			d.forget(ctx, id)
		}
		return err
	}
}

// finish carries through the links of a person that are under way. Every step
// may have been done before.
func (d *Directory) finish(ctx context.Context, id ID, pending []string) error {
	for _, p := range pending {
		doc, err := storage.Get[Link](ctx, d.store, partition(id), links, p)
		if err != nil {
			return err
		}
		switch l := doc.Value; l.State {
		case linking:
			err = d.join(ctx, id, l)
		case unlinking:
			err = d.part(ctx, id, l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// join makes the link's identities and what belongs to them id's.
func (d *Directory) join(ctx context.Context, id ID, l Link) error {
	for _, i := range l.Identities {
		err := d.point(ctx, Home(i), identity{Identity: i, Person: id, Link: l.ID, From: l.From})
		if err != nil {
			return err
		}
	}
	for _, m := range d.movers {
		if err := m.Move(ctx, l.ID, l.From, id); err != nil {
			return err
		}
	}
	if err := d.moveSpots(ctx, l.From, id, func(s spot) bool { return true }, l.ID); err != nil {
		return err
	}
	return d.withLink(ctx, id, l.ID, func(r *record, have *Link) error {
		r.settle(l.ID)
		have.State = linked
		return nil
	})
}

// part gives the link's identities and what came with them back.
func (d *Directory) part(ctx context.Context, id ID, l Link) error {
	mine := func(s spot) bool { return s.Link == l.ID || slices.Contains(l.Identities, s.Identity) }
	if err := d.moveSpots(ctx, id, l.From, mine, ""); err != nil {
		return err
	}
	for _, m := range d.movers {
		if err := m.Return(ctx, l.ID, id, l.From, l.Identities, l.Undo); err != nil {
			return err
		}
	}
	r, err := storage.Get[record](ctx, d.store, partition(id), persons, self)
	if err != nil {
		return err
	}
	linked := func(i chat.Identity) bool { return slices.Contains(l.Identities, i) }
	grants := slices.DeleteFunc(slices.Clone(r.Value.Grants), func(g grant) bool { return !linked(g.Identity) })
	guests := slices.DeleteFunc(slices.Clone(r.Value.Guests), func(i chat.Identity) bool { return !linked(i) })
	err = d.updateRecord(ctx, l.From, func(r *record) (bool, error) {
		r.Grants, r.Guests = grants, guests
		return true, nil
	})
	if err != nil {
		return err
	}
	for _, i := range l.Identities {
		if err := d.point(ctx, Home(i), identity{Identity: i, Person: l.From}); err != nil {
			return err
		}
	}
	return d.withLink(ctx, id, l.ID, func(r *record, have *Link) error {
		r.dropLink(l.ID)
		r.Grants = slices.DeleteFunc(r.Grants, func(g grant) bool { return linked(g.Identity) })
		r.Guests = slices.DeleteFunc(r.Guests, linked)
		r.settle(l.ID)
		have.State = unlinked
		return nil
	})
}

// point makes an identity somebody's.
func (d *Directory) point(ctx context.Context, home ID, to identity) error {
	err := update(ctx, d.store, partition(home), identities, self, func(i *identity) (bool, error) {
		changed := *i != to
		*i = to
		return changed, nil
	})
	if err != nil {
		return err
	}
	d.forget(ctx, home)
	return nil
}

// moveSpots moves the records of where somebody has been. A spot that the
// other has too stays theirs.
func (d *Directory) moveSpots(ctx context.Context, from, to ID, which func(spot) bool, link string) error {
	docs, err := storage.List[spot](ctx, d.store, partition(from), places, "", maxSpots)
	if err != nil {
		return err
	}
	for _, doc := range docs {
		s := doc.Value
		if !which(s) {
			continue
		}
		s.Link = link
		_, err := d.store.Commit(ctx, storage.On(partition(to)).Durable().Put(places, doc.Key, s, storage.Absent))
		if err != nil && !errors.Is(err, storage.ErrConflict) {
			return err
		}
		if _, err := d.store.Commit(ctx, storage.On(partition(from)).Delete(places, doc.Key, storage.Any)); err != nil {
			return err
		}
	}
	return nil
}
