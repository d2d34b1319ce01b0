package torture

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
)

// deeds are what is cut off.
var deeds = map[string]deed{
	"a card is added": {
		act:  func(p *play) { p.command(ada, hers, "memory add the safe is green") },
		told: told(hers, "Noted|know that"),
		judge: func(p *play) {
			p.tells("memory", "What I remember", "safe is green")
			p.saidOnce(hers, "Noted|know that")
		},
	},
	"a card is reworded": {
		prepare: func(p *play) { p.order(hers, "memory add the safe is green", "Noted") },
		act: func(p *play) {
			id := regexp.MustCompile(`Noted as (\S+)\.`).FindStringSubmatch(p.hears(hers, "Noted").text)[1]
			p.command(ada, hers, "memory edit "+id+" the safe is blue")
		},
		told: told(hers, "It says now|did not work"),
		judge: func(p *play) {
			p.tells("memory", "What I remember", "safe is blue")
			p.saidOnce(hers, "It says now")
		},
	},
	"a card is deleted": {
		prepare: func(p *play) { p.order(hers, "memory add the safe is green", "Noted") },
		act: func(p *play) {
			id := regexp.MustCompile(`Noted as (\S+)\.`).FindStringSubmatch(p.hears(hers, "Noted").text)[1]
			p.command(ada, hers, "memory delete "+id)
		},
		told: told(hers, "Deleted|did not work"),
		judge: func(p *play) {
			p.tells("memory", "remember nothing", "")
			p.saidOnce(hers, "Deleted")
		},
	},
	"a change is taken back": {
		prepare: func(p *play) {
			p.order(hers, "memory add the safe is green", "Noted")
			p.order(hers, "memory add the door is red", "Noted")
		},
		act:  func(p *play) { p.command(ada, hers, "memory undo") },
		told: told(hers, "Taken back|nothing to take back"),
		judge: func(p *play) {
			list := p.tells("memory", "What I remember", "safe is green")
			if strings.Contains(list, "door is red") {
				p.Errorf("not taken back: %s", p.transcript())
			}
			p.saidOnce(hers, "Taken back")
		},
	},
	"a line about a person is struck": {
		prepare: func(p *play) {
			p.sendHome()
			p.hears(hers, "cards? kept")
			for _, l := range regexp.MustCompile(`• (\S{6}) `).FindAllStringSubmatch(p.order(hers, "memory", "What I remember"), -1) {
				p.order(hers, "memory confirm "+l[1], "Confirmed")
			}
			p.order(hers, "whoami", "(?s)1. Prefers.*2. Prefers")
		},
		act:  func(p *play) { p.command(ada, hers, "whoami strike 1") },
		told: told(hers, "Struck|no line"),
		judge: func(p *play) {
			if left := p.order(hers, "whoami", "What I know"); strings.Count(left, "Prefers") != 1 {
				p.Errorf("left: %s", left)
			}
			p.saidOnce(hers, "Struck: Prefers")
		},
	},
	"a conversation is begun anew": {
		prepare: func(p *play) { p.say(ada, hers, "hello"); p.hears(hers, "echo: hello") },
		act:     func(p *play) { p.command(ada, hers, "new") },
		told:    told(hers, "fresh start"),
		judge: func(p *play) {
			p.tells("status", "Exchanges", "Exchanges in this conversation: 0")
			p.saidOnce(hers, "fresh start")
		},
	},
	"a skill is approved": {
		prepare: func(p *play) {
			p.command(ada, channel, "skills import\n"+recipe("Boil water."))
			p.hears(channel, "New skill")
		},
		act: func(p *play) { p.press(ada, channel, p.hears(channel, "New skill"), "Approve") },
		told: func(p *play) bool {
			for _, l := range p.posted(channel) {
				if strings.Contains(l.text, "New skill") || strings.Contains(l.text, "Approved") {
					return strings.Contains(l.text, "Approved") && len(l.buttons) == 0
				}
			}
			return false
		},
		judge: func(p *play) {
			p.order(channel, "skills show teatime", "active, revision 1")
			p.saidOnce(channel, "Approved")
		},
	},
	"a skill is rolled back": {
		prepare: func(p *play) {
			p.order(hers, "skills import\n"+recipe("Boil water."), "New skill")
			p.order(hers, "skills approve teatime", "in force|pproved")
			p.order(hers, "skills edit teatime\n"+recipe("Boil water twice."), "revision 2")
			p.order(hers, "skills edit teatime\n"+recipe("Boil water thrice."), "revision 3")
		},
		act:  func(p *play) { p.command(ada, hers, "skills rollback teatime") },
		told: told(hers, "back at revision|at revision 2 already|no revision"),
		judge: func(p *play) {
			p.tells("skills show teatime", "active", "active, revision 2")
			p.saidOnce(hers, "back at revision|at revision 2 already")
		},
	},
	"a job is made": {
		act:  func(p *play) { p.command(ada, hers, "jobs add every day at 9:00 remind me to water the plants") },
		told: told(hers, "^Job "),
		judge: func(p *play) {
			list := p.order(hers, "jobs", "• \\S+ every day")
			if strings.Count(list, "water the plants") != 1 {
				p.Errorf("jobs: %s", list)
			}
		},
	},
	"a job is run": {
		prepare: func(p *play) { p.order(hers, "jobs add every day at 9:00 remind me to water the plants", "^Job ") },
		act: func(p *play) {
			id := regexp.MustCompile(`Job (\S+):`).FindStringSubmatch(p.hears(hers, "^Job ").text)[1]
			p.command(ada, hers, "jobs run "+id)
		},
		told:  told(hers, "^Reminder: water the plants"),
		judge: func(p *play) { p.saidOnce(hers, "^Reminder: water the plants") },
	},
	"a person takes their data": {
		prepare: func(p *play) { p.order(hers, "memory add the safe is green", "Noted") },
		act:     func(p *play) { p.command(ada, hers, "export") },
		told: func(p *play) bool {
			return p.said(hers, "may have answered this") > 0 || slices.ContainsFunc(p.posted(hers), func(l line) bool { return len(l.files) > 0 })
		},
		judge: func(p *play) {
			p.order(hers, "status", "Exchanges")
			p.saidOnce(hers, "Everything that I keep about you")
			if n := p.said(hers, "^$") + p.said(hers, "may have answered this"); n == 0 || p.said(hers, "^$") > 1 {
				p.Errorf("the file and a notice came %d times\n%s", n, p.transcript())
			}
		},
	},
	"a home is imported": {
		act:  func(p *play) { p.sendHome() },
		told: told(hers, "cards? kept|was not taken"),
		judge: func(p *play) {
			p.tells("memory", "What I remember", "boiler is serviced")
			p.tells("memory", "What I remember", "Prefers short answers")
			p.tells("skills pending", "laundry", "laundry")
			p.saidOnce(hers, "cards? kept")
		},
	},
	"a person is forgotten": {
		stride: 31, // every shard is told
		prepare: func(p *play) {
			p.order(hers, "memory add the safe is "+canary, "Noted")
			p.say(ada, hers, "my word is "+canary)
			p.hears(hers, "echo: my word is")
			p.say(ada, channel, "in public "+canary)
			p.hears(channel, "echo: in public")
			p.order(hers, "forget me", "/forget me [a-z0-9]{8}")
		},
		act: func(p *play) {
			p.command(ada, hers, regexp.MustCompile(`forget me [a-z0-9]{8}`).FindString(p.hears(hers, "/forget me [a-z0-9]{8}").text))
		},
		told: told(hers, "You are forgotten|not good"),
		judge: func(p *play) {
			p.saidOnce(hers, "You are forgotten")
			p.tells("memory", "remember nothing", "")
			p.saidOnce(hers, "You are forgotten")
			p.tells("memory", "remember nothing", "")
			for began := time.Now(); p.kept(canary) != ""; time.Sleep(100 * time.Millisecond) { // nobody announces it
				if time.Since(began) > time.Minute {
					p.Fatalf("still in %s", p.kept(canary))
				}
			}
		},
	},
	"accounts are linked": {
		scene:   twoPlatforms,
		prepare: func(p *play) { p.twoWithCards(); p.order(hers, "link", "/link ") },
		act: func(p *play) {
			p.command(ben, his, strings.TrimPrefix(regexp.MustCompile(`/link \S+`).FindString(p.hears(hers, "/link ").text), "/"))
		},
		told: told(his, "Linked|not good|linked"),
		judge: func(p *play) {
			p.tells("memory", "What I remember", "door is red")
			p.tells("memory", "What I remember", "safe is green")
			p.saidOnce(his, "Linked")
		},
	},
	"a link is undone": {
		scene: twoPlatforms,
		prepare: func(p *play) {
			p.twoWithCards()
			p.order(hers, "link", "/link ")
			p.command(ben, his, strings.TrimPrefix(regexp.MustCompile(`/link \S+`).FindString(p.hears(hers, "/link ").text), "/"))
			p.hears(his, "Linked")
			p.tells("memory", "What I remember", "door is red")
		},
		act:  func(p *play) { p.command(ada, hers, "link undo discord:1") },
		told: told(hers, "on its own again|not linked"),
		judge: func(p *play) {
			if list := p.tells("memory", "What I remember", "safe is green"); strings.Contains(list, "door is red") {
				p.Errorf("Ben's card is with Ada: %s", list)
			}
			p.command(ben, his, "memory")
			p.hears(his, "door is red")
		},
	},
	"a conversation is summed up": {
		env: []string{"TALARIA_AGENT_MAX_HISTORY_TOKENS=1000"},
		prepare: func(p *play) {
			for n := range 3 {
				p.say(ada, hers, fmt.Sprintf("chapter %d %s", n, strings.Repeat("and so on ", 100)))
				p.hears(hers, fmt.Sprintf("echo: chapter %d", n))
			}
		},
		act:  func(p *play) { p.say(ada, hers, "and now") },
		told: told(hers, "^echo: and now"),
		judge: func(p *play) {
			p.say(ada, hers, "goodbye")
			p.hears(hers, "^echo: goodbye")
			p.saidOnce(hers, "^echo: and now")
			p.tells("status", "Exchanges", "Exchanges in this conversation: 5")
			for _, refused := range p.w.model.Refusals() {
				p.Errorf("the model was called wrongly: %s", refused)
			}
		},
	},
	"a call is agreed to": {
		env:     []string{"TALARIA_TOOLS_ASK=files_write"},
		prepare: func(p *play) { p.say(ada, hers, "save tea"); p.hears(hers, `(?s)files write.*tea\.txt`) },
		act:     func(p *play) { p.press(ada, hers, p.hears(hers, `(?s)files write.*tea\.txt`), "Yes, do it") },
		told:    told(hers, "it says: "),
		judge:   func(p *play) { p.saidOnce(hers, "it says: ") },
	},
	"a file is written": {
		act:   func(p *play) { p.say(ada, hers, "save tea") },
		told:  told(hers, "it says: "),
		judge: func(p *play) { p.saidOnce(hers, "it says: ") },
	},
	"a group becomes a supergroup": {
		prepare: func(p *play) {
			s := p.scene.(telegramStage)
			s.Group(oldGroup, 1)
			s.Group(newGroup, 1)
			p.at(oldGroup, "/settings here on", "may talk to me now")
			p.at(oldGroup, "@"+fake.BotName+" hello", "echo: hello")
			p.at(oldGroup, "/memory@"+fake.BotName+" add the safe is green", "Noted")
			p.at(oldGroup, "/jobs@"+fake.BotName+" add every day at 9:00 remind us to water the plants", "Job ")
			p.at(oldGroup, "/skills@"+fake.BotName+" import\n"+recipe("Boil water."), "New skill")
			p.at(oldGroup, "/skills@"+fake.BotName+" approve teatime", "in force|pproved")
			p.at(oldGroup, "/role@"+fake.BotName+" telegram:2 approver here", "approver")
		},
		act: func(p *play) { p.scene.(telegramStage).Migrate(oldGroup, newGroup) },
		told: func(p *play) bool {
			s := p.scene.(telegramStage)
			return s.Unconfirmed() == 0
		},
		judge: func(p *play) {
			p.at(newGroup, "/memory@"+fake.BotName, "safe is green")
			p.at(newGroup, "/jobs@"+fake.BotName, "water the plants")
			p.at(newGroup, "/skills@"+fake.BotName+" show teatime", "active, revision 1")
			p.at(newGroup, "/search@"+fake.BotName+" hello", "hello")
			p.at(newGroup, "/status@"+fake.BotName, "Exchanges in this conversation: 1")
		},
	},
}

const (
	oldGroup = -71
	newGroup = -1000071
)

// at has Ada say something in a chat of Telegram until she is answered so.
func (p *play) at(chat int64, text, pattern string) {
	p.Helper()
	s := p.scene.(telegramStage)
	fits := regexp.MustCompile(pattern)
	for try := 0; ; try++ {
		before := len(s.Sent(chat))
		s.Say(1, chat, text)
		answered := func() bool {
			for n, m := range s.Sent(chat) {
				if n >= before && m.Text != "…" && m.Text != "" {
					return true
				}
			}
			return false
		}
		if err := s.Await(p.Context(), answered); err != nil {
			p.Fatal(err)
		}
		for _, m := range s.Sent(chat)[before:] {
			if fits.MatchString(m.Text) {
				return
			}
		}
		if try == 20 {
			p.Fatalf("%s: %+v", text, s.Sent(chat)[before:])
		}
	}
}

// tells has Ada ask something in private, whose answer must hold some words.
func (p *play) tells(line, pattern, want string) string {
	p.Helper()
	got := p.order(hers, line, pattern)
	if !strings.Contains(got, want) {
		p.Errorf("%s tells no %q: %s\n%s", line, want, got, p.transcript())
	}
	return got
}

const canary = "zanzibarquokka"

// kept is a file of the store's that holds a word, empty if none does.
func (p *play) kept(word string) string {
	p.Helper()
	files, err := filepath.Glob(filepath.Join(p.w.dir, "talaria.db*"))
	if err != nil {
		p.Fatal(err)
	}
	for _, f := range files {
		if data, err := os.ReadFile(f); err == nil && bytes.Contains(data, []byte(word)) {
			return f
		}
	}
	return ""
}

// twoStages is a person on two platforms: Ben's conversation is Ada's on the
// other one.
type twoStages struct {
	telegramStage
	discord discordStage
}

func twoPlatforms(t *testing.T) scene {
	return twoStages{telegramScene(t).(telegramStage), discordScene(t).(discordStage)}
}

func (s twoStages) env() []string { return append(s.telegramStage.env(), s.discord.env()...) }
func (s twoStages) began() int    { return s.discord.began() }
func (s twoStages) breaches() []string {
	return append(s.telegramStage.breaches(), s.discord.breaches()...)
}

func (s twoStages) close() {
	s.telegramStage.close()
	s.discord.close()
}

func (s twoStages) command(who int, at spot, line string) {
	if at == his {
		s.discord.command(ada, hers, line)
		return
	}
	s.telegramStage.command(who, at, line)
}

func (s twoStages) posted(at spot) []line {
	if at == his {
		return s.discord.posted(hers)
	}
	return s.telegramStage.posted(at)
}

// await looks again and again: what is waited for may be on either platform.
func (s twoStages) await(ctx context.Context, c func() bool) error {
	for !c() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	return nil
}

// twoWithCards has Ada and Ben each have a card.
func (p *play) twoWithCards() {
	p.Helper()
	p.order(hers, "memory add the safe is green", "Noted")
	p.command(ben, his, "memory add the door is red")
	p.hears(his, "Noted")
}

// sendHome has Ada send the home of another assistant.
func (p *play) sendHome() {
	p.Helper()
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for name, text := range map[string]string{
		"memories/MEMORY.md":      "The boiler is serviced in May.\n",
		"memories/USER.md":        "Prefers short answers.\n§\nPrefers long walks.\n",
		"config.yaml":             "skills: {}\n",
		"skills/laundry/SKILL.md": "---\nname: laundry\ndescription: Sort the laundry by colour\n---\n\n1. Begin.\n",
	} {
		f, err := z.Create(name)
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			p.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		p.Fatal(err)
	}
	p.scene.(telegramStage).Speak(fake.Speech{User: 1, Chat: 1, Text: "/skills import", File: &fake.File{Name: "home.zip", Data: archive.Bytes()}})
}
