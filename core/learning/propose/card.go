package propose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/skill/match"
	"talaria/core/skill/scan"
	"talaria/core/text"
)

// maxContradicts bounds the cards that one rule can speak against.
const maxContradicts = 3

// card puts a rule onto the shelf.
func (p *Proposer) card(ctx context.Context, c Case, r Rule, confidence float64, from chat.Origin) (Result, error) {
	l := memory.Lesson{
		Kind: r.Kind, Text: r.statement(), Confidence: confidence, Origin: from, Spoken: spoken(c, r.Kind), Task: c.Task.ID, Message: message(c), Messages: messages(c),
		Against: r.Contradicts[:min(len(r.Contradicts), maxContradicts)],
	}
	if scan.Scan(scan.Memory, l.Text).Verdict != scan.Allow {
		l.Origin, l.Spoken = chat.External, "" // a person has to look at it, whoever said it
	}
	h := p.config.Memory(c.Who)
	known := false
	if c.Who.Direct || r.Kind == memory.Work {
		cards, err := h.List(ctx)
		if err != nil {
			return Result{}, fmt.Errorf("remember a rule: %w", err)
		}
		known = settle(&l, cards)
	}
	if !known {
		if ok, err := p.spend(ctx, c.Who, p.cards); err != nil || !ok {
			return skipped("today's new cards are used up here; it waits in the report"), err
		}
	}
	done, err := h.Learn(ctx, l)
	if err != nil {
		return refused(err)
	}
	return noted(p.config.In(ctx, c.Who.Person), c, l, done), nil
}

// settle looks for the card that says the same in other words, whose words the
// lesson takes, and for those that say the contrary. It reports whether the
// lesson is known.
func settle(l *memory.Lesson, cards []memory.Card) bool {
	known, said := false, l.Text
	for _, card := range cards {
		if card.Kind != l.Kind || card.State == memory.Archived {
			continue
		}
		if !known && repeats(card.Text, said) && !slices.Contains(l.Against, card.ID) {
			known, l.Text = true, card.Text
		}
		if card.State.Used() && match.Contradict(card.Text, said) && len(l.Against) < maxContradicts && !slices.Contains(l.Against, card.ID) {
			l.Against = append(slices.Clone(l.Against), card.ID)
		}
	}
	return known
}

// repeats reports whether a statement says the same as another one and nothing
// beyond it: what is more exact is worth a card of its own.
func repeats(have, said string) bool {
	terms := text.Terms(have)
	beyond := slices.ContainsFunc(text.Terms(said), func(t string) bool { return !slices.Contains(terms, t) })
	return !beyond && match.CardSimilarity(have, said) >= match.Same
}

// noted is the result of what memory did. What was put onto a person's shelf
// from a shared place is not told there.
func noted(say Tongue, c Case, l memory.Lesson, done memory.Learned) Result {
	res := Result{Tier: TierCard, See: "/memory"}
	said := short(done.Card.Text)
	private := !c.Who.Direct && l.Kind == memory.Profile
	if done.Change > 0 {
		res.Undo = fmt.Sprintf("/memory undo %d", done.Change)
	}
	switch {
	case private:
		res.Line = say("I noted something about how you like to be served; in our direct conversation `/memory` shows it.")
	case done.Card.State == memory.Quarantined:
		res.Line, res.Undo = say("I set aside, until you confirm it, what outside content said: %s", said), ""
	case done.Known && done.Change == 0:
		return skipped("this task taught it already")
	case done.Promoted:
		res.Line = say("It held again, so I am sure of it now: %s", said)
	case done.Known:
		res.Line = say("It held again: %s", said)
	default:
		res.Line = say("I noted, not certain yet: %s", said)
	}
	if len(done.Lowered) > 0 {
		var less []string
		for _, old := range done.Lowered {
			less = append(less, short(old.Text))
		}
		res.Line += say(" (less sure now: %s)", strings.Join(less, "; "))
	}
	return res
}
