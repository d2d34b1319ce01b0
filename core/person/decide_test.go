package person_test

import (
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
)

var (
	dm      = chat.Address{Platform: "slack", Workspace: "T1", Chat: "D1"}
	channel = chat.Address{Platform: "slack", Workspace: "T1", Chat: "C1"}
	thread  = chat.Address{Platform: "slack", Workspace: "T1", Chat: "C1", Thread: "100.1"}
	noon    = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
)

func said(kind chat.Kind, at chat.Address, how chat.Addressed) chat.Event {
	return chat.Event{
		Kind: kind, Keys: []string{"k"}, At: noon, Address: at, Direct: at.Chat == "D1", Addressed: how,
		Author: chat.Author{Identity: chat.Identity{Platform: "slack", Workspace: "T1", ID: "U1"}},
	}
}

func TestDecide(t *testing.T) {
	member := person.Known{Now: noon, Role: person.Member}
	with := func(k person.Known, change func(*person.Known)) person.Known { change(&k); return k }
	by := func(e chat.Event, change func(*chat.Author)) chat.Event { change(&e.Author); return e }
	command := func(at chat.Address, name, args string) chat.Event {
		e := said(chat.Command, at, chat.ByCommand)
		e.Command = &chat.CommandCall{Name: name, Args: args}
		return e
	}
	answerable := func(e chat.Event) chat.Event { e.Interaction = &chat.Interaction{ID: "i"}; return e }
	letIn := person.Known{Now: noon, Space: person.SpaceOn, FullMember: true}

	for _, c := range []struct {
		name   string
		event  chat.Event
		known  person.Known
		do     person.Action
		reason person.Reason
		how    chat.Addressed
		role   person.Role
	}{
		{"a timer of ours", chat.Event{Kind: chat.Tick}, person.Known{}, person.Serve, "", "", ""},
		{"direct message", said(chat.Message, dm, ""), member, person.Serve, "", chat.ByDM, person.Member},
		{"mention", said(chat.Message, channel, chat.ByMention), member, person.Serve, "", chat.ByMention, person.Member},
		{"reply to the bot", said(chat.Message, channel, chat.ByReply), member, person.Serve, "", chat.ByReply, person.Member},
		{"command", command(channel, "status", ""), member, person.Serve, "", chat.ByCommand, person.Member},
		{"talk among people", said(chat.Message, channel, chat.Ambient), member, person.Drop, person.NotAddressed, "", ""},
		{"thread of other people", said(chat.Message, thread, ""), member, person.Drop, person.NotAddressed, "", ""},
		{"thread that is awake", said(chat.Message, thread, ""), with(member, func(k *person.Known) { k.Awake = true }), person.Serve, "", chat.ByThread, person.Member},
		{"place without mention gate", said(chat.Message, channel, ""), with(member, func(k *person.Known) { k.Ambient = true }), person.Serve, "", chat.Ambient, person.Member},

		{"own message", by(said(chat.Message, channel, chat.ByMention), func(a *chat.Author) { a.Self, a.Bot = true, true }), member, person.Drop, person.OwnMessage, "", ""},
		{"other bot", by(said(chat.Message, channel, chat.ByMention), func(a *chat.Author) { a.Bot = true }), member, person.Drop, person.BotMessage, "", ""},
		{"other bot that is let in mentions", by(said(chat.Message, channel, chat.ByMention), func(a *chat.Author) { a.Bot = true }), with(member, func(k *person.Known) { k.Bots = true }), person.Serve, "", chat.ByMention, person.BotRole},
		{"other bot that is let in replies", by(said(chat.Message, channel, chat.ByReply), func(a *chat.Author) { a.Bot = true }), with(member, func(k *person.Known) { k.Bots = true }), person.Drop, person.BotMessage, "", ""},
		{"anonymous administrator", by(command(channel, "status", ""), func(a *chat.Author) { a.Anonymous = true }), member, person.Drop, person.AnonymousSender, "", ""},
		{"duplicate", said(chat.Message, dm, ""), with(member, func(k *person.Known) { k.Seen = true }), person.Drop, person.Duplicate, "", ""},

		{"edit without change", said(chat.Edit, dm, ""), with(member, func(k *person.Known) { k.Unchanged, k.Waiting = true, true }), person.Drop, person.EditWithoutChange, "", ""},
		{"edit of what waits", said(chat.Edit, dm, ""), with(member, func(k *person.Known) { k.Seen, k.Waiting = true, true }), person.Replace, "", "", ""},
		{"edit after the turn", said(chat.Edit, channel, chat.ByMention), with(member, func(k *person.Known) { k.Seen = true }), person.Drop, person.EditAfterTurn, "", ""},
		{"edit adds the mention", said(chat.Edit, channel, chat.ByMention), member, person.Serve, "", chat.ByMention, person.Member},
		{"edit of talk among people", said(chat.Edit, channel, ""), member, person.Drop, person.NotAddressed, "", ""},
		{"edit of an unknown direct message", said(chat.Edit, dm, ""), member, person.Drop, person.EditAfterTurn, "", ""},
		{"edit by a stranger adds the mention", said(chat.Edit, channel, chat.ByMention), person.Known{}, person.Drop, person.Stranger, "", ""},
		{"deletion", said(chat.Delete, dm, ""), member, person.Drop, person.Deleted, "", ""},
		{"deletion of what waits", said(chat.Delete, dm, ""), with(member, func(k *person.Known) { k.Waiting = true }), person.Withdraw, person.Deleted, "", ""},

		{"somebody joins", said(chat.Join, channel, ""), person.Known{}, person.Upkeep, person.SystemMessage, "", ""},
		{"the same migration again", said(chat.Migrate, channel, ""), person.Known{Seen: true}, person.Drop, person.Duplicate, "", ""},
		{"reaction of a member", said(chat.Reaction, channel, ""), member, person.Upkeep, "", "", person.Member},
		{"reaction of a stranger", said(chat.Reaction, channel, ""), person.Known{}, person.Drop, person.Stranger, "", ""},

		{"stale message", said(chat.Message, dm, ""), with(member, func(k *person.Known) { k.MaxAge, k.Now = time.Hour, noon.Add(2*time.Hour) }), person.Tell, person.Stale, chat.ByDM, person.Member},
		{"stale message of a stranger", said(chat.Message, channel, chat.ByMention), person.Known{MaxAge: time.Hour, Now: noon.Add(2 * time.Hour)}, person.Drop, person.Stranger, "", ""},
		{"old press", said(chat.Press, channel, ""), with(member, func(k *person.Known) { k.MaxAge, k.Now = time.Hour, noon.Add(2*time.Hour) }), person.Serve, "", "", person.Member},

		{"stranger in a direct message", said(chat.Message, dm, ""), person.Known{}, person.Pair, person.Stranger, "", ""},
		{"stranger types a code", command(dm, "pair", "ABCD2345"), person.Known{}, person.Serve, "", chat.ByCommand, person.Nobody},
		{"stranger types a linking code", command(dm, "link", "ABCD2345"), person.Known{}, person.Serve, "", chat.ByCommand, person.Nobody},
		{"stranger asks to link", command(dm, "link", ""), person.Known{}, person.Pair, person.Stranger, "", ""},
		{"stranger presses in a direct message", said(chat.Press, dm, ""), person.Known{}, person.Pair, person.Stranger, "", ""},
		{"stranger presses in a group", said(chat.Press, channel, ""), person.Known{}, person.Drop, person.Stranger, "", ""},
		{"stranger presses where only they see the answer", answerable(said(chat.Press, channel, "")), person.Known{}, person.TurnAway, person.Stranger, "", ""},
		{"stranger's slash command", answerable(command(channel, "status", "")), person.Known{}, person.TurnAway, person.Stranger, "", ""},
		{"press in a closed space", answerable(said(chat.Press, channel, "")), with(member, func(k *person.Known) { k.Space = person.SpaceOff }), person.TurnAway, person.SpaceClosed, "", ""},
		{"guest's press", answerable(by(said(chat.Press, channel, ""), func(a *chat.Author) { a.Guest = true })), letIn, person.TurnAway, person.GuestInSpace, "", ""},
		{"press of somebody blocked", answerable(said(chat.Press, channel, "")), person.Known{Blocked: true}, person.Drop, person.Blocked, "", ""},
		{"stranger in a group", said(chat.Message, channel, chat.ByMention), person.Known{}, person.Drop, person.Stranger, "", ""},
		{"stranger types a code in a group", command(channel, "pair", "ABCD2345"), person.Known{}, person.Drop, person.Stranger, "", ""},
		{"stranger where everyone is let in", said(chat.Message, dm, ""), person.Known{Everyone: true}, person.Serve, "", chat.ByDM, person.Member},
		{"guest where everyone is let in", by(said(chat.Message, channel, chat.ByMention), func(a *chat.Author) { a.Guest = true }), person.Known{Everyone: true}, person.Serve, "", chat.ByMention, person.Guest},

		{"full member of a space let in", said(chat.Message, channel, chat.ByMention), letIn, person.Serve, "", chat.ByMention, person.Member},
		{"press of a full member", said(chat.Press, channel, ""), letIn, person.Serve, "", "", person.Member},
		{"membership not vouched for", said(chat.Message, channel, chat.ByMention), with(letIn, func(k *person.Known) { k.FullMember = false }), person.Drop, person.Stranger, "", ""},
		{"full member where nobody let the bot in", said(chat.Message, channel, chat.ByMention), with(letIn, func(k *person.Known) { k.Space = person.SpaceUnknown }), person.Drop, person.Stranger, "", ""},
		{"guest in a space let in", by(said(chat.Message, channel, chat.ByMention), func(a *chat.Author) { a.Guest = true }), letIn, person.Drop, person.GuestInSpace, "", ""},
		{"paired guest in a space let in", said(chat.Message, channel, chat.ByMention), person.Known{Role: person.Guest, Space: person.SpaceOn}, person.Drop, person.GuestInSpace, "", ""},
		{"paired guest in a direct message", said(chat.Message, dm, ""), person.Known{Role: person.Guest}, person.Serve, "", chat.ByDM, person.Guest},
		{"member where nobody let the bot in", said(chat.Message, channel, chat.ByMention), member, person.Serve, "", chat.ByMention, person.Member},
		{"member in a closed space", said(chat.Message, channel, chat.ByMention), with(member, func(k *person.Known) { k.Space = person.SpaceOff }), person.Drop, person.SpaceClosed, "", ""},
		{"admin's command in a closed space", command(channel, "settings", "here on"), person.Known{Role: person.Admin, Space: person.SpaceOff}, person.Serve, "", chat.ByCommand, person.Admin},
		{"admin's talk in a closed space", said(chat.Message, channel, chat.ByMention), person.Known{Role: person.Admin, Space: person.SpaceOff}, person.Drop, person.SpaceClosed, "", ""},
		{"blocked", said(chat.Message, dm, ""), person.Known{Blocked: true, Everyone: true}, person.Drop, person.Blocked, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := person.Decide(c.event, c.known)
			if got != (person.Decision{Do: c.do, Reason: c.reason, Addressed: c.how, Role: c.role}) {
				t.Errorf("got %+v", got)
			}
		})
	}
}
