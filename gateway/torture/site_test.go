package torture

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"talaria/adapters/fake/discord"
	"talaria/adapters/fake/slack"
	"talaria/core/model/modeltest"
)

// site is a simulated platform as the kill loop needs it. People talk to the
// bot in direct conversations.
type site struct {
	env      []string
	say      func(user int, text string) (id string)
	began    func() int                                       // grows when the program was given something, or took its session up
	tally    func(said map[string]string) (verdict, []string) // with what else the bot said
	quiet    func() bool                                      // nothing would be given to the program again
	await    func(ctx context.Context, condition func() bool) error
	breaches func() []string
	close    func()
}

// word returns what an echo answers, empty for what is none.
func word(text string) string {
	w, ok := strings.CutPrefix(text, "echo: ")
	if !ok {
		return ""
	}
	return w
}

func slackSite(t *testing.T) *site {
	s, err := slack.Start(slack.Options{NoLimits: true, Minute: 300 * time.Millisecond, Tries: -1, AckTime: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	person := func(n int) string { return fmt.Sprintf("U%d", 1000+n) }
	for n := range people {
		s.People(slack.Person{ID: person(n), Name: person(n)})
		s.Direct(person(n))
	}
	return &site{
		env: []string{
			"TALARIA_ADAPTERS_SLACK_BOT_TOKEN=" + s.BotToken(), "TALARIA_ADAPTERS_SLACK_APP_TOKEN=" + s.AppToken(),
			"TALARIA_ADAPTERS_SLACK_API_URL=" + s.URL(), "TALARIA_ADAPTERS_SLACK_PEOPLE=*",
		},
		say: func(user int, text string) string { return s.Say(person(user), s.Direct(person(user)), text) },
		began: func() int {
			_, opened, _ := s.Sockets()
			return opened
		},
		tally: func(said map[string]string) (verdict, []string) {
			v := s.Tally(func(m slack.Message) string { return said[word(m.Text)] })
			var others []string
			for _, m := range v.Strays {
				others = append(others, m.Text)
			}
			return verdict{0, v.Said, v.Answered, len(v.Lost), len(v.Doubled), 0, len(v.Disordered), len(v.Strays)}, others
		},
		quiet: func() bool { return s.Unacknowledged() == 0 },
		await: s.Await, breaches: s.Breaches, close: s.Close,
	}
}

func discordSite(t *testing.T) *site {
	s, err := discord.Start(discord.Options{NoRates: true})
	if err != nil {
		t.Fatal(err)
	}
	for n := range people {
		s.Direct(fmt.Sprint(5000+n), fmt.Sprint(1000+n))
	}
	return &site{
		env: []string{
			"TALARIA_ADAPTERS_DISCORD_TOKEN=" + s.Token(), "TALARIA_ADAPTERS_DISCORD_API_URL=" + s.URL(), "TALARIA_ADAPTERS_DISCORD_PEOPLE=*",
		},
		say:   func(user int, text string) string { return s.Say(fmt.Sprint(1000+user), fmt.Sprint(5000+user), text) },
		began: func() int { return s.Identifies() + s.Resumes() },
		tally: func(said map[string]string) (verdict, []string) {
			v := s.Tally(func(m discord.Message) string { return said[word(m.Text)] })
			var others []string
			for _, m := range v.Strays {
				others = append(others, m.Text)
			}
			return verdict{0, v.Said, v.Answered, len(v.Lost), len(v.Doubled), 0, len(v.Disordered), len(v.Strays)}, others
		},
		quiet: func() bool { return true }, // what is left to be told again shows as lost
		await: s.Await, breaches: s.Breaches, close: s.Close,
	}
}

// people is how many talk to the bot.
const people = 20

// TestKillsOnOtherPlatforms is the kill loop on the platforms that know
// idempotency keys or can be read back. There are no placeholders there, so
// there can be no orphans.
func TestKillsOnOtherPlatforms(t *testing.T) {
	for name, start := range map[string]func(*testing.T) *site{"slack": slackSite, "discord": discordSite} {
		t.Run(name, func(t *testing.T) {
			s := start(t)
			defer s.close()
			w := bareWorld(t, "sqlite", modeltest.Echo())
			w.env = append(w.env, s.env...)
			v := s.kills(t, w, count(8, 300))
			t.Logf("%s %s", name, v)
			if v.Lost > 0 || v.Doubled > 0 || v.Disordered > 0 || v.Strays > 0 {
				t.Errorf("%s\n%s", v, w.lastLog())
			}
			for _, b := range s.breaches() {
				t.Errorf("breach: %s", b)
			}
		})
	}
}

// acquaint has everybody answered once. A platform that keeps nothing for a
// bot that was never there can't be asked what it missed.
func (s *site) acquaint(t *testing.T, w *world, said map[string]string) {
	t.Helper()
	before := s.began()
	p := w.serve()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	err := s.await(ctx, func() bool { return s.began() > before })
	for n := range people {
		text := fmt.Sprintf("hello from %d", n)
		said[text] = s.say(n, text)
	}
	if err == nil {
		err = s.await(ctx, func() bool { return s.unanswered(said) == 0 })
	}
	if err != nil {
		t.Fatalf("not everybody was answered: %v\n%s", err, w.lastLog())
	}
	p.stop()
}

// kills is the loop of TestKillsLoseNothingAndDoubleNothing.
func (s *site) kills(t *testing.T, w *world, n int) verdict {
	t.Helper()
	random := rand.New(rand.NewPCG(2, uint64(n)))
	said := map[string]string{}
	s.acquaint(t, w, said)
	for k := range n {
		for i := range 8 {
			text := fmt.Sprintf("word %d of %d", i, k)
			said[text] = s.say(random.IntN(people), text)
		}
		before := s.began()
		p := w.serve()
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
		if err := s.await(ctx, func() bool { return s.began() > before }); err != nil {
			t.Fatalf("kill %d: nothing reached the program: %v\n%s", k, err, w.lastLog())
		}
		if k%10 == 9 {
			// More than a person can have waiting would be refused, visibly.
			_ = s.await(ctx, func() bool { return s.unanswered(said) == 0 })
		}
		cancel()
		time.Sleep(time.Duration(random.Int64N(int64(100 * time.Millisecond))))
		p.kill()
	}
	p := w.serve()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	_ = s.await(ctx, func() bool { return s.quiet() && s.unanswered(said) == 0 })
	p.stop()
	v, others := s.tally(said)
	v.Kills = n
	counts := map[string]int{}
	for _, o := range others {
		counts[o]++
	}
	for o, times := range counts {
		t.Logf("%d times: %s", times, o)
	}
	return v
}

func (s *site) unanswered(said map[string]string) int {
	v, _ := s.tally(said)
	return v.Lost
}
