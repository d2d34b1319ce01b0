package daily_test

import (
	"strings"
	"testing"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/wording"
)

func TestABriefingThatIsAskedForInWordsIsSetUp(t *testing.T) {
	w := newWorld(t)
	asks := func(l wording.Language, p person.Principal, words string) string {
		t.Helper()
		d, err := w.jobs.Desk(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		told, err := d.Create(wording.With(t.Context(), l), words, "", words, false, chat.Member)
		if err != nil {
			t.Fatalf("%s: %v", words, err)
		}
		return told
	}
	is := func(told string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(told, part) {
				t.Errorf("%q does not tell %q", told, part)
			}
		}
	}
	is(asks(wording.English, who(), "give me a briefing every day at 8"), "Your daily briefing", "every day at 08:00", "schedules of the next day")
	w.brief(who(), "page", "add https://example.com/feed")
	is(asks(wording.Chinese, who(), "每个工作日早上九点给我简报"), "你的每日简报", "每个工作日09:00", "https://example.com/feed")
	is(asks(wording.Chinese, at(general), "每天早上八点给我们发一份简报"), "这里的每日简报", "每天08:00")
	jobs, err := w.jobs.All(t.Context())
	if err != nil || len(jobs) != 2 {
		t.Errorf("jobs %+v, %v", jobs, err)
	}
}
