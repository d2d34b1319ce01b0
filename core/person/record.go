package person

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/storage"
)

// Where a person's facts lie in their partition.
const (
	identities = "identity" // of the home person: to whom the identity belongs
	persons    = "person"   // the record
	places     = "place"    // where they have been
	links      = "link"     // what was linked, by link id
	self       = "self"     // the only key of the first two
)

// identity says to whom an identity belongs. Without one it is its home's.
type identity struct {
	Identity chat.Identity `json:"identity"`
	Person   ID            `json:"person"`
	Link     string        `json:"link,omitempty"` // by which link it left its home
	From     ID            `json:"from,omitempty"` // whose it was before
}

// record is what is kept about a person.
type record struct {
	Name       string   `json:"name,omitempty"` // as last seen; for showing only
	Identities []held   `json:"identities,omitempty"`
	Grants     []grant  `json:"grants,omitempty"`
	Teams      []TeamID `json:"teams,omitempty"`   // where they took part, the latest last
	Pending    []string `json:"pending,omitempty"` // links under way
	// Guests are those of their accounts that are guests of their platform.
	Guests []chat.Identity `json:"guests,omitempty"`
}

// held is an identity that was let in.
type held struct {
	Identity chat.Identity `json:"identity"`
	Since    time.Time     `json:"since"`
	By       ID            `json:"by,omitempty"` // without Link: the admin who let it in
	Link     string        `json:"link,omitempty"`
	With     chat.Identity `json:"with,omitzero"` // with Link: to which account
	Own      bool          `json:"own,omitempty"` // with Link: it was let in by itself as well
}

// grant is a role given in chat, to one identity. Nobody as a role keeps it out.
type grant struct {
	Identity chat.Identity `json:"identity"`
	Role     Role          `json:"role"`
	Team     TeamID        `json:"team,omitempty"`  // empty: everywhere
	Place    string        `json:"place,omitempty"` // empty: the whole team
	By       ID            `json:"by"`
	At       time.Time     `json:"at"`
}

func (r *record) holds(i chat.Identity) bool {
	return slices.ContainsFunc(r.Identities, func(h held) bool { return h.Identity == i })
}

// letInByItself reports whether an admin let this very identity in.
func (r *record) letInByItself(i chat.Identity) bool {
	return slices.ContainsFunc(r.Identities, func(h held) bool { return h.Identity == i && (h.Link == "" || h.Own) })
}

// linkedTo is the account that i was linked to, if it was.
func (r *record) linkedTo(i chat.Identity) (chat.Identity, bool) {
	for _, h := range r.Identities {
		if h.Identity == i && h.Link != "" {
			return h.With, true
		}
	}
	return chat.Identity{}, false
}

// letIn adds an identity, or keeps it as it is.
func (r *record) letIn(h held) {
	if !r.holds(h.Identity) {
		r.Identities = append(r.Identities, h)
	}
}

// dropLink removes the identities that came with a link.
func (r *record) dropLink(link string) {
	r.Identities = slices.DeleteFunc(r.Identities, func(h held) bool { return h.Link == link })
}

func (r *record) pend(link string) {
	if !slices.Contains(r.Pending, link) {
		r.Pending = append(r.Pending, link)
	}
}

func (r *record) settle(link string) {
	r.Pending = slices.DeleteFunc(r.Pending, func(l string) bool { return l == link })
}

// Home is the person that an identity is as long as it is not linked to
// another. It is derived, so everybody comes to the same one.
func Home(i chat.Identity) ID { return ID("p" + digest("identity", i.Platform, i.Workspace, i.ID)) }

// digest is 26 characters that stand for the parts.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(h.Sum(nil)[:16]))
}

// ShardOf is the shard that keeps what belongs to the place of an address.
func ShardOf(a chat.Address) storage.Partition {
	return storage.Shard(storage.ShardOf(a.Platform, a.Workspace, a.Chat))
}

func partition(id ID) storage.Partition { return storage.Person(string(id)) }

// update changes one document of a partition by compare-and-set: change gets
// what is there (the zero value if nothing is) and reports whether to write.
// With others writing at once it is called again.
func update[T any](ctx context.Context, s *storage.Store, p storage.Partition, collection, key string, change func(v *T) (bool, error)) error {
	for {
		doc, err := storage.Get[T](ctx, s, p, collection, key)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
		write, err := change(&doc.Value)
		if err != nil || !write {
			return err
		}
		_, err = s.Commit(ctx, storage.On(p).Durable().Put(collection, key, doc.Value, doc.Revision))
		if !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
}

// updateRecord changes a person's record.
func (d *Directory) updateRecord(ctx context.Context, id ID, change func(r *record) (bool, error)) error {
	if err := update(ctx, d.store, partition(id), persons, self, change); err != nil {
		return fmt.Errorf("change the record of a person: %w", err)
	}
	d.forget(ctx, id)
	return nil
}
