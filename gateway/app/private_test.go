package app_test

import (
	"context"
	"testing"
	"time"

	"talaria/adapters/fake/discord"
	"talaria/adapters/fake/slack"
	fake "talaria/adapters/fake/telegram"
)

// private is a simulated platform with one person in a conversation with the
// bot.
type private struct {
	environ  []string
	admin    string // the person's account
	say      func(text string)
	command  func(line string)
	press    func(message int, label string) // of what the bot said
	dislike  func(message int)
	said     func() []string
	up       func() bool // the bot hears what is said; nil: it hears later what was said before
	await    func(ctx context.Context, condition func() bool) error
	breaches func() []string
}

// privates are the platforms.
var privates = map[string]func(t *testing.T) private{
	"telegram": func(t *testing.T) private {
		s := fake.New(t, fake.Options{NoFlood: true})
		say := func(text string) { s.Say(admin, admin, text) }
		return private{
			environ: []string{"TALARIA_ADAPTERS_TELEGRAM_TOKEN=" + s.Token(), "TALARIA_ADAPTERS_TELEGRAM_API_URL=" + s.URL()},
			admin:   "telegram:1",
			say:     say, command: func(line string) { say("/" + line) }, said: func() []string { return said(s, admin) },
			press: func(n int, label string) {
				m := s.Sent(admin)[n]
				for _, row := range m.Buttons {
					for _, b := range row {
						if b.Text == label {
							s.Press(admin, admin, m.ID, b.Data)
						}
					}
				}
			},
			dislike: func(n int) {
				s.Inject("message_reaction", map[string]any{
					"chat": map[string]any{"id": admin, "type": "private"}, "message_id": s.Sent(admin)[n].ID,
					"user": map[string]any{"id": admin, "first_name": "Ada"}, "date": time.Now().Unix(), "old_reaction": []any{},
					"new_reaction": []any{map[string]any{"type": "emoji", "emoji": "👎"}},
				})
			},
			await: s.Await, breaches: s.Breaches,
		}
	},
	"slack": func(t *testing.T) private {
		const who = "UADA"
		s, err := slack.Start(slack.Options{NoLimits: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		s.People(slack.Person{ID: who, Name: "ada"})
		dm := s.Direct(who)
		return private{
			environ: []string{
				"TALARIA_ADAPTERS_SLACK_BOT_TOKEN=" + s.BotToken(), "TALARIA_ADAPTERS_SLACK_APP_TOKEN=" + s.AppToken(),
				"TALARIA_ADAPTERS_SLACK_API_URL=" + s.URL(),
			},
			admin: "slack:" + slack.Team + ":" + who,
			say:   func(text string) { s.Say(who, dm, text) }, command: func(line string) { s.Slash(who, dm, line) },
			said: func() (all []string) {
				for _, m := range s.Sent(dm) {
					all = append(all, m.Text+string(m.Blocks))
				}
				return all
			},
			press: func(n int, label string) {
				m := s.Sent(dm)[n]
				for _, b := range m.Buttons() {
					if b.Label == label {
						s.Press(who, dm, m.TS, b.ID)
					}
				}
			},
			dislike: func(n int) {
				s.Emit(map[string]any{
					"type": "reaction_added", "user": who, "reaction": "-1", "item": map[string]any{"type": "message", "channel": dm, "ts": s.Sent(dm)[n].TS},
				})
			},
			await: s.Await, breaches: s.Breaches,
		}
	},
	"discord": func(t *testing.T) private {
		const who, dm = "1", "9000"
		s := discord.New(t, discord.Options{NoRates: true})
		s.Direct(dm, who)
		say := func(text string) { s.Say(who, dm, text) }
		return private{
			environ: []string{"TALARIA_ADAPTERS_DISCORD_TOKEN=" + s.Token(), "TALARIA_ADAPTERS_DISCORD_API_URL=" + s.URL()},
			admin:   "discord:1",
			say:     say, command: func(line string) { say("/" + line) },
			said: func() (all []string) {
				for _, m := range s.Sent(dm) {
					all = append(all, m.Text)
				}
				return all
			},
			press: func(n int, label string) {
				m := s.Sent(dm)[n]
				for _, b := range m.Buttons {
					if b.Label == label {
						s.Press(who, dm, m.ID, b.CustomID)
					}
				}
			},
			dislike: func(n int) {
				s.Dispatch("MESSAGE_REACTION_ADD", map[string]any{
					"user_id": who, "channel_id": dm, "message_id": s.Sent(dm)[n].ID, "emoji": map[string]any{"id": nil, "name": "👎"},
				})
			},
			up:    func() bool { return s.Ready() > 0 },
			await: s.Await, breaches: s.Breaches,
		}
	},
}
