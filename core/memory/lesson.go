package memory

import (
	"context"
	"fmt"
	"slices"

	"talaria/core/chat"
	"talaria/storage"
)

// Lesson is a statement that was learned from finished work.
type Lesson struct {
	Kind       Kind
	Text       string
	Confidence float64     // 0 to 1
	Origin     chat.Origin // the worst of what it was learned from
	Spoken     string      // the person's own words of the task
	Task       string      // id of the task
	Message    string      // platform id of the message that it is about
	Messages   []string    // platform ids of all messages of the task
	Against    []string    // ids of cards that it contradicts
}

// Learned says what Learn did.
type Learned struct {
	Card     Card
	Known    bool   // a card says so already; it got the new evidence
	Promoted bool   // that card was emerging and has held again: it is active now
	Lowered  []Card // what it contradicts, as it is now
	Change   int    // for Undo; zero: nothing changed, or it is not to be told here
}

// Said reports whether somebody's own words say a statement.
func Said(statement, spoken string) bool { return supported(statement, spoken) }

// lostTo is the share of a card's confidence that a contradiction of full
// confidence takes.
const lostTo = 0.5

// Learn remembers a lesson, in one change that can be undone. A new card is
// emerging; one that is known becomes active when another task says the same.
// What came from outside and nobody said is quarantined, and contradicts
// nothing. Of the cards that it contradicts an emerging one is archived, and
// an active one keeps its state only if a person said it or it is still the
// surer of the two.
func (h *Handle) Learn(ctx context.Context, l Lesson) (Learned, error) {
	statement, err := h.acceptable(l.Kind, l.Text)
	if err != nil {
		return Learned{}, fmt.Errorf("learn: %w", err)
	}
	to := h.shelf
	if l.Kind == Profile {
		to = h.own
	}
	card := h.lesson(statement, l)
	var out Learned
	out.Change, err = to.change(ctx, "learned", func(p *pages) error {
		out.Lowered = p.lower(&card, l)
		out.Card, out.Known, out.Promoted, err = p.learn(card, l)
		if to.place != nil && len(p.put) > 0 {
			p.also = func(b *storage.Batch) { markPlace(b, h.who.Person, *to.place) }
		}
		return err
	})
	if err != nil {
		return Learned{}, fmt.Errorf("learn: %w", err)
	}
	if !h.who.Direct && l.Kind == Profile {
		return Learned{Card: card}, nil
	}
	return out, nil
}

// lesson makes a card of a lesson.
func (h *Handle) lesson(statement string, l Lesson) Card {
	c := h.card(l.Kind, statement, Source{Origin: l.Origin, Spoken: l.Spoken, Message: l.Message})
	c.Evidence[0].Task = l.Task
	c.State, c.Confidence = Emerging, min(max(l.Confidence, 0), 1)
	if l.Origin >= chat.External && !c.Evidence[0].Spoken {
		c.State = Quarantined
	}
	return c
}

// lower takes confidence from the cards that a card contradicts and links them
// with it.
func (p *pages) lower(c *Card, l Lesson) []Card {
	var out []Card
	c.Against = nil
	for _, id := range l.Against {
		old, known := p.find(id)
		settled := slices.ContainsFunc(old.Evidence, func(e Evidence) bool { return l.Task != "" && e.Against == l.Task })
		if !known || !old.State.Used() || c.State == Quarantined || settled || sameStatement(old.Text, c.Text) {
			continue
		}
		old.Confidence *= 1 - lostTo*c.Confidence
		old.Against = linked(old.Against, c.ID)
		old.Evidence = kept(append(slices.Clone(old.Evidence), Evidence{
			Place: c.Evidence[0].Place, Origin: c.Origin, Against: l.Task, At: p.now,
		}))
		old.Updated = p.now
		switch said := slices.ContainsFunc(old.Evidence, func(e Evidence) bool { return e.Spoken }); {
		case old.State == Emerging:
			old.State = Archived
		case !(said && !c.Evidence[0].Spoken) && old.Confidence < c.Confidence:
			old.State = Emerging
		}
		c.Against = linked(c.Against, old.ID)
		p.put = append(p.put, old)
		out = append(out, old)
	}
	return out
}

// learn puts a card onto the shelf, or what it has onto the card that says the
// same. A task speaks for a card once, by what was remembered while it was done
// too.
func (p *pages) learn(c Card, l Lesson) (Card, bool, bool, error) {
	for _, have := range p.cards {
		if have.Kind != c.Kind || !sameStatement(have.Text, c.Text) {
			continue
		}
		if slices.ContainsFunc(have.Evidence, func(e Evidence) bool { return l.taught(e, c.Evidence[0]) }) {
			return have, true, false, nil
		}
		c.Updated = p.now
		c.Evidence[0].At = p.now
		merged := merge(have, c)
		promoted := have.State == Emerging && c.State.Used() && merged.holds()
		if promoted {
			merged.State = Active
		}
		for _, id := range c.Against {
			merged.Against = linked(merged.Against, id)
		}
		p.put = append(p.put, merged)
		return merged, true, promoted, nil
	}
	card, known, err := p.add(c)
	return card, known, false, err
}

// taught reports whether evidence that is there comes from the lesson's own
// task, as what it brings now does.
func (l Lesson) taught(have, now Evidence) bool {
	if l.Task != "" && have.Task == l.Task {
		return true
	}
	return have.Message != "" && have.Place == now.Place && slices.Contains(l.Messages, have.Message)
}

// maxAgainst bounds the contradictions of one card.
const maxAgainst = 10

func linked(ids []string, id string) []string {
	if slices.Contains(ids, id) {
		return ids
	}
	ids = append(slices.Clone(ids), id)
	return ids[max(len(ids)-maxAgainst, 0):]
}

func kept(e []Evidence) []Evidence { return e[max(len(e)-maxEvidence, 0):] }
