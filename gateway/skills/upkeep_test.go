package skills_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/learning/curate"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/core/trace"
	"talaria/gateway/command"
	"talaria/gateway/skills"
	"talaria/storage"
	"talaria/storage/sqlite"
)

var (
	ann    = chat.Identity{Platform: "slack", Workspace: "T1", ID: "ann"}
	annsDM = chat.Address{Platform: "slack", Workspace: "T1", Chat: "D-ann"}
)

// kept is a desk with a curator over a real store, and what was told.
type kept struct {
	*testing.T
	desk     *skills.Desk
	library  *skill.Library
	curator  *curate.Curator
	switches curate.Switches
	store    *storage.Store
	who      person.Principal
	told     []chat.Post
	places   []chat.Address
}

// curator is the product's, put together as the program does.
type curator struct {
	*curate.Curator
	switches curate.Switches
	library  *skill.Library
}

func (c curator) Unswitch(ctx context.Context, who person.Principal) (curate.Switch, []string, error) {
	return c.switches.Undo(ctx, who, c.library)
}

func newKept(t *testing.T) *kept {
	t.Helper()
	d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	k := &kept{T: t, store: storage.New(d)}
	t.Cleanup(func() { _ = k.store.Close() })
	log := slog.New(slog.DiscardHandler)
	people, err := person.Open(t.Context(), k.store, person.Config{Admins: []chat.Identity{ann}}, log)
	if err != nil {
		t.Fatal(err)
	}
	if k.who, err = people.Resolve(t.Context(), chat.Author{Identity: ann}, annsDM, true); err != nil {
		t.Fatal(err)
	}
	if err := people.Been(t.Context(), k.who); err != nil {
		t.Fatal(err)
	}
	k.library = skill.New(k.store, people, skill.Config{}, log)
	k.desk = skills.New(skills.Config{
		IsCommand: func(name string) bool { return name == "help" },
		Library:   k.library, Directory: people, Store: k.store, Log: log,
		Tell: func(_ context.Context, _ string, at chat.Address, p chat.Post) error {
			k.told, k.places = append(k.told, p), append(k.places, at)
			return nil
		},
		Link:    func(chat.Address, string) string { return "" },
		Curator: func() skills.Curator { return curator{k.curator, k.switches, k.library} },
	})
	k.switches = curate.Switches{Store: k.store, Upkeep: k.library.Upkeep(), Tell: k.desk.Switched}
	k.curator = curate.New(curate.Config{
		Store: k.store, Upkeep: k.library.Upkeep(), Log: log, Announce: k.desk.Curated, Tell: k.desk.Reported, Post: k.desk.Digested,
		Team: func(context.Context, skill.Scope) (person.TeamID, error) { return k.who.Team, nil },
	})
	return k
}

// learned is a skill of ann's with uses: "+" helped, "-" did not.
func (k *kept) learned(name, outcomes string) skill.Ref {
	k.Helper()
	ref := k.proposed(name, true)
	for n, o := range outcomes {
		_, err := k.library.Upkeep().Record(k.Context(), ref, skill.Use{Task: name + string(rune('a'+n)), Number: 1, Success: o == '+'})
		if err != nil {
			k.Fatal(err)
		}
	}
	return ref
}

// proposed is a skill of ann's in force, written by the bot or by her.
func (k *kept) proposed(name string, byAgent bool) skill.Ref {
	k.Helper()
	ref := skill.Ref{Scope: skill.OfPerson(k.who.Person), Name: name}
	files := manifest.Bundle{manifest.MainFile: []byte("---\nname: " + name + "\ndescription: How to " + name + ".\n---\n\nDo it.\n")}
	out, err := k.library.Propose(k.Context(), k.who, skill.Proposal{Ref: ref, Files: files, ByAgent: byAgent, Origin: chat.Member})
	if err == nil && !out.Live {
		_, err = k.library.Approve(k.Context(), k.who, out.Revision.Ref, out.Revision.Hash)
	}
	if err != nil {
		k.Fatal(err)
	}
	return ref
}

func (k *kept) run(line string) string {
	k.Helper()
	post, err := k.desk.Commands()[0].Run(k.Context(), command.Call{Who: k.who, Event: chat.Event{}, Args: line})
	if r, ok := errors.AsType[*command.Refusal](err); ok {
		return r.Post.Markdown
	}
	if err != nil {
		k.Fatal(err)
	}
	return post.Markdown
}

func (k *kept) press(b chat.Button) string {
	k.Helper()
	for _, a := range k.desk.Actions() {
		if a.Name != b.Action {
			continue
		}
		done, err := a.Run(k.Context(), command.Press{Who: k.who, Token: b.Token})
		if err != nil {
			k.Fatal(err)
		}
		return done.Say.Markdown
	}
	k.Fatalf("no action %q", b.Action)
	return ""
}

func (k *kept) state(r skill.Ref) skill.State {
	k.Helper()
	s, err := k.library.Upkeep().Skill(k.Context(), r)
	if err != nil {
		k.Fatal(err)
	}
	return s.State
}

func TestAFailingSkillIsReportedWithButtons(t *testing.T) {
	k := newKept(t)
	r := k.learned("brew-tea", "+----")
	if got := k.run("list"); !strings.Contains(got, "used 5×, 1 succeeded") {
		t.Errorf("list: %s", got)
	}
	if got := k.run("cleanup --dry-run"); !strings.Contains(got, "prune brew-tea: 20 % of the last 5 uses succeeded") {
		t.Errorf("dry run: %s", got)
	}
	if err := k.curator.Nightly(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(k.told) != 1 || k.places[0] != annsDM || !strings.Contains(k.told[0].Markdown, "fails more often than it helps") || len(k.told[0].Buttons) != 3 {
		t.Fatalf("told %+v at %v", k.told, k.places)
	}
	if got := k.press(k.told[0].Buttons[0]); !strings.Contains(got, "stays as it is") {
		t.Errorf("keep: %s", got)
	}
	if got := k.press(k.told[0].Buttons[1]); !strings.Contains(got, "nothing better") {
		t.Errorf("improve, without a model: %s", got)
	}
	if got := k.press(k.told[0].Buttons[2]); !strings.Contains(got, "/skills restore brew-tea") || k.state(r) != skill.Archived {
		t.Errorf("archive: %s, it is %s", got, k.state(r))
	}
}

func TestTheDigestIsShownOnRequestAndPosted(t *testing.T) {
	k := newKept(t)
	if got := k.run("digest"); !strings.Contains(got, "often enough") {
		t.Errorf("without skills: %s", got)
	}
	k.learned("brew-tea", "++---+")
	k.learned("water-plants", "++++++")
	if err := k.curator.Weekly(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, got := range []string{k.run("digest"), k.told[0].Markdown} {
		if !strings.Contains(got, "Improve: they could do better") || !strings.Contains(got, "`water-plants` (revision 1): 100 % of the last 6 uses") {
			t.Errorf("digest: %s", got)
		}
	}
}

func TestSkillsAreListedByWhoWroteThemAndByTheirAge(t *testing.T) {
	k := newKept(t)
	k.proposed("walk-dog", false)
	for _, name := range []string{"air-rooms", "brew-tea"} {
		k.learned(name, "")
		for changed := time.Now(); !time.Now().Truncate(time.Millisecond).After(changed); { // the grain of the store's clock
		}
	}
	if got := k.run("list"); strings.Index(got, "air-rooms") > strings.Index(got, "brew-tea") || !strings.Contains(got, "walk-dog") {
		t.Errorf("not by name: %s", got)
	}
	if got := k.run("list --source auto --sort recent"); strings.Index(got, "brew-tea") > strings.Index(got, "air-rooms") || strings.Contains(got, "walk-dog") {
		t.Errorf("of those that the bot wrote the latest is not first: %s", got)
	}
	if got := k.run("list --sort size"); !strings.Contains(got, "--sort recent") {
		t.Errorf("an order that there is none of: %s", got)
	}
}

func TestAGuestGetsNoDigestAndNoImprovement(t *testing.T) {
	k := newKept(t)
	k.learned("brew-tea", "+----")
	k.who.Role = person.Guest
	for _, line := range []string{"digest", "improve brew-tea", "cleanup --dry-run"} {
		if got := k.run(line); !strings.Contains(got, "did not work") {
			t.Errorf("%s: %s", line, got)
		}
	}
}

func TestAChangedPreferenceIsToldAndUndoneByOneCommand(t *testing.T) {
	k := newKept(t)
	r := k.learned("python-scripts", "+")
	const card = "I write scripts in Python."
	if _, err := memory.For(k.store, k.who).Add(t.Context(), memory.Work, card, memory.Source{Origin: chat.Member, Spoken: card}); err != nil {
		t.Fatal(err)
	}
	if err := k.switches.Said(t.Context(), k.who, "task", trace.Turn{ID: "turn", Who: k.who.Person, Message: "m1", Asked: "I use Go now, not Python"}); err != nil {
		t.Fatal(err)
	}
	if len(k.told) != 1 || k.state(r) != skill.Archived {
		t.Fatalf("told %+v, it is %s", k.told, k.state(r))
	}
	for _, want := range []string{"Go now, no longer Python", "put away: `python-scripts`", "less sure now: " + card, "/skills undo"} {
		if !strings.Contains(k.told[0].Markdown, want) {
			t.Errorf("not told %q:\n%s", want, k.told[0].Markdown)
		}
	}
	if got := k.run("undo"); !strings.Contains(got, "Back in use: `python-scripts`") || k.state(r) != skill.Active {
		t.Errorf("undo: %s, it is %s", got, k.state(r))
	}
	if got := k.run("undo"); !strings.Contains(got, "no change of your preferences") {
		t.Errorf("undone again: %s", got)
	}
}
