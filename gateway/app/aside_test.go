package app_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// onlySees waits until words were shown to one of some people alone, and fails if
// all can see them.
func onlySees(t *testing.T, st stage, pattern string, who ...role) {
	t.Helper()
	fits := regexp.MustCompile(pattern)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	private := func() (all []string) {
		switch st := st.(type) {
		case telegramStage:
			for _, n := range st.Notices(group) {
				if slices.ContainsFunc(who, func(r role) bool { return st.id(r) == n.User }) {
					all = append(all, n.Text)
				}
			}
		case slackStage:
			for _, m := range st.Sent(slackChannel) {
				if slices.ContainsFunc(who, func(r role) bool { return st.id(r) == m.Viewer }) {
					all = append(all, m.Text)
				}
			}
		case discordStage:
			for _, m := range st.Sent(discordChannel) {
				if slices.ContainsFunc(who, func(r role) bool { return st.id(r) == m.Private }) {
					all = append(all, m.Text)
				}
			}
		}
		return all
	}
	if err := st.await(ctx, func() bool { return fits.MatchString(strings.Join(private(), "\n")) }); err != nil {
		t.Fatalf("only %q is for %s alone, all see %q", private(), who, shared(st))
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
			onlySees(t, st, "you may not do that here", cy)
			w.press(ben, card, "Approve") // at once, so that either may be too late
			w.press(ada, card, "Approve")
			w.becomes(card, "Approved")
			onlySees(t, st, "decided already", ben, ada)
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
			onlySees(t, st.stage, "I don't know you yet", eve)
			w.press(ben, card, "Approve")
			w.becomes(card, "Approved")
		})
	}
}
