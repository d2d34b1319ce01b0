package replay

import (
	"slices"

	"talaria/adapters/inbound"
	"talaria/core/chat"
	"talaria/core/person"
)

// gathered is one event with the indices of the raw events it was made of.
type gathered struct {
	inbound.Item
	parts   []chat.Event
	indices []int
}

func (g gathered) holds(message string) bool {
	return slices.ContainsFunc(g.parts, func(e chat.Event) bool { return e.Message == message })
}

// group normalises all events and merges the parts of each album where its
// first part stands.
func group(r Request, n inbound.Normalizer) []gathered {
	var all []gathered
	albums := map[string]int{}
	for i, raw := range r.Events {
		item := n.Normalize(raw, r.Context.Known)
		at, known := albums[item.Group]
		switch {
		case item.Group == "" || !known:
			albums[item.Group] = len(all)
			all = append(all, gathered{item, []chat.Event{item.Event}, []int{i}})
		case all[at].holds(item.Event.Message):
			all = append(all, gathered{Item: inbound.Drop(inbound.Reason(person.Duplicate)), indices: []int{i}})
		default:
			all[at].parts = append(all[at].parts, item.Event)
			all[at].indices = append(all[at].indices, i)
		}
	}
	for i, g := range all {
		if len(g.parts) > 1 {
			all[i].Event = n.Merge(g.parts)
		}
	}
	return all
}
