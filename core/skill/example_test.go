package skill_test

import (
	"context"
	"fmt"
	"log/slog"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/storage"
	"talaria/storage/sqlite"
)

// What was learned in a conversation waits for its person's yes.
func Example() {
	ctx := context.Background()
	driver, err := sqlite.Open(ctx, ":memory:", sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	store := storage.New(driver)
	defer store.Close()
	directory, err := person.Open(ctx, store, person.Config{ConsoleAdmin: true}, slog.New(slog.DiscardHandler))
	if err != nil {
		fmt.Println(err)
		return
	}
	author := chat.Author{Identity: chat.Identity{Platform: "console"}}
	me, err := directory.Resolve(ctx, author, chat.Address{Platform: "console", Chat: "terminal"}, true)
	if err != nil {
		fmt.Println(err)
		return
	}

	library := skill.New(store, directory, skill.Config{}, slog.New(slog.DiscardHandler))
	out, err := library.Propose(ctx, me, skill.Proposal{
		Ref: skill.Ref{Scope: skill.Here(me), Name: "weekly-report"},
		Files: manifest.Bundle{manifest.MainFile: []byte(
			"---\nname: weekly-report\ndescription: Write the weekly report.\n---\n\n1. Collect what was done.\n")},
		ByAgent: true, Origin: chat.Member, Reason: "done three times",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _, err = library.View(ctx, me, "weekly-report", "")
	fmt.Println(out.Revision.State, "-", err)

	// The card shows the revision and its hash; the button brings both back.
	if _, err := library.Approve(ctx, me, out.Revision.Ref, out.Revision.Hash); err != nil {
		fmt.Println(err)
		return
	}
	s, text, err := library.View(ctx, me, "weekly-report", "")
	fmt.Println(s.State, len(text), err)
	// Output:
	// draft - view "weekly-report": this skill is not in use
	// active 93 <nil>
}
