package command_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
)

// leaving is a person's code and whether they are forgotten, which takes the
// code with it.
type leaving struct {
	command.Rights
	code   string
	times  int
	broken error // of the next call that forgets
}

func (l *leaving) Confirm(_ context.Context, _ person.Principal, code string) error {
	switch {
	case l.code == "" && l.times > 0:
		return command.ErrForgotten
	case l.code != code:
		return command.ErrCode
	}
	return nil
}

func (l *leaving) Forget(context.Context, person.Principal, string) error {
	l.code = "" // the first thing that goes
	if l.broken != nil {
		err := l.broken
		l.broken = nil
		return err
	}
	l.times++
	return nil
}

func TestForgettingThatWasCutOffGoesOnWithoutItsCode(t *testing.T) {
	l := &leaving{code: "abcd2345", broken: errors.New("cut off")}
	table := command.NewTable(command.ForRights(l))
	kept := ""
	send := func(code string) (string, error) {
		post, err := table.Run(t.Context(), command.Call{
			Who: person.Principal{Role: person.Guest, Direct: true}, Event: chat.Event{Command: &chat.CommandCall{Name: "forget", Args: "me " + code}},
			Chosen: kept, Keep: func(_ context.Context, c string) error { kept = c; return nil },
		})
		return post.Markdown, err
	}
	if said, err := send("wrong"); err != nil || !strings.Contains(said, "Nothing was erased") || l.code == "" || kept != "" {
		t.Errorf("a wrong code: %q, %v", said, err)
	}
	if said, err := send("abcd2345"); err == nil {
		t.Fatalf("not cut off: %q", said)
	}
	for _, when := range []string{"run again", "and again, before the answer was kept"} {
		if said, err := send("abcd2345"); err != nil || !strings.Contains(said, "You are forgotten") || l.times != 1 {
			t.Errorf("%s: forgotten %d times: %q, %v", when, l.times, said, err)
		}
	}
	kept = "" // the person sends it again
	if said, err := send("abcd2345"); err != nil || !strings.Contains(said, "you were forgotten") || l.times != 1 {
		t.Errorf("the code repeated: forgotten %d times: %q, %v", l.times, said, err)
	}
}
