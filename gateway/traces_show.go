package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"talaria/core/learning"
	"talaria/core/text"
	"talaria/core/trace"
)

// show writes a task for people.
func (t traced) show(w io.Writer) {
	task := t.Task
	fmt.Fprintf(w, "task      %s (%s)\nplace     %s\nrequest   %s\n", task.ID, task.Start, printable(task.Place.String()), brief(cmp.Or(task.Request, task.Job), 200))
	for _, u := range task.Skills {
		fmt.Fprintf(w, "skill     %s, revision %d\n", u.Skill, u.Revision)
	}
	for n, turn := range task.Turns {
		fmt.Fprintf(w, "\n%s  asked: %s\n", turn.Began.Format(time.DateTime), brief(turn.Asked, 200))
		for _, s := range task.Steps {
			if s.Turn == n {
				fmt.Fprintln(w, stepLine(s))
			}
		}
		fmt.Fprintf(w, "  %s after %s: %s\n", turn.Ending, turn.Ended.Sub(turn.Began).Round(time.Millisecond), brief(turn.Answered, 200))
	}
	if task.Left > 0 {
		fmt.Fprintf(w, "\n(steps in the middle that are not kept: %d)\n", task.Left)
	}
	if t.Observation != nil {
		showObservation(w, *t.Observation)
	}
}

func stepLine(s trace.Step) string {
	what := s.Tool
	switch {
	case s.Kind == trace.Observation && s.Error != "":
		what += " failed (" + string(s.Error) + ")"
	case s.Recovery:
		what += " recovered"
	}
	return fmt.Sprintf("  +%-8s %-11s %s %s", s.Offset.Round(time.Millisecond), s.Kind, printable(what), brief(s.Text, 100))
}

func showObservation(w io.Writer, o learning.Observed) {
	result := "success"
	if !o.Success {
		result = "no success: " + o.Why
	}
	state := "provisional"
	if o.Settled {
		state = "settled"
	}
	fmt.Fprintf(w, "\nobserved  %s (%s)\nmeasured  steps: %d, tokens: %d, efficiency: %.2f, learning value: %.1f, tasks alike before: %d\n",
		result, state, o.Steps, o.Tokens, o.Efficiency, o.Value, o.Similar)
	for _, f := range o.Feedback {
		fmt.Fprintf(w, "feedback  on answer %d: %s %s\n", f.Turn+1, f.Sign, brief(f.Text, 100))
	}
	for _, r := range o.Recoveries {
		fmt.Fprintf(w, "error     of %s (%s), resolved: %t %s\n", printable(r.Tool), r.Error, r.Resolved, printable(r.Worked))
	}
	fmt.Fprintf(w, "skill     %t: %s\n", o.Gate.Pass, printable(o.Gate.Reason))
}

// brief is the beginning of a text, on one line and harmless to a terminal.
func brief(s string, most int) string {
	return text.Clip(strings.Join(strings.Fields(printable(s)), " "), most)
}

// printable takes out what would steer a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, s)
}
