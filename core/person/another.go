package person

import (
	"context"
	"fmt"
	"slices"

	"talaria/core/chat"
	"talaria/storage"
)

// rolesAt is the partition that knows which accounts were given a role in
// chat. The roles themselves stand in the people's records.
var rolesAt = storage.System("roles")

const (
	holders    = "holder" // documents of accounts, by account
	maxHolders = 1000
)

// TeamRole is the role that p has in all of its team: what was given for its
// place alone does not count.
func (d *Directory) TeamRole(ctx context.Context, p Principal) (Role, error) {
	if !AtLeast(p.Role, Member) {
		return Nobody, nil
	}
	f, err := d.lookUp(ctx, p.Identity)
	if err != nil {
		return Nobody, fmt.Errorf("look up a role: %w", err)
	}
	return d.role(f.record.recalled(chat.Author{Identity: p.Identity}), f.teamWide(), p), nil
}

// teamWide is f without what was given for single places.
func (f facts) teamWide() facts {
	f.record.Grants = slices.DeleteFunc(slices.Clone(f.record.Grants), func(g grant) bool { return g.Place != "" })
	return f
}

// Another reports whether somebody other than p has at least a role where p
// acts; with wide, in all of p's team. The person at the console does not
// count: there is no asking them.
func (d *Directory) Another(ctx context.Context, p Principal, need Role, wide bool) (bool, error) {
	others, err := d.others(ctx, p, need, wide, 1)
	return len(others) > 0, err
}

// Others are those beside p who have at least a role in all of p's team and
// have written to the bot alone, at most a hundred, each in that conversation.
func (d *Directory) Others(ctx context.Context, p Principal, need Role) ([]Principal, error) {
	const most = 100
	all, err := d.others(ctx, p, need, true, most)
	if err != nil {
		return nil, err
	}
	var out []Principal
	for _, c := range all {
		for _, i := range []chat.Identity{c.named, c.plain} {
			direct, ok, err := d.DirectOf(ctx, Principal{Identity: i})
			if err != nil {
				return nil, err
			}
			seen := slices.ContainsFunc(out, func(o Principal) bool { return o.Person == direct.Person })
			if !ok || seen || direct.Person == p.Person {
				continue
			}
			if direct, err = d.Renew(ctx, direct); err != nil {
				return nil, err
			}
			out = append(out, direct)
		}
	}
	return out, nil
}

func (d *Directory) others(ctx context.Context, p Principal, need Role, wide bool, most int) ([]candidate, error) {
	given, err := storage.List[chat.Identity](ctx, d.store, rolesAt, holders, "", maxHolders)
	if err != nil {
		return nil, fmt.Errorf("look for another %s: %w", need, err)
	}
	var named []candidate
	for _, i := range slices.Concat(d.config.Admins, d.config.Approvers) {
		// It may be written with the workspace that it counts in, on a
		// platform whose ids need none. Without it, it counts there alone.
		plain := i
		plain.Workspace = ""
		named = append(named, candidate{i, plain})
	}
	for _, doc := range given {
		named = append(named, candidate{doc.Value, doc.Value})
	}
	var out []candidate
	for _, c := range named {
		found, err := d.isAnother(ctx, p, c, need, wide)
		if err != nil {
			return nil, fmt.Errorf("look for another %s: %w", need, err)
		}
		if found {
			out = append(out, c)
		}
		if len(out) == most {
			break
		}
	}
	return out, nil
}

// candidate is an account as it was named, and as its role is looked up.
type candidate struct{ named, plain chat.Identity }

func (d *Directory) isAnother(ctx context.Context, p Principal, c candidate, need Role, wide bool) (bool, error) {
	if c.plain.Platform == console {
		return false, nil
	}
	f, err := d.lookUp(ctx, c.named)
	if err != nil {
		return false, err
	}
	plain, err := d.lookUp(ctx, c.plain)
	if err != nil || f.person == p.Person || plain.person == p.Person {
		return false, err
	}
	if wide {
		f = f.teamWide()
	}
	p.Person, p.Identity = f.person, c.plain
	return AtLeast(d.role(f.record.recalled(chat.Author{Identity: c.plain}), f, p), need), nil
}

// noteHolder remembers that an account was given a role.
func (d *Directory) noteHolder(ctx context.Context, i chat.Identity) error {
	_, err := d.store.Commit(ctx, storage.On(rolesAt).Put(holders, i.String(), i, storage.Any))
	return err
}

// RoleEraser forgets that a person's accounts were given a role. It is an Eraser.
type RoleEraser struct{ Store *storage.Store }

// Erase removes the accounts of who from those that were given a role.
func (e RoleEraser) Erase(ctx context.Context, who Subject) error {
	given, err := storage.List[chat.Identity](ctx, e.Store, rolesAt, holders, "", maxHolders)
	if err != nil {
		return fmt.Errorf("forget the roles of a person: %w", err)
	}
	b := storage.On(rolesAt)
	for _, doc := range given {
		if who.Has(doc.Value) {
			b.Delete(holders, doc.Key, storage.Any)
		}
	}
	if _, err := e.Store.Commit(ctx, b); err != nil {
		return fmt.Errorf("forget the roles of a person: %w", err)
	}
	return nil
}
