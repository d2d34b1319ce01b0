package person_test

import (
	"testing"

	"talaria/core/chat"
	"talaria/core/person"
)

func TestAnotherIsSomebodyElseWithTheRole(t *testing.T) {
	slack := func(id string) chat.Identity { return chat.Identity{Platform: "slack", Workspace: "T1", ID: id} }
	discord := chat.Identity{Platform: "discord", ID: "7"}
	channel := chat.Address{Platform: "slack", Workspace: "T1", Chat: "C1"}
	server := chat.Address{Platform: "discord", Workspace: "S1", Chat: "9"}
	w := newWorld(t)
	d := w.directory(person.Config{
		ConsoleAdmin: true,
		Admins:       []chat.Identity{slack("ada"), {Platform: "discord", Workspace: "S1", ID: "7"}, {Platform: "console"}},
	})
	another := func(p person.Principal, need person.Role, wide bool) bool {
		t.Helper()
		return must(d.Another(t.Context(), p, need, wide))(t)
	}
	ada, owner := w.at(d, slack("ada"), channel, false), w.at(d, discord, server, false)
	if another(ada, person.Admin, true) {
		t.Error("the only admin of a team has company: by the console, or by one of another server")
	}
	if another(owner, person.Admin, true) {
		t.Error("an account written with its server counts beside itself")
	}

	if err := d.SetRole(t.Context(), ada, slack("bo"), person.Approver, false); err != nil {
		t.Fatal(err)
	}
	if !another(ada, person.Approver, false) || another(ada, person.Approver, true) || another(ada, person.Admin, false) {
		t.Error("a role given for one place counts there, for itself alone")
	}
	bo := w.at(d, slack("bo"), channel, false)
	if role := must(d.TeamRole(t.Context(), bo))(t); role == person.Approver {
		t.Error("an approver of one place has that role in the whole team")
	}
	if role := must(d.TeamRole(t.Context(), ada))(t); role != person.Admin {
		t.Errorf("a configured admin is %q in the team", role)
	}
	who := must(d.Subject(t.Context(), w.direct(d, slack("bo"))))(t)
	if err := (person.RoleEraser{Store: w.store}).Erase(t.Context(), who); err != nil {
		t.Fatal(err)
	}
	if another(ada, person.Approver, false) {
		t.Error("somebody who was forgotten still counts")
	}
}

func TestOthersAreFoundWhereTheyWroteInPrivate(t *testing.T) {
	slack := func(id string) chat.Identity { return chat.Identity{Platform: "slack", Workspace: "T1", ID: id} }
	alone := func(id string) chat.Address {
		return chat.Address{Platform: "slack", Workspace: "T1", Chat: "D" + id}
	}
	channel := chat.Address{Platform: "slack", Workspace: "T1", Chat: "C1"}
	w := newWorld(t)
	d := w.directory(person.Config{
		Admins: []chat.Identity{slack("ada"), slack("bo")}, Approvers: []chat.Identity{slack("cy")}, Everyone: map[string]bool{"slack": true},
	})
	for _, id := range []string{"ada", "cy", "dee"} { // bo never wrote in private
		if err := d.Been(t.Context(), w.at(d, slack(id), alone(id), true)); err != nil {
			t.Fatal(err)
		}
	}
	dee := w.at(d, slack("dee"), channel, false)
	for role, want := range map[person.Role]int{person.Admin: 1, person.Approver: 2} {
		got := must(d.Others(t.Context(), dee, role))(t)
		if len(got) != want || got[0].Place != alone("ada") || !got[0].Direct || got[0].Role != person.Admin {
			t.Errorf("with the role %s: %+v", role, got)
		}
	}
	ada := w.at(d, slack("ada"), channel, false)
	if got := must(d.Others(t.Context(), ada, person.Admin))(t); len(got) != 0 {
		t.Errorf("beside the admin: %+v", got)
	}
}
