package app_test

import (
	"context"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"talaria/gateway/config"
)

func TestAJobOfALostChannelComesToItsOwnerOnceAndIsPaused(t *testing.T) {
	for _, way := range []string{"archived", "deleted", "put out", "archived in silence", "deleted in silence", "put out in silence"} {
		t.Run("slack "+way, func(t *testing.T) {
			t.Parallel()
			st := onSlack(t).(slackStage)
			dm, told := st.Direct(st.id(cy)), !regexp.MustCompile("silence").MatchString(way)
			losing(t, st, func(text string) { st.Say(st.id(cy), dm, text) }, func() (all []string) {
				for _, m := range st.Sent(dm) {
					all = append(all, m.Text)
				}
				return all
			}, func() {
				lose := map[byte]func(string, bool){'a': st.Archive, 'd': st.Remove, 'p': st.PutOut}[way[0]]
				lose(slackChannel, told)
			})
		})
	}
	for _, way := range []string{"deleted", "deleted in silence", "barred"} {
		t.Run("discord "+way, func(t *testing.T) {
			t.Parallel()
			st := onDiscord(t).(discordStage)
			const dm = "9100"
			st.Direct(dm, st.id(cy))
			losing(t, st, func(text string) { st.Say(st.id(cy), dm, text) }, func() (all []string) {
				for _, m := range st.Sent(dm) {
					all = append(all, m.Text)
				}
				return all
			}, func() {
				if way == "barred" {
					st.Bar(discordChannel)
					return
				}
				st.Vanish(discordChannel, way == "deleted")
			})
		})
	}
}

// losing has a place lost that a job is for. Only one message is refused in the
// end, so a bot that says it twice is seen.
func losing(t *testing.T, st stage, say func(string), said func() []string, lose func()) {
	cfg, _, err := config.Load("", append(st.environ(), "TALARIA_WEB_LISTEN=off", "TALARIA_STORAGE_URL=sqlite:"+filepath.Join(t.TempDir(), "t.db")))
	if err != nil {
		t.Fatal(err)
	}
	w := &troupe{T: t, stage: st}
	w.start(cfg)
	w.listening()
	heard := func(pattern string) {
		t.Helper()
		fits := regexp.MustCompile(pattern)
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
		defer cancel()
		err := st.await(ctx, func() bool {
			n := 0
			for _, text := range said() {
				if fits.MatchString(text) {
					n++
				}
			}
			return n == 1
		})
		if err != nil {
			t.Fatalf("%q was not said once, but: %q", pattern, said())
		}
	}
	say("hello")
	heard(".")
	w.command(cy, "jobs add 0 9 * * * remind us to stand up")
	id := regexp.MustCompile("(?:Job|任务) .?([a-z2-7]{5,})").FindStringSubmatch(w.hears(0, "(?s)Job .*stand up").text)[1]
	lose()
	say("/jobs run " + id)
	heard("(?s)stand up.*paused now|paused now.*stand up")
	say("/jobs show " + id)
	heard("(?s)" + id + ".*paused: This was meant for")
}
