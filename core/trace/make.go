package trace

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"talaria/core/chat"
)

// The most that a task keeps. Characters are kept after redaction.
const (
	maxSteps    = 200
	maxTurns    = 60
	maxAsked    = 2000
	maxAnswered = 4000
	maxThought  = 1000
	maxCall     = 1000
	maxResult   = 1000
	maxOutside  = 300 // of what comes from outside: enough to see what it was
)

// Begin is a new task from its first turn. Where that is a yes, the request is
// the question.
func (r *Redactor) Begin(raw Raw, start Start, after string) Task {
	t := raw.Turn
	task := Task{
		ID: taskID(t.Began, raw.Session, t.ID), Session: raw.Session, Person: t.Who, Asker: t.Identity,
		Place: raw.Place, Direct: t.Direct, Start: start, After: after, Request: r.text(cmp.Or(t.Asked, t.Question), maxAsked), Job: r.text(t.Job, maxAsked),
	}
	return r.Continue(task, raw)
}

// idTime is how an id begins, so that ids sort by time.
const idTime = "20060102T150405Z"

// taskID is the same for the same first turn, and sorts by time.
func taskID(at time.Time, session, turn string) string {
	sum := sha256.Sum256([]byte(session + "\x00" + turn))
	return at.UTC().Format(idTime) + "-" + hex.EncodeToString(sum[:5])
}

// Continue adds a turn to a task. A turn that is in it already changes nothing.
func (r *Redactor) Continue(task Task, raw Raw) Task {
	t := raw.Turn
	if slices.ContainsFunc(task.Turns, func(have Turn) bool { return have.ID == t.ID }) {
		return task
	}
	turn := Turn{
		ID: t.ID, Who: t.Who, Message: t.Message, Began: t.Began, Ended: raw.At, Ending: t.Ending, Stopped: t.Stopped,
		Tokens: t.Tokens, Asked: r.text(t.Asked, maxAsked), Answered: r.text(t.Answered, maxAnswered),
	}
	for _, s := range t.Steered {
		turn.Steered = append(turn.Steered, r.text(s, maxAsked))
	}
	if len(task.Turns) >= maxTurns { // the request stays
		task.Turns = slices.Delete(slices.Clone(task.Turns), 1, 2)
		task.Steps = shifted(task.Steps)
	}
	at := len(task.Turns)
	task.Turns = append(slices.Clone(task.Turns), turn)
	task.Steps = slices.Clone(task.Steps)
	for _, s := range t.Steps {
		s.Turn = at
		task.Steps = append(task.Steps, r.step(s))
		if s.Kind == ToolCall {
			task.Calls++
		}
	}
	markRecoveries(task.Steps)
	if over := len(task.Steps) - maxSteps; over > 0 {
		task.Steps = slices.Delete(task.Steps, maxSteps/4, maxSteps/4+over)
		task.Left += over
	}
	for _, u := range t.Skills {
		if !slices.Contains(task.Skills, u) {
			task.Skills = append(slices.Clone(task.Skills), u)
		}
	}
	return task
}

// shifted are the steps without those of turn 1, which was dropped.
func shifted(steps []Step) []Step {
	out := make([]Step, 0, len(steps))
	for _, s := range steps {
		if s.Turn == 1 {
			continue
		}
		if s.Turn > 1 {
			s.Turn--
		}
		out = append(out, s)
	}
	return out
}

// step redacts a step and says why it failed.
func (r *Redactor) step(s Step) Step {
	limit := map[Kind]int{Thought: maxThought, ToolCall: maxCall, Observation: maxResult}[s.Kind]
	if s.Kind == Observation && s.Origin >= chat.External {
		limit = maxOutside
	}
	if s.Kind == Observation && !s.Success {
		s.Error = errorKind(s.Text)
	}
	s.Text = r.text(s.Text, limit)
	s.Tool = r.text(s.Tool, 64)
	return s
}

// markRecoveries finds calls that worked after the same tool had failed.
func markRecoveries(steps []Step) {
	failed := map[string]bool{}
	for n := range steps {
		s := &steps[n]
		switch {
		case s.Kind != Observation:
		case s.Success:
			s.Recovery = failed[s.Tool]
			delete(failed, s.Tool)
		case s.Error.Counts():
			failed[s.Tool] = true
		}
	}
}

// text redacts each part of a text that was cut, and cuts it to a number of
// characters.
func (r *Redactor) text(s string, limit int) string {
	parts := strings.Split(s, gap)
	for n := range parts {
		parts[n] = r.Redact(parts[n])
	}
	return shorten(strings.Join(parts, gap), limit)
}

// shorten keeps the head of a text and, of a long one, a piece of its tail.
func shorten(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	runes := []rune(s)
	head := limit * 2 / 3
	return string(runes[:head]) + gap + string(runes[len(runes)-(limit-head):])
}
