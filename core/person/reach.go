package person

import (
	"context"
	"fmt"

	"talaria/core/chat"
	"talaria/storage"
)

// Reach is somebody in the direct conversation in which they were last seen,
// with the rights that they have now, for who has something to tell them that
// nobody asked for. It is false for somebody who never wrote to the bot alone.
func (d *Directory) Reach(ctx context.Context, id ID) (Principal, bool, error) {
	docs, err := storage.List[spot](ctx, d.store, partition(id), places, "", maxSpots)
	if err != nil {
		return Principal{}, false, fmt.Errorf("look for a way to reach somebody: %w", err)
	}
	var last spot
	for _, doc := range docs {
		if s := doc.Value; s.Direct && s.At.After(last.At) {
			last = s
		}
	}
	if !last.Direct {
		return Principal{}, false, nil
	}
	p, err := d.Resolve(ctx, chat.Author{Identity: last.Identity}, last.Place, true)
	return p, err == nil && p.Person == id && AtLeast(p.Role, Guest), err
}
