package app_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"talaria/adapters/fake/discord"
	"talaria/adapters/fake/slack"
	"talaria/core/chat"
	"talaria/gateway/app"
)

// elsewhere is a second shared place of a platform.
type elsewhere struct {
	stage
	at       chat.Address
	team     string   // what it and the first place are of
	mentions []string // ways to name it
	say      func(who role, line string)
}

// environ lets the bot into both places.
func (e elsewhere) environ() []string {
	id := chat.Identity{Platform: e.at.Platform, Workspace: e.at.Workspace, ID: e.at.Chat}
	env := e.stage.environ()
	for n, v := range env {
		if strings.Contains(v, "_SPACES=") {
			env[n] += "," + id.String()
		}
	}
	return append(env, "TALARIA_TEAMS_TEA_WORKSPACES="+e.team)
}

func withSecondPlace(t *testing.T, s stage) elsewhere {
	switch s := s.(type) {
	case slackStage:
		s.Channel("COPS", s.id(ada), s.id(ben), s.id(cy), s.id(gus), s.id(eve))
		return elsewhere{s, chat.Address{Platform: "slack", Workspace: slack.Team, Chat: "COPS"}, "slack:" + slack.Team, []string{"#ops", "<#COPS|ops>", "COPS"},
			func(who role, line string) { s.Slash(s.id(who), "COPS", line) }}
	case discordStage:
		s.Channel(discordServer, "9003")
		return elsewhere{s, chat.Address{Platform: "discord", Workspace: discordServer, Chat: "9003"}, "discord:" + discordServer, []string{"<#9003>", "#channel-9003", "9003"},
			func(who role, line string) { s.Say(s.id(who), "9003", "<@"+discord.BotID+"> /"+line) }}
	case telegramStage:
		const ops = -100600
		s.Group(ops, 1, 2, 3, 4, 5)
		s.Named(ops, "Ops Team", "opsteam")
		return elsewhere{s, chat.Address{Platform: "telegram", Chat: strconv.Itoa(ops)}, fmt.Sprintf("telegram:%d,telegram:%d", group, ops), []string{"Ops Team", "@opsteam", strconv.Itoa(ops)},
			func(who role, line string) { s.Say(s.id(who), ops, "/"+line) }}
	}
	t.Fatalf("no second place on %T", s)
	return elsewhere{}
}

func TestAPlaceIsNamedOnEveryPlatformToOfferASkill(t *testing.T) {
	for name, open := range stages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := withSecondPlace(t, open(t))
			w := newTroupe(t, e)
			there := func(who role, line string) string {
				post, err := w.replicas[1].Command(t.Context(), app.Typed{As: w.identity(who), At: e.at, Line: line})
				if err != nil {
					t.Fatal(err)
				}
				return post.Markdown
			}
			w.tells(0, ben, "skills import\n"+tea("one.txt"))
			w.tells(0, ben, "skills approve teatime")
			w.command(ben, "skills share teatime #nowhere-at-all")
			w.hears(0, "I know no place")
			e.say(ben, "whoami")                                              // from now on he is known to be there
			w.both("skills share teatime #nowhere-at-all", "I know no place") // others need not hear where else he is
			there(ada, "role "+w.identity(gus).String()+" guest")
			there(ada, "role "+w.identity(eve).String()+" nobody")
			w.told("skills share teatime "+e.mentions[0], "is offered to", 0, 1) // once his words there were heard
			for _, who := range []role{eve, gus, cy} {                           // by every way to say it
				e.say(who, "skills subscribe teatime")
				if got := there(who, "skills subscribe teatime"); strings.Contains(got, "is used here") {
					t.Errorf("the %s subscribed: %s", who, got)
				}
			}
			w.tells(0, ben, "skills share teatime "+e.mentions[0]+" stop")
			for _, mention := range e.mentions {
				said := len(w.posted())
				w.command(ben, "skills share teatime "+mention)
				w.hears(said, "is offered to")
				there(ben, "skills subscribe teatime")
				if got := there(cy, "skills list"); !strings.Contains(got, "subscribed to by") {
					t.Errorf("offered by %q: %s", mention, got)
				}
				said = len(w.posted())
				w.command(ben, "skills share teatime "+mention+" stop")
				w.hears(said, "no longer offered")
				if got := there(cy, "skills show teatime"); strings.Contains(got, "one.txt") {
					t.Errorf("taken back by %q: %s", mention, got)
				}
			}
			for line := range strings.Lines(there(ada, "skills audit")) {
				if strings.Contains(line, " subscribe `teatime`") && !strings.Contains(line, "refused") && !strings.Contains(line, w.identity(ben).String()) {
					t.Errorf("subscribed by somebody else: %s", line)
				}
			}
			for _, b := range w.breaches() {
				t.Error(b)
			}
		})
	}
}
