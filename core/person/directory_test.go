package person_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
	"talaria/storage/teststore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a store in a file, which can be opened again later.
type world struct {
	t     *testing.T
	open  teststore.Opener
	store *storage.Store
}

func newWorld(t *testing.T) *world {
	open := teststore.SQLite(t)
	return &world{t: t, open: open, store: open(0)}
}

// later opens the store again as if that much time had passed.
func (w *world) later(by time.Duration) {
	w.t.Helper()
	if err := w.store.Close(); err != nil {
		w.t.Fatal(err)
	}
	w.store = w.open(by)
}

func (w *world) directory(c person.Config, movers ...person.Mover) *person.Directory {
	w.t.Helper()
	d, err := person.Open(w.t.Context(), w.store, c, slog.New(slog.DiscardHandler), movers...)
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

func (w *world) direct(d *person.Directory, i chat.Identity) person.Principal {
	w.t.Helper()
	return w.at(d, i, chat.Address{Platform: i.Platform, Workspace: i.Workspace, Chat: "dm-" + i.ID}, true)
}

func (w *world) at(d *person.Directory, i chat.Identity, a chat.Address, direct bool) person.Principal {
	w.t.Helper()
	p, err := d.Resolve(w.t.Context(), chat.Author{Identity: i, Name: "Sam"}, a, direct)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func slack(id string) chat.Identity { return chat.Identity{Platform: "slack", Workspace: "T1", ID: id} }
func discord(id string) chat.Identity {
	return chat.Identity{Platform: "discord", ID: id}
}
func telegram(id string) chat.Identity { return chat.Identity{Platform: "telegram", ID: id} }

func TestPeopleAreToldApartByImmutableIdAlone(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{})
	same := w.direct(d, slack("U1")).Person
	for _, other := range []chat.Identity{
		slack("U2"), discord("U1"), telegram("U1"), {Platform: "slack", Workspace: "T2", ID: "U1"},
		{Platform: "slack", Workspace: "T", ID: "1U1"}, {Platform: "slack", ID: "U1"},
	} {
		if w.direct(d, other).Person == same {
			t.Errorf("%v is taken for the person of %v", other, slack("U1"))
		}
	}
	if again := w.direct(w.directory(person.Config{}), slack("U1")).Person; again != same {
		t.Error("the same identity is another person in another replica")
	}
}

func TestRolesFromConfiguration(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{
		Admins:       []chat.Identity{slack("U1"), {Platform: "discord", Workspace: "G1", ID: "1"}},
		Approvers:    []chat.Identity{slack("U2")},
		People:       map[string][]chat.Identity{"telegram": {telegram("3")}},
		Teams:        map[string]person.TeamConfig{"ops": {People: []chat.Identity{telegram("4")}}},
		Everyone:     map[string]bool{"matrix": true},
		ConsoleAdmin: true,
	})
	server := func(g string) chat.Address { return chat.Address{Platform: "discord", Workspace: g, Chat: "c"} }
	for _, c := range []struct {
		name string
		p    person.Principal
		want person.Role
	}{
		{"admin", w.direct(d, slack("U1")), person.Admin},
		{"approver", w.direct(d, slack("U2")), person.Approver},
		{"let in on a platform", w.direct(d, telegram("3")), person.Member},
		{"named in a team", w.direct(d, telegram("4")), person.Member},
		{"where everyone is let in", w.direct(d, chat.Identity{Platform: "matrix", ID: "m"}), person.Member},
		{"at the console", w.direct(d, chat.Identity{Platform: "console"}), person.Admin},
		{"same id on another platform", w.direct(d, discord("U1")), person.Nobody},
		{"admin of a server, there", w.at(d, discord("1"), server("G1"), false), person.Admin},
		{"admin of a server, in another", w.at(d, discord("1"), server("G2"), false), person.Nobody},
		{"admin of a server, directly", w.direct(d, discord("1")), person.Admin},
		{"nobody named", w.direct(d, slack("U9")), person.Nobody},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.p.Role != c.want {
				t.Errorf("role %q, want %q", c.p.Role, c.want)
			}
		})
	}
	for _, a := range []chat.Author{
		{Identity: slack("U1"), Self: true}, {Identity: slack("U1"), Anonymous: true},
	} {
		if p := must(d.Resolve(t.Context(), a, channel, false))(t); p.Role != person.Nobody {
			t.Errorf("%+v has role %q", a, p.Role)
		}
	}
	if p := must(d.Resolve(t.Context(), chat.Author{Identity: slack("B1"), Bot: true}, channel, false))(t); p.Role != person.BotRole {
		t.Errorf("a bot has role %q", p.Role)
	}
}

func TestRolesGivenInChat(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{Admins: []chat.Identity{slack("U1")}})
	admin := w.at(d, slack("U1"), channel, false)
	other := chat.Address{Platform: "slack", Workspace: "T1", Chat: "C2"}
	foreign := chat.Address{Platform: "slack", Workspace: "T2", Chat: "C1"}
	roles := func(i chat.Identity) []person.Role {
		return []person.Role{w.at(d, i, channel, false).Role, w.at(d, i, other, false).Role, w.at(d, i, foreign, false).Role}
	}
	set := func(who chat.Identity, r person.Role, wide bool) {
		t.Helper()
		if err := d.SetRole(t.Context(), admin, who, r, wide); err != nil {
			t.Fatal(err)
		}
	}
	check := func(what string, want ...person.Role) {
		t.Helper()
		if diff := cmp.Diff(want, roles(slack("U2"))); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	set(slack("U2"), person.Approver, false)
	check("here", person.Approver, person.Nobody, person.Nobody)
	set(slack("U2"), person.Member, true)
	check("in the team, which takes the place of here", person.Member, person.Member, person.Nobody)
	set(slack("U2"), person.Nobody, true)
	check("taken away", person.Nobody, person.Nobody, person.Nobody)

	e := chat.Event{Kind: chat.Message, Address: channel, Author: chat.Author{Identity: slack("U2")}}
	if k, _, err := d.Known(t.Context(), e); err != nil || !k.Blocked {
		t.Errorf("known %+v, %v; want blocked", k, err)
	}
	member := w.direct(d, slack("U3"))
	if err := d.SetRole(t.Context(), member, slack("U3"), person.Admin, true); !errors.Is(err, person.ErrForbidden) {
		t.Errorf("a stranger made himself an admin: %v", err)
	}
	if err := d.SetRole(t.Context(), admin, slack("U3"), "king", true); err == nil {
		t.Error("a role that does not exist was given")
	}
}

func TestTeams(t *testing.T) {
	w := newWorld(t)
	before := w.at(w.directory(person.Config{}), slack("U1"), channel, false).Team
	config := func(workspaces ...person.Workspace) person.Config {
		return person.Config{Teams: map[string]person.TeamConfig{"ops": {
			Workspaces: workspaces, People: []chat.Identity{telegram("3")},
		}}}
	}
	t1, g1 := person.Workspace{Platform: "slack", ID: "T1"}, person.Workspace{Platform: "discord", ID: "G1"}
	d := w.directory(config(t1, g1))
	server := chat.Address{Platform: "discord", Workspace: "G1", Chat: "c"}
	for _, p := range []person.Principal{
		w.at(d, slack("U1"), channel, false), w.direct(d, slack("U1")), w.at(d, discord("1"), server, false), w.direct(d, telegram("3")),
	} {
		if p.Team != before {
			t.Errorf("%v is of team %s; naming a workspace's team must keep its id %s", p.Place, p.Team, before)
		}
	}
	moved := w.directory(config(g1))
	if got := w.at(moved, discord("1"), server, false).Team; got != before {
		t.Errorf("the name points to %s after its workspaces changed, want %s", got, before)
	}
	group := func(id string) chat.Address { return chat.Address{Platform: "telegram", Chat: id} }
	if a, b := w.at(d, telegram("5"), group("-1"), false).Team, w.at(d, telegram("5"), group("-2"), false).Team; a == b {
		t.Error("two groups are one team by default")
	}
	if a, b := w.direct(d, telegram("5")).Team, w.direct(d, telegram("6")).Team; a == b {
		t.Error("two strangers share a team")
	}
}

func TestTeamsOfADirectConversation(t *testing.T) {
	w := newWorld(t)
	d := w.directory(person.Config{})
	group := chat.Address{Platform: "telegram", Chat: "-1"}
	p := w.at(d, telegram("5"), group, false)
	if err := d.Been(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	direct := w.direct(d, telegram("5"))
	if direct.Team != p.Team {
		t.Error("who takes part in one team acts for another in the direct conversation")
	}
	if got := must(d.Teams(t.Context(), direct))(t); !slices.Equal(got, []person.TeamID{p.Team}) {
		t.Errorf("teams %v", got)
	}
	other := w.at(d, telegram("6"), chat.Address{Platform: "telegram", Chat: "-2"}, false)
	if got := must(d.Teams(t.Context(), other))(t); !slices.Equal(got, []person.TeamID{other.Team}) {
		t.Errorf("in a shared place teams %v are seen", got)
	}
}

func TestSpaces(t *testing.T) {
	w := newWorld(t)
	listed := chat.Address{Platform: "slack", Workspace: "T1", Chat: "C7"}
	d := w.directory(person.Config{Admins: []chat.Identity{slack("U1")}, Spaces: []chat.Address{listed}})
	state := func(a chat.Address) person.Space { return must(d.Space(t.Context(), a))(t) }
	admin := w.at(d, slack("U1"), thread, false)

	if state(listed) != person.SpaceOn || state(channel) != person.SpaceUnknown {
		t.Errorf("listed %q, other %q", state(listed), state(channel))
	}
	if err := d.SetSpace(t.Context(), admin, person.SpaceOn); err != nil {
		t.Fatal(err)
	}
	if state(channel) != person.SpaceOn {
		t.Error("what was said in a thread does not hold for its channel")
	}
	here := w.at(d, slack("U1"), listed, false)
	if err := d.SetSpace(t.Context(), here, person.SpaceOff); err != nil {
		t.Fatal(err)
	}
	if state(listed) != person.SpaceOff {
		t.Error("the list in the configuration counts more than an admin's word")
	}
	if err := d.SetSpace(t.Context(), w.at(d, slack("U2"), channel, false), person.SpaceOn); !errors.Is(err, person.ErrForbidden) {
		t.Errorf("a stranger let the bot in: %v", err)
	}

	to := chat.Address{Platform: "slack", Workspace: "T1", Chat: "C9"}
	for range 2 {
		if err := d.Migrated(t.Context(), chat.Migration{From: channel, To: to}); err != nil {
			t.Fatal(err)
		}
	}
	if state(to) != person.SpaceOn {
		t.Error("the decision was not carried over to the new address")
	}
}

func TestAwakeThreadsFallAsleep(t *testing.T) {
	w := newWorld(t)
	b := storage.On(storage.Shard(storage.ShardOf("slack", "T1", "C1")))
	person.KeepAwake(b, thread, person.AwakeFor)
	person.KeepAwake(b, channel, person.AwakeFor) // no thread: nothing to keep
	must(w.store.Commit(t.Context(), b))(t)
	is := func(a chat.Address) bool { return must(person.IsAwake(t.Context(), w.store, a))(t) }
	sibling := thread
	sibling.Thread = "200.2"
	if !is(thread) || is(sibling) || is(channel) {
		t.Errorf("thread %v, other thread %v, channel %v", is(thread), is(sibling), is(channel))
	}
	w.later(person.AwakeFor + time.Minute)
	if is(thread) {
		t.Error("a thread stays awake for ever")
	}
}

// vouchers answers for memberships.
type vouchers map[string]bool

func (v vouchers) Member(_ context.Context, a chat.Address, who chat.Identity) (bool, error) {
	member, ok := v[a.Chat+" "+who.ID]
	if !ok {
		return false, errors.New("no answer")
	}
	return member, nil
}

func TestReadable(t *testing.T) {
	w := newWorld(t)
	v := vouchers{"C1 U1": true, "C2 U1": false}
	d := w.directory(person.Config{Admins: []chat.Identity{slack("U0")}, Inviters: map[string]chat.Inviter{"slack": v}})
	place := func(c string) chat.Address { return chat.Address{Platform: "slack", Workspace: "T1", Chat: c} }
	for _, c := range []string{"C1", "C2", "C3", "C4"} {
		if err := d.Been(t.Context(), w.at(d, slack("U1"), place(c), false)); err != nil {
			t.Fatal(err)
		}
	}
	me := w.direct(d, slack("U1"))
	readable := func() []string {
		t.Helper()
		var out []string
		for _, a := range must(d.Readable(t.Context(), me))(t) {
			out = append(out, a.Chat)
		}
		return out
	}
	if err := d.Been(t.Context(), me); err != nil {
		t.Fatal(err)
	}
	v["C4 U1"] = true
	if got := readable(); !slices.Equal(got, []string{"dm-U1", "C1", "C4"}) {
		t.Errorf("readable %v; left places and those without an answer must be out", got)
	}
	if err := d.Left(t.Context(), slack("U1"), place("C1")); err != nil {
		t.Fatal(err)
	}
	if err := d.SetRole(t.Context(), w.at(d, slack("U0"), place("C4"), false), slack("U1"), person.Nobody, false); err != nil {
		t.Fatal(err)
	}
	if got := readable(); !slices.Equal(got, []string{"dm-U1"}) {
		t.Errorf("readable %v after leaving one place and being kept out of the other", got)
	}
	shared := w.at(d, slack("U1"), place("C2"), false)
	if got := must(d.Readable(t.Context(), shared))(t); !slices.Equal(got, []chat.Address{place("C2")}) {
		t.Errorf("in a shared place %v is readable", got)
	}
}

func TestRenewGivesTheRightsOfNow(t *testing.T) {
	w := newWorld(t)
	v := vouchers{"C1 U2": true}
	d := w.directory(person.Config{
		Admins: []chat.Identity{slack("U1")}, Spaces: []chat.Address{channel}, Inviters: map[string]chat.Inviter{"slack": v},
	})
	renew := func(p person.Principal) person.Role { return must(d.Renew(t.Context(), p))(t).Role }
	p := w.at(d, slack("U2"), channel, false)
	if got := renew(p); got != person.Member {
		t.Errorf("full member of a space let in: %q", got)
	}
	if got := renew(w.direct(d, slack("U2"))); got != person.Nobody {
		t.Errorf("directly: %q", got)
	}
	if err := d.SetRole(t.Context(), w.at(d, slack("U1"), channel, false), slack("U2"), person.Nobody, true); err != nil {
		t.Fatal(err)
	}
	if got := renew(p); got != person.Nobody {
		t.Errorf("after access was taken away: %q", got)
	}
}

func TestChangesReachOtherReplicas(t *testing.T) {
	w := newWorld(t)
	config := person.Config{Admins: []chat.Identity{slack("U1")}}
	here, there := w.directory(config), w.directory(config)
	there.Believe(time.Hour)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- there.Run(ctx) }()

	// Until the other replica listens, the word may be lost; so it is given
	// again. What the other remembers outlasts the test.
	deadline := time.Now().Add(3 * time.Minute)
	for w.at(there, slack("U2"), channel, false).Role != person.Member {
		if time.Now().After(deadline) {
			t.Fatal("the other replica still believes what it remembered")
		}
		if err := here.SetRole(t.Context(), w.at(here, slack("U1"), channel, false), slack("U2"), person.Member, true); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
