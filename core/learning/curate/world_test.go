package curate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/curate"
	"talaria/core/learning/measure"
	"talaria/core/model/rehearsal"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/core/trace"
	"talaria/storage"
	"talaria/storage/teststore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const day = 24 * time.Hour

var (
	ann  = chat.Identity{Platform: "slack", Workspace: "T1", ID: "ann"}
	room = chat.Address{Platform: "slack", Workspace: "T1", Chat: "D-ann"}
	hall = chat.Address{Platform: "slack", Workspace: "T1", Chat: "C-hall"}

	lobby = chat.Address{Platform: "slack", Workspace: "T1", Chat: "C-lobby"}
)

// world is a store whose clock can be set forward, a person, and a curator.
type world struct {
	*testing.T
	at        chat.Address // where ann talks; zero: in private
	open      teststore.Opener
	later     time.Duration
	store     *storage.Store
	directory *person.Directory
	library   *skill.Library
	upkeep    skill.Upkeep
	curator   *curate.Curator
	model     agent.Model
	checks    []skill.Check

	reports  []curate.Report
	digests  []curate.Digest
	drafts   []skill.Outcome
	switched []curate.Switch
	tasks    int
	steps    []trace.Step // of each turn that happens
}

func newWorld(t *testing.T) *world { return worldOn(t, teststore.SQLite(t)) }

func worldOn(t *testing.T, open teststore.Opener) *world {
	w := &world{T: t, open: open, model: rehearsal.Model{}}
	w.wait(0)
	return w
}

// wait has time go by: everything is opened again at a later hour.
func (w *world) wait(d time.Duration) {
	w.Helper()
	w.later += d
	w.store = w.open(w.later)
	log := slog.New(slog.DiscardHandler)
	var err error
	w.directory, err = person.Open(w.Context(), w.store, person.Config{Admins: []chat.Identity{ann}}, log)
	if err != nil {
		w.Fatal(err)
	}
	w.library = skill.New(w.store, w.directory, skill.Config{Policy: map[skill.Kind]skill.Policy{skill.Person: skill.NewAndWider, skill.Space: skill.All, skill.Team: skill.All}}, log)
	w.upkeep = w.library.Upkeep()
	w.curator = curate.New(curate.Config{
		Store: w.store, Upkeep: w.upkeep, Model: w.model, Checks: w.checks, Log: log,
		Team: func(context.Context, skill.Scope) (person.TeamID, error) { return w.ann().Team, nil },
		Announce: func(_ context.Context, _ skill.Scope, o skill.Outcome) error {
			w.drafts = append(w.drafts, o)
			return nil
		},
		Tell: func(_ context.Context, r curate.Report) error { w.reports = append(w.reports, r); return nil },
		Post: func(_ context.Context, d curate.Digest) error { w.digests = append(w.digests, d); return nil },
	})
}

// ann is the only person there is, in her direct conversation.
func (w *world) ann() person.Principal { return w.who(room, true) }

func (w *world) who(place chat.Address, direct bool) person.Principal {
	w.Helper()
	p, err := w.directory.Resolve(w.Context(), chat.Author{Identity: ann}, place, direct)
	if err != nil {
		w.Fatal(err)
	}
	return p
}

func (w *world) own() skill.Scope { return skill.OfPerson(w.ann().Person) }

func text(name, description, body string) manifest.Bundle {
	return manifest.Bundle{manifest.MainFile: []byte("---\nname: " + name + "\ndescription: " + description + "\n---\n\n" + body + "\n")}
}

// learned is a skill in force in a scope; more make revisions of it.
func (w *world) learned(s skill.Scope, by skill.Creator, name, description, body string, from ...skill.Provenance) skill.Ref {
	w.Helper()
	who := w.ann()
	if s.Kind == skill.Space {
		who = w.who(hall, false)
	}
	ref := skill.Ref{Scope: s, Name: name}
	base := ""
	if have, err := w.upkeep.Skill(w.Context(), ref); err == nil {
		base = have.Hash
	}
	out, err := w.library.Propose(w.Context(), who, skill.Proposal{
		Ref: ref, Files: text(name, description, body), Base: base, ByAgent: by == skill.ByAgent, CreatedBy: by, Origin: chat.Member, Provenance: from,
	})
	if err == nil && !out.Live {
		_, err = w.library.Approve(w.Context(), who, out.Revision.Ref, out.Revision.Hash)
	}
	if err != nil {
		w.Fatal(err)
	}
	return ref
}

// used records uses of the revision in force, each with its outcome: "+" for
// one that helped, "-" for one that did not.
func (w *world) used(r skill.Ref, outcomes string) {
	w.Helper()
	now := w.skill(r)
	for _, o := range outcomes {
		w.tasks++
		u := skill.Use{Task: fmt.Sprint("task", w.tasks), Place: room.String(), Number: now.InForce, Success: o == '+'}
		if _, err := w.upkeep.Record(w.Context(), r, u); err != nil {
			w.Fatal(err)
		}
	}
}

func (w *world) skill(r skill.Ref) skill.Skill {
	w.Helper()
	s, err := w.upkeep.Skill(w.Context(), r)
	if err != nil {
		w.Fatal(err)
	}
	return s
}

func (w *world) night() {
	w.Helper()
	if err := w.curator.Nightly(w.Context()); err != nil {
		w.Fatal(err)
	}
}

func (w *world) plan(s skill.Scope) curate.Plan {
	w.Helper()
	p, err := w.curator.Plan(w.Context(), s)
	if err != nil {
		w.Fatal(err)
	}
	return p
}

// done are the actions of the last report, one word each and the skill.
func (w *world) done() string {
	if len(w.reports) == 0 {
		return ""
	}
	var out []string
	for _, d := range w.reports[len(w.reports)-1].Done {
		out = append(out, string(d.Kind)+" "+d.Skill)
	}
	return strings.Join(out, "; ")
}

// listener records uses and hears of preferences, as the program's does.
func (w *world) listener() learning.Listener {
	switches := w.switches()
	watch := &curate.Watch{Store: w.store, People: w.directory, Switches: switches, Next: last{}}
	return measure.Uses{Store: w.store, Library: w.library, Upkeep: w.upkeep, People: w.directory, Next: watch}
}

func (w *world) switches() curate.Switches {
	return curate.Switches{Store: w.store, Upkeep: w.upkeep, Tell: func(_ context.Context, _ person.Principal, s curate.Switch) error {
		w.switched = append(w.switched, s)
		return nil
	}}
}

// last is a listener that wants nothing.
type last struct{}

func (last) Task(context.Context, learning.Notice) error { return nil }

// happened keeps a task of ann's of one message.
func (w *world) happened(asked string, uses ...trace.Use) trace.Task {
	w.Helper()
	return w.turns([]string{asked}, []string{"Here is what came of it."}, uses...)
}

// spot is where ann talks: in private, if nothing else is said.
func (w *world) spot() chat.Address {
	if w.at == (chat.Address{}) {
		return room
	}
	return w.at
}

// turns keeps a task of ann's as the recorder would, and tells the listener.
// The last answer of a task that ends with a correction is none.
func (w *world) turns(asked, answered []string, uses ...trace.Use) trace.Task {
	w.Helper()
	w.tasks++
	r := learning.New(learning.Config{
		Enabled: true, Store: w.store, Redactor: trace.NewRedactor(nil), Alike: func(string, string) float64 { return 0 }, Log: slog.New(slog.DiscardHandler),
	})
	session := fmt.Sprint("s/", w.tasks)
	at := time.Now().UTC().Add(-time.Minute)
	for n := range asked {
		id := fmt.Sprintf("turn%d-%d", w.tasks, n)
		at = at.Add(2 * time.Second)
		raw := trace.Raw{Session: session, Place: w.spot(), At: at, Turn: &trace.RawTurn{
			ID: id, Who: w.ann().Person, Identity: ann, Direct: w.spot() == room, Message: "m-" + id, Began: at.Add(-time.Second), Asked: asked[n],
			Answered: answered[n], Ending: agent.Answered, Skills: uses, Steps: w.steps,
		}}
		b := storage.On(person.ShardOf(w.spot()))
		trace.HandOver(b, raw)
		if _, err := w.store.Commit(w.Context(), b); err != nil {
			w.Fatal(err)
		}
	}
	if _, err := r.Catch(w.Context(), storage.ShardOf(w.spot().Platform, w.spot().Workspace, w.spot().Chat)); err != nil {
		w.Fatal(err)
	}
	var found trace.Task
	err := trace.Each(w.Context(), w.store, person.ShardOf(w.spot()), func(t trace.Task) error {
		if t.Session == session {
			found = t
		}
		return nil
	})
	if err != nil || len(found.Turns) != len(asked) {
		w.Fatalf("task of %q: %+v, %v", asked, found, err)
	}
	w.heard(found)
	return found
}

func (w *world) heard(t trace.Task) {
	w.Helper()
	if err := w.listener().Task(w.Context(), learning.Notice{Task: t.ID, Cause: learning.Over, Place: t.Place, Session: t.Session, Person: t.Person}); err != nil {
		w.Fatal(err)
	}
}

// writer is a model that answers every request with one text.
type writer struct {
	reason, text string
	asked        *[]agent.Request
}

func (writer) Name() string { return "writer" }

func (m writer) Stream(_ context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
	*m.asked = append(*m.asked, r)
	answer, _ := json.Marshal(map[string]string{"reason": m.reason, "text": m.text})
	return func(yield func(agent.Delta, error) bool) {
		yield(agent.Delta{Text: "Here it is: " + string(answer), Stop: agent.StopEnd}, nil)
	}
}
