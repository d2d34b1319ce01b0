package propose

import (
	"math"
	"slices"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/learning/observe"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/trace"
)

// capped is a model's stated confidence, as far as the evidence carries it.
// What a job did while nobody watched is one task, however often it ran.
func (p *Proposer) capped(c Case, stated float64) float64 {
	if math.IsNaN(stated) {
		return 0
	}
	l := p.config.Limits
	most := l.Once
	switch alike := c.Observed.Similar + 1; {
	case c.Task.Start == trace.Scheduled:
	case alike >= 3:
		most = l.Often
	case alike == 2, reasoned(c):
		most = l.Twice
	}
	if c.Task.Start != trace.Scheduled {
		most = max(most, c.Observed.Worth)
	}
	return min(max(stated, 0), most)
}

// reasoned reports whether the person who asked said what was wrong, and why.
func reasoned(c Case) bool {
	return slices.ContainsFunc(c.Observed.Feedback, func(f observe.Feedback) bool {
		return f.Sign == observe.ReasonedCorrection && !f.Other
	})
}

// spoken are the words of those who may speak for what is learned here: in a
// direct conversation the person, in a shared place everyone in it; about a
// person, that person. A job's words are nobody's.
func spoken(c Case, k memory.Kind) string {
	if c.Task.Start == trace.Scheduled {
		return ""
	}
	var words []string
	for _, t := range c.Task.Turns {
		if k == memory.Profile && t.Who != c.Who.Person {
			continue
		}
		words = append(words, t.Asked)
		words = append(words, t.Steered...)
	}
	return strings.Join(words, "\n")
}

// origin is the worst of what a task was made of. Only what the steps brought
// counts: what a model thought about outside content has that content's origin.
func origin(c Case) chat.Origin {
	worst := chat.Member
	for _, s := range c.Task.Steps {
		worst = chat.Worst(worst, s.Origin)
	}
	if c.Task.Left > 0 { // nobody knows any more what the steps left out had brought
		worst = chat.External
	}
	return worst
}

// provenance is the occasion that a proposal comes from.
func (p *Proposer) provenance(c Case, confidence float64, now time.Time) skill.Provenance {
	out := skill.Provenance{
		Task: c.Task.ID, Place: c.Task.Place.String(), People: c.Task.People(), Confidence: confidence, Model: c.Model, At: now,
	}
	out.Messages = messages(c)
	out.Messages = out.Messages[:min(len(out.Messages), maxMessages)]
	out.People = slices.DeleteFunc(out.People, func(id person.ID) bool { return id == "" })
	return out
}

// maxMessages bounds the messages that a proposal cites.
const maxMessages = 20

// messages are the platform's ids of a task's messages.
func messages(c Case) (ids []string) {
	for _, t := range c.Task.Turns {
		if t.Message != "" {
			ids = append(ids, t.Message)
		}
	}
	return ids
}

// message is the platform's id of the message that a card is about.
func message(c Case) string {
	if len(c.Task.Turns) == 0 {
		return ""
	}
	return c.Task.Turns[len(c.Task.Turns)-1].Message
}
