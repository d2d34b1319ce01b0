package agent

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/core/chat"
)

const (
	keepShare   = 3    // the newest turns are kept up to one part in keepShare
	answerRoom  = 4096 // tokens left for an answer where no limit is set
	summaryTime = time.Minute
	summaryMax  = 1500 // tokens of a summary
	squeezed    = 400  // bytes that remain of a result that has to make way
)

// summaryPrompt is the prefix of the call that sums a conversation up.
//
//go:embed summary.md
var summaryPrompt string

// fitting is the next request, for which room is made while it is expected not
// to fit. When nothing is left to drop, the request is made all the same: the
// model's word counts, not our guess.
func (r *run) fitting(ctx context.Context, more []Message) (Request, error) {
	for {
		q := r.request(more, r.specs)
		if r.l.scale.tokens(estimate(q)) <= r.l.fits() {
			return q, nil
		}
		if made, err := r.makeRoom(ctx); err != nil || !made {
			return q, err
		}
	}
}

// fits is how many tokens of input are taken to fit: the window without the
// answer, less a margin for the guess.
func (l *Loop) fits() int {
	answer := l.cfg.Answer
	orDefault(&answer, answerRoom)
	return max(l.cfg.Window*9/10-answer, l.cfg.Window/4)
}

// shrink makes room after the model refused a request for its length.
func (r *run) shrink(ctx context.Context) error {
	made, err := r.makeRoom(ctx)
	if err == nil && !made {
		e := &ModelError{Kind: ModelTooLong, Model: r.model.Name(), Err: fmt.Errorf("nothing left to drop")}
		err = &broken{r.brokenWords(e), e}
	}
	return err
}

// makeRoom takes the next of three measures that has an effect: fold all but
// the newest turns, fold the whole history, cut this turn's older results.
func (r *run) makeRoom(ctx context.Context) (bool, error) {
	for r.folds < 2 {
		n := len(r.history)
		if r.folds == 0 {
			n = foldable(r.history, r.keep(), &r.l.scale)
		}
		r.folds++
		if n > 1 || n == 1 && !isSummary(r.history[0]) {
			return true, r.foldAway(ctx, n)
		}
	}
	return squeeze(r.own), nil
}

// keep is how many tokens of the history stay: a share of the window, or of
// what there is, where the model found less than the window too long.
func (r *run) keep() int {
	return min(r.l.cfg.Window, r.l.scale.tokens(estimateAll(r.history))) / keepShare
}

// foldable is how many of the oldest messages go so that the newest turns fit
// into keep tokens whole. A turn begins where a person speaks after an answer.
func foldable(history []Message, keep int, s *scale) int {
	cutAt := len(history)
	for n := len(history) - 1; n > 0; n-- {
		begins := history[n].Role == User && history[n-1].Role == Assistant && len(history[n-1].Calls) == 0
		if !begins {
			continue
		}
		if s.tokens(estimateAll(history[n:])) > keep {
			break
		}
		cutAt = n
	}
	return cutAt
}

// foldAway replaces the n oldest messages of the history by a summary, after
// what matters in them was offered to be saved.
func (r *run) foldAway(ctx context.Context, n int) error {
	dropped := r.history[:n]
	r.losing(ctx, dropped)
	summary, usage := r.summarise(ctx, dropped)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	f := Folded{Messages: n, Summary: Message{Role: User, Text: summaryOpen + summary + summaryShut, Origin: chat.Member}}
	for _, m := range dropped {
		f.Summary.Origin = chat.Worst(f.Summary.Origin, m.Origin)
	}
	if err := r.record(ctx, Entry{Folded: &f, Usage: usage}); err != nil {
		return err
	}
	r.fold(f)
	return nil
}

// losing offers messages to be saved, within the time that the turn has.
func (r *run) losing(ctx context.Context, dropped []Message) {
	if r.hooks.Losing == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, r.until.Sub(r.l.cfg.Now()))
	defer cancel()
	r.hooks.Losing(ctx, dropped)
}

func (r *run) fold(f Folded) {
	n := min(f.Messages, len(r.history))
	r.history = append([]Message{f.Summary}, r.history[n:]...)
	r.folded = true
	r.taint(f.Summary)
}

// The delimiters of a summary in the history.
const (
	summaryOpen = "<summary of the earlier conversation, as data>\n"
	summaryShut = "\n</summary>"
)

func isSummary(m Message) bool { return m.Role == User && strings.HasPrefix(m.Text, summaryOpen) }

// summarise has the model sum messages up. Where it can't, a digest made by
// rule stands in, and there is no usage.
func (r *run) summarise(ctx context.Context, dropped []Message) (string, *Usage) {
	q := Request{
		Prefix: summaryPrompt, MaxTokens: summaryMax, Session: r.turn.Session,
		Messages: []Message{{Role: User, Text: transcript(dropped, r.l.cfg.Window)}},
	}
	if r.calls+2 > r.l.cfg.Budgets.Calls || !r.affords(q, 2) {
		return digest(dropped), nil
	}
	q = r.bounded(q)
	by := r.l.cfg.Now().Add(summaryTime)
	if r.until.Before(by) {
		by = r.until
	}
	before := r.usage
	got, err := r.stream(ctx, q, by, unseen)
	text := strings.TrimSpace(withoutThoughts(got.text))
	if err != nil || text == "" || got.stop == StopRefused {
		r.l.cfg.Log.Warn("conversation summed up by rule", "turn", r.turn.ID, "cause", err)
		text = digest(dropped)
	}
	usage := r.usage.minus(before)
	return text, &usage
}

func (u Usage) minus(v Usage) Usage {
	return Usage{u.Input - v.Input, u.CacheRead - v.CacheRead, u.CacheWrite - v.CacheWrite, u.Output - v.Output}
}

// squeeze cuts the results of all steps but the last one, and that one's too
// where there is nothing else. It reports whether anything became shorter.
func squeeze(own []Message) bool {
	last := -1
	done := false
	for n := range own {
		if own[n].Role == ToolRole {
			if last >= 0 {
				done = cutResults(&own[last], squeezed) || done
			}
			last = n
		}
	}
	if !done && last >= 0 {
		done = cutResults(&own[last], 10*squeezed)
	}
	return done
}

func cutResults(m *Message, limit int) bool {
	done := false
	m.Results = slices.Clone(m.Results)
	for n, o := range m.Results {
		if len(o.Text) > 2*limit {
			m.Results[n].Text, done = cut(o.Text, limit), true
		}
	}
	return done
}
