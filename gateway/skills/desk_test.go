package skills_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/gateway/command"
	"talaria/gateway/place"
	"talaria/gateway/skills"
	"talaria/storage"
	"talaria/storage/sqlite"
)

var (
	ada, ben, cy = account("ada"), account("ben"), account("cy") // admin, approver, member
	general      = chat.Address{Platform: "slack", Workspace: "T1", Chat: "C-general"}
)

func account(id string) chat.Identity {
	return chat.Identity{Platform: "slack", Workspace: "T1", ID: id}
}

func direct(i chat.Identity) chat.Address {
	return chat.Address{Platform: "slack", Workspace: "T1", Chat: "D-" + i.ID}
}

// told is what a desk said unasked, once for each key.
type told struct {
	to   chat.Address
	post chat.Post
}

// hashes calls channels by what follows "C-" in their ids.
type hashes struct{}

func (hashes) Names(_ context.Context, a chat.Address) ([]string, error) {
	if name, ok := strings.CutPrefix(a.Chat, "C-"); ok {
		return []string{name}, nil
	}
	return nil, nil
}

// world is a desk over a store that can be looked at later.
type world struct {
	*testing.T
	path      string
	directory *person.Directory
	library   *skill.Library
	desk      *skills.Desk
	keys      map[string]bool
	said      []told
}

func newWorld(t *testing.T) *world {
	w := &world{T: t, path: filepath.Join(t.TempDir(), "t.db"), keys: map[string]bool{}}
	w.at(0)
	for _, i := range []chat.Identity{ada, ben, cy} { // everybody has written in private
		if err := w.directory.Been(t.Context(), w.dm(i)); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// at opens everything as it is some time from now.
func (w *world) at(later time.Duration) {
	w.Helper()
	driver, err := sqlite.Open(w.Context(), w.path, sqlite.Options{ClockOffset: later})
	if err != nil {
		w.Fatal(err)
	}
	s := storage.New(driver)
	w.Cleanup(func() { s.Close() })
	log := slog.New(slog.DiscardHandler)
	w.directory, err = person.Open(w.Context(), s, person.Config{
		Admins: []chat.Identity{ada}, Approvers: []chat.Identity{ben}, Everyone: map[string]bool{"slack": true},
	}, log)
	if err != nil {
		w.Fatal(err)
	}
	w.library = skill.New(s, w.directory, skill.Config{}, log)
	w.desk = skills.New(skills.Config{
		IsCommand: func(name string) bool { return name == "help" },
		Library:   w.library, Directory: w.directory, Store: s, Log: log,
		Places: place.New(w.directory, map[string]chat.Namer{"slack": hashes{}}, log),
		Link:   func(_ chat.Address, message string) string { return "https://chat.example/" + message },
		Tell: func(_ context.Context, key string, to chat.Address, post chat.Post) error {
			if !w.keys[key] {
				w.keys[key] = true
				w.said = append(w.said, told{to, post})
			}
			return nil
		},
	})
}

func (w *world) dm(i chat.Identity) person.Principal { return w.resolve(i, direct(i), true) }

func (w *world) here(i chat.Identity) person.Principal { return w.resolve(i, general, false) }

func (w *world) resolve(i chat.Identity, at chat.Address, alone bool) person.Principal {
	w.Helper()
	p, err := w.directory.Resolve(w.Context(), chat.Author{Identity: i, Name: i.ID}, at, alone)
	if err != nil {
		w.Fatal(err)
	}
	return p
}

// run is what a command answers.
func (w *world) run(p person.Principal, line string) string {
	w.Helper()
	return w.post(p, line).Markdown
}

// post is the whole of it, with its buttons.
func (w *world) post(p person.Principal, line string) chat.Post {
	w.Helper()
	post, err := w.desk.Commands()[0].Run(w.Context(), command.Call{Who: p, Args: line})
	if r, ok := errors.AsType[*command.Refusal](err); ok {
		return r.Post
	}
	if err != nil {
		w.Fatal(err)
	}
	return post
}

// press is what the button of a label under a card comes to.
func (w *world) press(p person.Principal, card chat.Post, label string) command.Reaction {
	w.Helper()
	for _, b := range card.Buttons {
		for _, a := range w.desk.Actions() {
			if b.Label == label && a.Name == b.Action {
				r, err := a.Run(w.Context(), command.Press{Who: p, Token: b.Token})
				if err != nil {
					w.Fatal(err)
				}
				return r
			}
		}
	}
	w.Fatalf("no button %q in %v", label, card.Buttons)
	return command.Reaction{}
}

func (w *world) remind() []told {
	w.Helper()
	before := len(w.said)
	if err := w.desk.Remind(w.Context()); err != nil {
		w.Fatal(err)
	}
	return w.said[before:]
}

func document(name string, more ...string) string {
	return "---\nname: " + name + "\ndescription: How to " + name + "\n" + strings.Join(append(more, "---"), "\n") + "\n\n1. Begin.\n"
}

func TestForgottenDraftsAreToldOfTwice(t *testing.T) {
	w := newWorld(t)
	w.run(w.here(cy), "import\n"+document("tea"))
	w.run(w.here(cy), "import\n"+document("coffee"))
	w.run(w.dm(cy), "import\n"+document("alone"))
	if got := w.remind(); len(got) != 0 {
		t.Errorf("reminded at once: %v", got)
	}

	w.at(skill.RemindAfter + time.Minute)
	got := w.remind()
	if len(got) != 2 {
		t.Fatalf("told %d places: %+v", len(got), got)
	}
	for _, g := range got {
		one := g.to == direct(cy) && strings.Contains(g.post.Markdown, "alone") && len(g.post.Buttons) == 4
		several := g.to == general && strings.Contains(g.post.Markdown, "tea") && strings.Contains(g.post.Markdown, "coffee")
		if !one && !several {
			t.Errorf("in %s: %q", g.to, g.post.Markdown)
		}
	}
	if got := w.remind(); len(got) != 0 {
		t.Errorf("reminded again: %v", got)
	}

	w.at(skill.DraftFor + time.Minute)
	if got := w.remind(); len(got) != 2 || !strings.Contains(got[0].post.Markdown, "expired") {
		t.Errorf("told of the end: %+v", got)
	}
	if got := w.remind(); len(got) != 0 {
		t.Errorf("told again: %v", got)
	}
}

func TestAFloodOfDraftsIsOneLine(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"one", "two", "three", "four", "five", "six"} {
		w.run(w.here(cy), "import\n"+document(name))
	}
	cards, lines := 0, 0
	for _, s := range w.said {
		if len(s.post.Buttons) > 0 {
			cards++
		} else {
			lines++
		}
	}
	if cards != 3 || lines != 1 {
		t.Errorf("%d cards and %d lines", cards, lines)
	}
}

func TestNewRightsOfAPersonsSkillAreAskedOfTheAdmins(t *testing.T) {
	w := newWorld(t)
	answer := w.run(w.dm(cy), "import\n"+document("lookup", "permissions:", "  hosts: [api.example.org]"))
	if !strings.Contains(answer, "Asks for more than before") || len(w.said) != 1 || w.said[0].to != direct(ada) {
		t.Fatalf("answered %q, told %+v", answer, w.said)
	}
	card := w.said[0].post
	if strings.Contains(card.Markdown, "you alone") {
		t.Errorf("the admin is told that it is theirs: %q", card.Markdown)
	}
	for _, who := range []person.Principal{w.dm(cy), w.dm(ben)} {
		if r := w.press(who, card, "Approve"); !strings.Contains(r.Say.Markdown, "That did not work") || r.Card != nil {
			t.Errorf("%s pressed: %+v", who.Name, r)
		}
	}
	if r := w.press(w.dm(ada), card, "Approve"); r.Card == nil || !strings.Contains(r.Card.Markdown, "Approved by ada") {
		t.Errorf("the admin pressed: %+v", r)
	}
	if _, _, err := w.library.View(t.Context(), w.dm(cy), "lookup", ""); err != nil {
		t.Error(err)
	}
}

func TestTeamSkillsAreAskedWhereTheyComeFrom(t *testing.T) {
	w := newWorld(t)
	w.run(w.here(cy), "import\n"+document("tea"))
	w.press(w.here(ben), w.said[0].post, "Approve")
	w.run(w.here(cy), "publish tea team")
	last := w.said[len(w.said)-1]
	if last.to != general || !strings.Contains(last.post.Markdown, "the whole team") {
		t.Errorf("told %+v", last)
	}
	if r := w.press(w.here(cy), last.post, "Approve"); r.Card != nil {
		t.Errorf("a member approved: %+v", r)
	}
	w.press(w.here(ben), last.post, "Approve")
	elsewhere := w.resolve(cy, chat.Address{Platform: "slack", Workspace: "T1", Chat: "C-other"}, false)
	if got := w.run(elsewhere, ""); !strings.Contains(got, "`tea`") || !strings.Contains(got, "approved by `slack:T1:ben`") {
		t.Errorf("the other channel's page: %q", got)
	}
}

func TestASkillFollowsTheOneItWasTakenFrom(t *testing.T) {
	w := newWorld(t)
	w.run(w.here(cy), "import\n"+document("tea"))
	w.press(w.here(ben), w.said[0].post, "Approve")
	w.run(w.here(cy), "publish tea team")
	w.press(w.here(ben), w.said[len(w.said)-1].post, "Approve")

	mine := w.dm(cy)
	if got := w.run(mine, "subscribe tea"); !strings.Contains(got, "you alone") {
		t.Fatalf("subscribed: %q", got)
	}
	w.run(mine, "approve tea")
	ref := skill.Ref{Scope: skill.OfTeam(w.here(ben).Team), Name: "tea"}
	have, err := w.library.Upkeep().Skill(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	out, err := w.library.Propose(t.Context(), w.here(ben), skill.Proposal{
		Ref: ref, Base: have.Hash, Files: manifest.Bundle{manifest.MainFile: []byte(document("tea") + "2. End.\n")},
	})
	if err == nil {
		_, err = w.library.Approve(t.Context(), w.here(ben), out.Revision.Ref, out.Revision.Hash)
	}
	if err != nil {
		t.Fatal(err)
	}
	got := w.remind()
	if len(got) != 1 || got[0].to != direct(cy) {
		t.Errorf("told %+v", got)
	}
}

func TestSharingIsForPlacesThatOneIsIn(t *testing.T) {
	w := newWorld(t)
	w.run(w.dm(cy), "import\n"+document("tea"))
	w.run(w.dm(cy), "approve tea")
	if got := w.run(w.dm(cy), "share tea <#C-general>"); !strings.Contains(got, "serves your own requests") {
		t.Errorf("shared: %q", got)
	}
	if _, _, err := w.library.View(t.Context(), w.here(cy), "tea", ""); err != nil {
		t.Error(err)
	}
	if _, _, err := w.library.View(t.Context(), w.here(ben), "tea", ""); err == nil {
		t.Error("it serves somebody else")
	}
	if got := w.run(w.here(cy), "share tea stop"); !strings.Contains(got, "no longer used") {
		t.Errorf("ended: %q", got)
	}
}

func TestWhatIsTypedWrongIsAnsweredWithWhatWasMeant(t *testing.T) {
	w := newWorld(t)
	w.run(w.dm(cy), "import\n"+document("tea-round"))
	for line, want := range map[string]string{
		"shwo tea-round": "Did you mean `show`?", "SHOW tea-round": "tea-round", "help": "/skills rollback NAME", "show tea": "Did you mean `tea-round`?",
		"show tae-round": "Did you mean `tea-round`?", "show 会议纪要": "no skill `会议纪要` here. `/skills list`", "approve tae": "no draft of \"tae\" waits",
		"edit nothing": "no skill `nothing`", "edit tea-round": "Reply to this message", "show " + strings.Repeat("x", 5000): "no skill `xxx",
		"diff tea-round 0 9": "is no revision",
	} {
		if got := w.run(w.dm(cy), line); !strings.Contains(got, want) || len(got) > 6000 {
			t.Errorf("%.40s: no %q in %.400s", line, want, got)
		}
	}
}

func TestSettingsAreShownAndSet(t *testing.T) {
	w := newWorld(t)
	w.run(w.dm(cy), "import\n"+document("papers", "config:", "  - key: papers.max", "    description: how many", "    default: 5"))
	w.run(w.dm(cy), "approve papers")
	for _, c := range []struct{ line, want string }{
		{"config papers", "`papers.max` = `5` (the default)"}, {"config papers papers.max=9", "is set for **papers**, for you"},
		{"config papers", "`papers.max` = `9` (set)"}, {"config papers other=1", "asks for no"}, {"config papers papers.max", "Usage"},
		{"config nothing", "no skill `nothing`"},
	} {
		if got := w.run(w.dm(cy), c.line); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", c.line, got)
		}
	}
}

func TestACardSaysHowItEnded(t *testing.T) {
	w := newWorld(t)
	w.run(w.here(cy), "import\n"+document("tea"))
	card := w.said[0].post
	w.run(w.here(ben), "reject tea too hot")
	if r := w.press(w.here(ben), card, "Approve"); r.Card == nil || !strings.Contains(r.Card.Markdown, "Rejected") || !strings.Contains(r.Say.Markdown, "decided already") {
		t.Errorf("pressed a rejected one: %+v", r)
	}
	forged := card
	forged.Buttons = append([]chat.Button(nil), card.Buttons...)
	forged.Buttons[0].Token = "aaaaaaaaaaaaaaaaaaaaaaaaaa"
	if r := w.press(w.here(ada), forged, "Approve"); r.Card != nil || !strings.Contains(r.Say.Markdown, "out of date") {
		t.Errorf("pressed a made-up one: %+v", r)
	}
}

func TestAMembersFormProposesSomethingElse(t *testing.T) {
	w := newWorld(t)
	w.run(w.here(cy), "import\n"+document("tea"))
	card := w.said[0].post
	edit := card.Buttons[2]
	for _, a := range w.desk.Actions() {
		if a.Name != edit.Action {
			continue
		}
		form, err := a.Form(t.Context(), command.Press{Who: w.here(cy), Token: edit.Token})
		if err != nil || form == nil || form.Fields[0].Value != document("tea") {
			t.Fatalf("the form: %+v, %v", form, err)
		}
		r, err := a.Run(t.Context(), command.Press{Who: w.here(cy), Token: edit.Token, Values: map[string]string{"text": document("tea") + "2. Drink.\n"}})
		if err != nil || r.Card == nil || !strings.Contains(r.Card.Markdown, "Out of date") {
			t.Errorf("submitted: %+v, %v", r, err)
		}
	}
	if last := w.said[len(w.said)-1]; len(w.said) != 2 || !strings.Contains(last.post.Markdown, "2. Drink.") {
		t.Errorf("told %+v", w.said)
	}
	if r := w.press(w.here(ben), card, "Approve"); !strings.Contains(r.Say.Markdown, "no longer what was shown") {
		t.Errorf("the old card: %+v", r)
	}
}
