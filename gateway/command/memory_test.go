package command_test

import (
	"strings"
	"testing"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/storage"
	"talaria/storage/sqlite"
)

func TestAChangeOfMemoryIsUndoneByItsNumber(t *testing.T) {
	d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := storage.New(d)
	defer s.Close()
	who := person.Principal{Person: "ann", Role: person.Member, Direct: true, Place: chat.Address{Platform: "test", Chat: "ann"}}
	for _, text := range []string{"the cat is called Minka", "the dog is called Rex"} {
		if _, err := memory.For(s, who).Add(t.Context(), memory.Work, text, memory.Source{Origin: chat.Member}); err != nil {
			t.Fatal(err)
		}
	}
	run := command.ForMemory(s, nil, nil, nil)[0].Run
	for _, c := range []struct{ args, want string }{
		{"undo 1", "no longer remembered: the cat is called Minka"}, {"undo 77", "no change 77"}, {"", "the dog is called Rex"},
	} {
		post, err := run(t.Context(), command.Call{Who: who, Args: c.args})
		if err != nil || !strings.Contains(post.Markdown, c.want) {
			t.Errorf("%q: %q, %v", c.args, post.Markdown, err)
		}
	}
	if cards, err := memory.For(s, who).List(t.Context()); err != nil || len(cards) != 1 {
		t.Errorf("%d cards are left, %v", len(cards), err)
	}
}
