package curate

import (
	"fmt"
	"slices"

	"talaria/core/memory"
)

// cards decides about what is remembered: emerging cards that held again are
// promoted, those that did not are dropped, and of two that contradict each
// other the person is asked. Their words are never touched.
func cards(l Look, lim Limits) []Action {
	var out []Action
	for _, c := range l.Cards {
		a := Action{Card: c.ID, Text: c.Text}
		pro, con := c.Occasions()
		switch {
		case c.State != memory.Emerging:
			continue
		case con > 0 && con >= pro:
			a.Kind, a.Why = Drop, "what came after it speaks against it"
		case pro >= needed(c) && con == 0:
			a.Kind, a.Why = Promote, fmt.Sprintf("it held on %d occasions", pro)
		case l.Now.Sub(c.Updated) >= lim.ArchiveAfter && con == 0 && told(c) && !c.Inferred:
			a.Kind, a.Why = Promote, "its person said so, and nothing spoke against it"
		case l.Now.Sub(c.Updated) >= lim.ArchiveAfter:
			a.Kind, a.Why = Drop, fmt.Sprintf("it has not held again for %d days", int(l.Now.Sub(c.Updated).Hours()/24))
		default:
			continue
		}
		out = append(out, a)
	}
	return append(out, contradictions(l.Cards)...)
}

// needed is the number of occasions from which a card is certain. What was
// concluded by itself needs one more.
func needed(c memory.Card) int {
	if c.Inferred {
		return memory.Certain
	}
	return 2
}

// told reports whether a person said it themselves.
func told(c memory.Card) bool {
	return slices.ContainsFunc(c.Evidence, func(e memory.Evidence) bool { return e.Spoken })
}

// contradictions are the pairs of cards in force that can't both hold.
func contradictions(all []memory.Card) []Action {
	var out []Action
	for _, c := range all {
		for _, id := range c.Against {
			i := slices.IndexFunc(all, func(o memory.Card) bool { return o.ID == id })
			if i < 0 || c.State != memory.Active || all[i].State != memory.Active {
				continue
			}
			first, second := c, all[i]
			if second.ID < first.ID {
				first, second = second, first
			}
			a := Action{
				Kind: Ask, Card: first.ID, With: []string{second.ID}, Text: first.Text + " / " + second.Text,
				Why: "they contradict each other; which one holds?", Once: string(Ask) + " " + first.ID + " " + second.ID,
			}
			if !slices.ContainsFunc(out, func(o Action) bool { return o.Once == a.Once }) {
				out = append(out, a)
			}
		}
	}
	return out
}
