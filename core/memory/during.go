package memory

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"talaria/core/chat"
	"talaria/core/text"
)

// maxLooked is how many turns are looked through for those of a time.
const maxLooked = 20_000

var errEnough = errors.New("looked through enough")

// fill adds to what was found by its words, in the room that is left, the
// latest of what was said in the span that the query names: "what did we talk
// about yesterday" has no other words to go by.
func (s *Searcher) fill(ctx context.Context, places []chat.Address, best []found, when span, limit int) ([]found, error) {
	if when == (span{}) || len(best) >= limit {
		return best, nil
	}
	have := map[string]bool{}
	for _, f := range best {
		have[f.place.String()+" "+f.ID] = true
	}
	var more []found
	looked := 0
	for n, place := range places {
		err := eachSaid(ctx, s.store, place, func(key string, v said) error {
			if looked++; looked > maxLooked {
				return errEnough
			}
			id := docID(v.At, key)
			if when.holds(v.At) && v.Text != "" && !have[place.String()+" "+id] {
				thread, number, _ := cutTurnKey(key)
				scored := text.Scored{ID: id, Thread: inPlace(n, thread), Number: number}
				more = append(more, found{scored, place, v})
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			return nil, err
		}
	}
	slices.SortFunc(more, func(a, b found) int {
		return cmp.Or(b.said.At.Compare(a.said.At), cmp.Compare(a.place.String(), b.place.String()), cmp.Compare(b.ID, a.ID))
	})
	return append(best, more[:min(len(more), limit-len(best))]...), nil
}
