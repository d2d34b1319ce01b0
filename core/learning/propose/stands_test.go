package propose_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/core/agent"
	"talaria/core/learning"
	"talaria/core/learning/measure"
	"talaria/core/learning/propose"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/trace"
	"talaria/storage"
)

const invoice = "write the invoice for the bakery"

// TestOneWordDoesNotOverturnWhatWentWell: what went without objection is changed
// by the second correction in the same sense, or by one that says more than that
// the work was wrong this time.
func TestOneWordDoesNotOverturnWhatWentWell(t *testing.T) {
	const fine, euros, pounds = "", "no, the invoice must be in euros, because the bank wants that", "no, the invoice must be in pounds, because the bank wants that"
	for name, c := range map[string]struct {
		said    []string // of each task that used the skill, one after the other
		changes []int    // those of them for which it is changed
	}{
		"the first use":                   {[]string{euros}, []int{0}},
		"one word":                        {[]string{fine, euros, fine, fine, euros}, nil},
		"said twice":                      {[]string{fine, euros, euros}, []int{2}},
		"in other words":                  {[]string{fine, euros, "that's wrong, use euros, because the bank can't book francs"}, []int{2}},
		"another thing each time":         {[]string{fine, euros, pounds}, nil},
		"what was said last did not hold": {[]string{euros, pounds, fine, euros}, []int{0, 1}},
		"back to what was said before":    {[]string{euros, pounds, euros}, []int{0, 1, 2}},
		"from now on":                     {[]string{fine, "no, from now on it is in euros, because the bank wants that"}, []int{1}},
		"something more":                  {[]string{fine, "no, put the due date in too, because the bank wants that"}, []int{1}},
	} {
		t.Run(name, func(t *testing.T) {
			w := onSQLite(t)
			who := w.dm(cy)
			w.inForce(who, skill.ByAgent, "bakery-invoice", "Write the invoice for the bakery", "## Steps\n\n1. Write it in francs.\n")
			var changed []int
			for n, said := range c.said {
				task := w.used(who, w.find(who, "bakery-invoice"), said)
				if said == fine {
					continue
				}
				before := w.find(who, "bakery-invoice").InForce
				res := w.rule(task, propose.Rule{If: invoice, Then: said, Confidence: 0.9})
				live := w.find(who, "bakery-invoice").InForce > before
				if live {
					changed = append(changed, n)
				}
				if kept := strings.Contains(res.Line, "stays as it is"); kept == live || kept && res.Undo != "" {
					t.Errorf("task %d: changed %t, told %+v", n, live, res)
				}
			}
			if fmt.Sprint(changed) != fmt.Sprint(c.changes) {
				t.Errorf("changed for tasks %v, want %v", changed, c.changes)
			}
			last := c.said[len(c.said)-1]
			text := strings.TrimSpace(w.text(who, "bakery-invoice", w.find(who, "bakery-invoice").InForce, "SKILL.md"))
			if live := slices.Contains(c.changes, len(c.said)-1); live != strings.HasSuffix(text, last) {
				t.Errorf("after %q the skill is\n%s", last, text)
			}
			if cards := w.cards(who); len(cards) > 0 {
				t.Errorf("what is not certain is remembered all the same: %+v", cards)
			}
		})
	}
}

// used is a task that used a skill, as recorder and measuring keep it; after
// words that say what was wrong it was done again.
func (w *world) used(who person.Principal, s skill.Skill, said string) propose.Case {
	w.Helper()
	w.tasks++
	heard := &lastNotice{}
	r := learning.New(learning.Config{
		Enabled: true, Store: w.store, Redactor: trace.NewRedactor(nil), Alike: func(string, string) float64 { return 0 }, Log: slog.New(slog.DiscardHandler),
		Listener: measure.Uses{Store: w.store, Library: w.library, Upkeep: w.library.Upkeep(), People: w.directory, Next: heard},
	})
	raw := trace.Raw{Session: fmt.Sprint("s/", w.tasks), Place: who.Place, At: time.Now().UTC()}
	for n, asked := range []string{invoice, said} {
		id := fmt.Sprintf("turn%d-%d", w.tasks, n)
		if asked != "" {
			raw.Turn = &trace.RawTurn{
				ID: id, Who: who.Person, Identity: who.Identity, Direct: who.Direct, Message: "m-" + id, Began: raw.At, Asked: asked,
				Answered: "It is written.", Ending: agent.Answered, Skills: []trace.Use{{Skill: s.Name, Revision: s.InForce}},
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
	task, err := trace.Get(w.ctx, w.store, trace.ShardOf(who.Place), heard.id)
	if err != nil {
		w.Fatal(err)
	}
	seen, err := learning.ObservationOf(w.ctx, w.store, trace.ShardOf(who.Place), heard.id)
	if err != nil {
		w.Fatal(err)
	}
	return propose.Case{Who: who, Task: task.Value, Observed: seen, Model: "test-model", Unattended: true}
}

func (w *world) handOver(raw trace.Raw) {
	w.Helper()
	b := storage.On(trace.ShardOf(raw.Place))
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
