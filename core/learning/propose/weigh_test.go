package propose_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"talaria/core/agent"
	"talaria/core/learning"
	"talaria/core/learning/measure"
	"talaria/core/learning/propose"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/match"
	"talaria/core/trace"
	"talaria/storage"
)

const invoice = "write the invoice for the bakery"

// TestOneWordDoesNotOverturnWhatWentWell: what went without objection is changed
// by the second correction in the same sense, or by one that says more than that
// the work was wrong this time. A change that is contradicted before it held is
// taken back.
func TestOneWordDoesNotOverturnWhatWentWell(t *testing.T) {
	const fine = ""
	const euros, pounds = "no, the invoice must be in euros, because the bank wants that", "no, the invoice must be in pounds, because the bank wants that"
	for name, c := range map[string]struct {
		said []string // of each task that used the skill, one after the other
		want string   // what each of them that is a correction comes to
	}{
		"the first use":                     {[]string{euros}, "counts"},
		"one word":                          {[]string{fine, euros, fine, fine, euros}, "waits waits"},
		"said twice":                        {[]string{fine, euros, euros}, "waits counts"},
		"in other words":                    {[]string{fine, euros, "that's wrong, use euros, because the bank can't book francs"}, "waits counts"},
		"another thing each time":           {[]string{fine, euros, pounds}, "waits waits"},
		"what was said last did not hold":   {[]string{euros, pounds, fine, euros}, "counts counts waits"},
		"back to what was said before":      {[]string{euros, pounds, euros}, "counts counts counts"},
		"from now on":                       {[]string{fine, "no, from now on it is in euros, because the bank wants that"}, "counts"},
		"something more":                    {[]string{fine, "no, put the due date in too, because the bank wants that"}, "counts"},
		"contradicted before it held":       {[]string{fine, euros, euros, pounds, fine, euros}, "waits counts undoes waits"},
		"contradicted twice":                {[]string{fine, euros, euros, pounds, pounds}, "waits counts undoes counts"},
		"contradicted after it held":        {[]string{fine, euros, euros, fine, pounds}, "waits counts waits"},
		"more was asked for before it held": {[]string{fine, euros, euros, "no, put the due date in too, because the bank wants that"}, "waits counts counts"},
	} {
		t.Run(name, func(t *testing.T) {
			w := inMemory(t, skill.NewAndWider)
			defer w.store.Close()
			who := w.dm(cy)
			w.inForce(who, skill.ByAgent, "bakery-invoice", "Write the invoice for the bakery", "## Steps\n\n1. Write it in francs.\n")
			var got []string
			for _, said := range c.said {
				task := w.used(who, w.find(who, "bakery-invoice"), said)
				if said != fine {
					got = append(got, w.objected(task, said))
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q, want %s", got, c.want)
			}
			if cards := w.cards(who); len(cards) > 0 {
				t.Errorf("what is not certain is remembered all the same: %+v", cards)
			}
		})
	}
}

// objected is what a correction of a task came to.
func (w *world) objected(c propose.Case, said string) string {
	w.Helper()
	before := w.find(c.Who, "bakery-invoice").InForce
	res := w.rule(c, propose.Rule{If: invoice, Then: said, Confidence: 0.9})
	now := w.find(c.Who, "bakery-invoice").InForce
	text := strings.TrimSpace(w.text(c.Who, "bakery-invoice", now, "SKILL.md"))
	switch last := strings.HasSuffix(text, said); {
	case now > before && last && strings.Contains(res.Undo, "rollback"):
		return "counts"
	case now < before && !last && strings.Contains(res.Undo, fmt.Sprint("rollback bakery-invoice ", before)):
		return "undoes"
	case now == before && !last && res.Undo == "" && strings.Contains(res.Line, "stays as it is"):
		return "waits"
	}
	return fmt.Sprintf("(%d to %d: %+v\n%s)", before, now, res, text)
}

// TestWorkThatWentWellMakesNoSkillOfOneWord: what was fine without any skill is
// not done otherwise from now on because of one correction.
func TestWorkThatWentWellMakesNoSkillOfOneWord(t *testing.T) {
	const euros = "no, the invoice must be in euros, because the bank wants that"
	for name, c := range map[string]struct {
		said    []string
		drafted bool // after the last of them
	}{
		"the first time":    {[]string{euros}, true},
		"after it was fine": {[]string{"", euros}, false},
		"said twice":        {[]string{"", euros, euros}, true},
		"as a rule":         {[]string{"", "no, we always use euros, because the bank wants that"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := inMemory(t, skill.NewAndWider)
			defer w.store.Close()
			who := w.dm(cy)
			var res propose.Result
			for _, said := range c.said {
				if task := w.used(who, skill.Skill{}, said); said != "" {
					passes(&task)
					res = w.skill(task, drafted("bakery-invoice", "Write the invoice for the bakery", "## Steps\n\n1. Write it in euros.\n"))
				}
			}
			if got := len(w.announced) > 0; got != c.drafted || got != (res.Tier == propose.TierSkill) || res.Line == "" {
				t.Errorf("drafted: %t, %+v", got, res)
			}
		})
	}
}

// TestWhatASkillWasLearnedFromSpeaksForIt before it was used: the occasion counts
// like a use, unless somebody had to correct that too.
func TestWhatASkillWasLearnedFromSpeaksForIt(t *testing.T) {
	const francs, euros = "no, the invoice must be in francs, because the bank wants that", "no, the invoice must be in euros, because the bank wants that"
	for name, c := range map[string]struct{ learned, want string }{
		"went without objection": {"", "waits counts"},
		"was corrected":          {francs, "counts"},
	} {
		t.Run(name, func(t *testing.T) {
			w := inMemory(t, skill.NewAndWider)
			defer w.store.Close()
			who := w.dm(cy)
			first := w.used(who, skill.Skill{}, c.learned)
			passes(&first)
			w.skill(first, drafted("bakery-invoice", "Write the invoice for the bakery", "## Steps\n\n1. Write it in francs.\n"))
			for _, o := range w.announced {
				if _, err := w.library.Approve(w.ctx, who, o.Revision.Ref, o.Revision.Hash); err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			for range strings.Fields(c.want) {
				got = append(got, w.objected(w.used(who, w.find(who, "bakery-invoice"), euros), euros))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q, want %s", got, c.want)
			}
		})
	}
}

// used is a task that used a skill, or none, as recorder and measuring keep it;
// after words that say what was wrong it was done again.
func (w *world) used(who person.Principal, s skill.Skill, said string) propose.Case {
	w.Helper()
	w.tasks++
	heard := &lastNotice{}
	r := learning.New(learning.Config{
		Enabled: true, Store: w.store, Redactor: trace.NewRedactor(nil), Alike: match.RequestSimilarity, Log: slog.New(slog.DiscardHandler),
		Listener: measure.Uses{Store: w.store, Library: w.library, Upkeep: w.library.Upkeep(), People: w.directory, Next: heard},
	})
	raw := trace.Raw{Session: fmt.Sprint("s/", w.tasks), Place: who.Place, At: time.Now().UTC()}
	for n, asked := range []string{invoice, said} {
		id := fmt.Sprintf("turn%d-%d", w.tasks, n)
		if asked != "" {
			raw.Turn = &trace.RawTurn{
				ID: id, Who: who.Person, Identity: who.Identity, Direct: who.Direct, Message: "m-" + id, Began: raw.At, Asked: asked,
				Answered: "It is written.", Ending: agent.Answered,
			}
			if s.Name != "" {
				raw.Turn.Skills = []trace.Use{{Skill: s.Name, Revision: s.InForce}}
			}
			w.handOver(raw)
		}
	}
	raw.Turn, raw.Ended = nil, true
	w.handOver(raw)
	shard := storage.ShardOf(who.Place.Platform, who.Place.Workspace, who.Place.Chat)
	if _, err := r.Catch(w.ctx, shard); err != nil {
		w.Fatal(err)
	}
	if err := r.Tell(w.ctx, shard); err != nil {
		w.Fatal(err)
	}
	task, err := trace.Get(w.ctx, w.store, person.ShardOf(who.Place), heard.id)
	if err != nil {
		w.Fatal(err)
	}
	seen, err := learning.ObservationOf(w.ctx, w.store, person.ShardOf(who.Place), heard.id)
	if err != nil {
		w.Fatal(err)
	}
	return propose.Case{Who: who, Task: task.Value, Observed: seen, Model: "test-model", Unattended: true}
}

func (w *world) handOver(raw trace.Raw) {
	w.Helper()
	b := storage.On(person.ShardOf(raw.Place))
	trace.HandOver(b, raw)
	if _, err := w.store.Commit(w.ctx, b); err != nil {
		w.Fatal(err)
	}
}

// lastNotice is a listener that remembers the task that it was told of last.
type lastNotice struct{ id string }

func (l *lastNotice) Task(_ context.Context, n learning.Notice) error {
	l.id = n.Task
	return nil
}
