package app_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// onlySees waits until words were shown to one person alone, and fails if anybody
// else can see them.
func onlySees(t *testing.T, st stage, who role, pattern string) {
	t.Helper()
	fits := regexp.MustCompile(pattern)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	private := func() (all []string) {
		switch st := st.(type) {
		case telegramStage:
			for _, n := range st.Notices(group) {
				if n.User == st.id(who) {
					all = append(all, n.Text)
				}
			}
		case slackStage:
			for _, m := range st.Sent(slackChannel) {
				if m.Viewer == st.id(who) {
					all = append(all, m.Text)
				}
			}
		case discordStage:
			for _, m := range st.Sent(discordChannel) {
				if m.Private == st.id(who) {
					all = append(all, m.Text)
				}
			}
		}
		return all
	}
	if err := st.await(ctx, func() bool { return fits.MatchString(strings.Join(private(), "\n")) }); err != nil {
		t.Fatalf("only %q is for %s alone", private(), who)
	}
	for _, text := range shared(st) {
		if fits.MatchString(text) {
			t.Errorf("all see %q", text)
		}
	}
}

// shared is what all in the place see.
func shared(st stage) (all []string) {
	switch st := st.(type) {
	case telegramStage:
		for _, m := range st.Sent(group) {
			all = append(all, m.Text)
		}
	case slackStage:
		for _, m := range st.Sent(slackChannel) {
			if m.Viewer == "" {
				all = append(all, m.Text)
			}
		}
	case discordStage:
		for _, m := range st.Sent(discordChannel) {
			if m.Private == "" {
				all = append(all, m.Text)
			}
		}
	}
	return all
}

// narrow is a stage where only those who are named may use the bot.
type narrow struct{ stage }

func (n narrow) environ() []string {
	return slices.DeleteFunc(n.stage.environ(), func(v string) bool {
		return strings.HasSuffix(v, "_PEOPLE=*") || strings.Contains(v, "_SPACES=")
	})
}

func TestAPressThatIsAnothersOrTooLateIsToldSoPrivately(t *testing.T) {
	for name, on := range stages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st := on(t)
			w := single(t, st)
			w.command(ben, "skills import\n"+tea("one.txt"))
			card := w.hears(0, "(?s)New skill.*teatime")
			w.press(cy, card, "Approve")
			onlySees(t, st, cy, "you may not do that here")
			w.press(ben, card, "Approve")
			w.press(ada, card, "Approve")
			w.becomes(card, "Approved")
			onlySees(t, st, ada, "decided already")
		})
	}
}

func TestAStrangerWhoPressesIsToldPrivatelyWhatIsNeeded(t *testing.T) {
	for name, on := range stages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			st := narrow{on(t)}
			w := single(t, st)
			w.command(ben, "skills import\n"+tea("one.txt"))
			card := w.hears(0, "(?s)New skill.*teatime")
			w.press(eve, card, "Approve")
			onlySees(t, st.stage, eve, "I don't know you yet")
			w.press(ben, card, "Approve")
			w.becomes(card, "Approved")
		})
	}
}
