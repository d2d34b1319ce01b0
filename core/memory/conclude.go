package memory

import (
	"context"
	"fmt"
	"slices"

	"talaria/core/chat"
)

// Certain is the number of occasions, those against it taken off, from which a
// card that was concluded is no longer emerging.
const Certain = 3

// Conclusion is a statement about a person that was concluded from what they
// said, or what they said about one that is known.
type Conclusion struct {
	Card       string     `json:"card,omitempty"` // id of the card that it is about; empty: a new one
	Text       string     `json:"text"`
	Confidence float64    `json:"confidence"` // 0 to 1
	For        []Evidence `json:"for,omitempty"`
	Against    []Evidence `json:"against,omitempty"`
}

// Occasions counts the occasions that speak for a card and against it. What one
// message or task said twice is one occasion.
func (c Card) Occasions() (pro, con int) {
	seen := map[string]bool{}
	for _, e := range c.Evidence {
		key := e.Against + "\x00" + e.Task
		if e.Against == "" && e.Task == "" {
			key += e.Message
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		if e.Against != "" {
			con++
		} else {
			pro++
		}
	}
	return pro, con
}

// holds reports whether an emerging card has held often enough to be certain,
// where it held again.
func (c Card) holds() bool {
	pro, con := c.Occasions()
	return !c.Inferred || pro-con >= Certain
}

// Conclude puts a conclusion onto the person's own shelf, in one change that can
// be undone; it returns the card as it is then, and the number of the change,
// zero if there was nothing to change. A new card is emerging. The same
// conclusion again changes nothing.
//
// What alike holds to say the same as something that the person struck, or had
// put away, is not concluded; the card is the zero one then.
func (h *Handle) Conclude(ctx context.Context, c Conclusion, alike func(a, b string) bool) (Card, int, error) {
	if !h.who.Direct {
		return Card{}, 0, fmt.Errorf("conclude: %w", ErrForbidden)
	}
	statement, err := h.acceptable(Profile, c.Text)
	if err != nil {
		return Card{}, 0, fmt.Errorf("conclude: %w", err)
	}
	c.Text = statement
	var out Card
	number, err := h.own.change(ctx, "concluded", func(p *pages) error {
		out = Card{}
		have, known := p.about(c)
		if !known {
			away, err := h.away(ctx, p, statement, alike)
			if err != nil || away || c.Card != "" {
				return err
			}
			have = h.card(Profile, statement, Source{Origin: chat.Member})
			have.Evidence, have.State, have.Inferred, have.Created = nil, Emerging, true, p.now
		}
		next, changed := p.weighed(have, c)
		if out = next; changed && (known || next.State.Used()) {
			p.put = append(p.put, next)
		}
		return nil
	})
	if err != nil {
		return Card{}, 0, fmt.Errorf("conclude: %w", err)
	}
	return out, number, nil
}

// about is the card that a conclusion is about.
func (p *pages) about(c Conclusion) (Card, bool) {
	if c.Card != "" {
		card, ok := p.find(c.Card)
		return card, ok && card.Kind == Profile && !card.putAway()
	}
	i := slices.IndexFunc(p.cards, func(have Card) bool {
		return have.Kind == Profile && !have.putAway() && sameStatement(have.Text, c.Text)
	})
	if i < 0 {
		return Card{}, false
	}
	return p.cards[i], true
}

// putAway reports whether a card was archived though something still spoke for
// it, which upkeep does not do.
func (c Card) putAway() bool { return c.State == Archived && c.Confidence > 0 }

// away reports whether a statement is one that the person does not want.
func (h *Handle) away(ctx context.Context, p *pages, statement string, alike func(a, b string) bool) (bool, error) {
	docs, err := h.own.struck(ctx)
	for _, d := range docs {
		if alike(d.Value.Text, statement) || sameStatement(d.Value.Text, statement) {
			return true, nil
		}
	}
	return err == nil && slices.ContainsFunc(p.cards, func(c Card) bool {
		return c.Kind == Profile && c.putAway() && alike(c.Text, statement)
	}), err
}

// weighed is a card with a conclusion's evidence, and what follows from it. Of
// a card that was not concluded the state stays: the person, or a lesson, put it
// there.
func (p *pages) weighed(have Card, c Conclusion) (Card, bool) {
	next := have
	next.Evidence = kept(joined(have.Evidence, c.For, c.Against))
	if slices.Equal(next.Evidence, have.Evidence) {
		return have, false
	}
	next.Updated = p.now
	doubted := len(joined(have.Evidence, c.Against)) > len(have.Evidence)
	pro, con := next.Occasions()
	switch {
	case !next.Inferred && doubted:
		next.Confidence *= 1 - lostTo
	case !next.Inferred:
		next.Confidence = max(next.Confidence, c.Confidence)
	case con >= pro:
		next.State, next.Confidence = Archived, 0
	case next.State == Active && !doubted:
		next.Confidence = max(next.Confidence, c.Confidence)
	default:
		next.Confidence = min(max(c.Confidence, 0), 1)
		if next.State == Archived {
			next.State = Emerging
		}
		if next.State == Emerging && pro-con >= Certain {
			next.State = Active
		}
	}
	return next, true
}

// joined adds to evidence what it does not have yet.
func joined(have []Evidence, more ...[]Evidence) []Evidence {
	out := slices.Clone(have)
	for _, e := range slices.Concat(more...) {
		if !slices.ContainsFunc(out, func(o Evidence) bool {
			return o.Message == e.Message && o.Task == e.Task && o.Against == e.Against
		}) {
			out = append(out, e)
		}
	}
	return out
}
