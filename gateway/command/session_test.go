package command_test

import (
	"context"
	"strings"
	"testing"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
)

// sitting counts what is done to a session.
type sitting struct {
	command.Session
	stops, resets int
}

// Stop implements command.Session.
func (s *sitting) Stop(context.Context, person.ID) int { s.stops++; return 0 }

// Reset implements command.Session.
func (s *sitting) Reset(context.Context) error { s.resets++; return nil }

func TestNewLosesNothingThatStandsBehindIt(t *testing.T) {
	for _, c := range []struct {
		args, said string
		resets     int
	}{
		{"", "A fresh start.", 1},
		{" ", "A fresh start.", 1},
		{"write a plan", "`/new` takes nothing after it", 0},
		{"\nwrite a plan", "takes nothing after it", 0},
	} {
		t.Run(c.args, func(t *testing.T) {
			s := &sitting{}
			post, err := command.NewTable(command.ForSession(nil)).Run(t.Context(), command.Call{
				Who:     person.Principal{Role: person.Member},
				Event:   chat.Event{Command: &chat.CommandCall{Name: "new", Args: c.args}},
				Session: s,
			})
			if err != nil || !strings.Contains(post.Markdown, c.said) {
				t.Errorf("said %q, %v; want %q", post.Markdown, err, c.said)
			}
			if s.resets != c.resets || s.stops != c.resets {
				t.Errorf("%d stops and %d resets, want %d", s.stops, s.resets, c.resets)
			}
		})
	}
}
