package skill_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"go.uber.org/goleak"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/storage"
	"talaria/storage/teststore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The people: an admin, two approvers, two members, and a guest.
var (
	ada, ben, bea = account("ada"), account("ben"), account("bea")
	cy, dee, gus  = account("cy"), account("dee"), account("gus")
	eve           = account("eve") // of whom the configuration says nothing

	general = chat.Address{Platform: "slack", Workspace: "T1", Chat: "C-general"}
	ops     = chat.Address{Platform: "slack", Workspace: "T1", Chat: "C-ops"}
)

func account(id string) chat.Identity {
	return chat.Identity{Platform: "slack", Workspace: "T1", ID: id}
}

// world is a store, which can be opened again later, and the people.
type world struct {
	*testing.T
	open      teststore.Opener
	store     *storage.Store
	directory *person.Directory
}

// onEachStore runs a test on both drivers.
func onEachStore(t *testing.T, test func(w *world)) {
	teststore.Each(t, func(t *testing.T, open teststore.Opener) { test(newWorld(t, open)) })
}

func onSQLite(t *testing.T) *world {
	return newWorld(t, teststore.SQLite(t))
}

// inMemory is a world that leaves nothing behind; its store is to be closed.
func inMemory(t *testing.T) *world {
	return newWorld(t, func(time.Duration) *storage.Store { return teststore.Memory(t) })
}

func newWorld(t *testing.T, open teststore.Opener) *world {
	w := &world{T: t, open: open, store: open(0)}
	var err error
	w.directory, err = person.Open(t.Context(), w.store, person.Config{
		Admins:    []chat.Identity{ada},
		Approvers: []chat.Identity{ben, bea},
		People:    map[string][]chat.Identity{"slack": {cy, dee}},
	}, quiet())
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func (w *world) library(c skill.Config, checks ...skill.Check) *skill.Library {
	return skill.New(w.store, w.directory, c, quiet(), checks...)
}

// in is somebody who acts in a shared place, dm in their direct conversation.
func (w *world) in(i chat.Identity, place chat.Address) person.Principal {
	return w.resolve(chat.Author{Identity: i}, place, false)
}

func (w *world) dm(i chat.Identity) person.Principal {
	return w.resolve(chat.Author{Identity: i}, chat.Address{Platform: i.Platform, Workspace: i.Workspace, Chat: "D-" + i.ID}, true)
}

func (w *world) resolve(a chat.Author, place chat.Address, direct bool) person.Principal {
	w.Helper()
	p, err := w.directory.Resolve(w.Context(), a, place, direct)
	if err != nil {
		w.Fatal(err)
	}
	return p
}

func (w *world) team() person.TeamID { return w.in(ada, general).Team }

// document is a SKILL.md with more lines of front matter.
func document(name, body string, more ...string) manifest.Bundle {
	text := "---\nname: " + name + "\ndescription: How to " + name + ".\n"
	for _, line := range more {
		text += line + "\n"
	}
	return manifest.Bundle{manifest.MainFile: []byte(text + "---\n\n" + body + "\n")}
}

// Lines of front matter that ask for rights.
const (
	asksNetwork = "permissions:\n  hosts: [api.example.org]"
	asksJobs    = "permissions:\n  schedules: true"
)

func change(s skill.Scope, name string, files manifest.Bundle) skill.Proposal {
	return skill.Proposal{Ref: skill.Ref{Scope: s, Name: name}, Files: files, ByAgent: true, Origin: chat.Member}
}

func must[T any](v T, err error) func(w *world) T {
	return func(w *world) T {
		w.Helper()
		if err != nil {
			w.Fatal(err)
		}
		return v
	}
}

// draft is a proposal that waits for a decision.
func (w *world) draft(l *skill.Library, p person.Principal, pr skill.Proposal) skill.Revision {
	w.Helper()
	out := must(l.Propose(w.Context(), p, pr))(w)
	if out.Live {
		w.Fatalf("%q went live at once", pr.Ref.Name)
	}
	return out.Revision
}

// approved is a skill that by has approved.
func (w *world) approved(l *skill.Library, by person.Principal, pr skill.Proposal) skill.Revision {
	w.Helper()
	r := w.draft(l, by, pr)
	return must(l.Approve(w.Context(), by, r.Ref, r.Hash))(w)
}

func (w *world) refuses(err, want error) {
	w.Helper()
	if !errors.Is(err, want) {
		w.Errorf("got error %v, want %v", err, want)
	}
}

func (w *world) text(l *skill.Library, p person.Principal, name string) string {
	_, data, err := l.View(w.Context(), p, name, "")
	if err != nil {
		return fmt.Sprintf("%v", errors.Unwrap(err))
	}
	return string(data)
}

// running runs a library until the test ends.
func (w *world) running(l *skill.Library) {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- l.Run(ctx) }()
	w.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			w.Error(err)
		}
	})
}
