package daily_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/tool"
	"talaria/gateway/daily"
	"talaria/scheduler"
	"talaria/scheduler/when"
)

var everything = daily.Spec{
	Sections: []daily.Section{daily.Requests, daily.Approvals, daily.Schedules, daily.Channels, daily.Pages},
	Channels: []chat.Address{general}, Pages: []string{"https://news.example/"},
}

func TestOnlyWhatIsNewIsTold(t *testing.T) {
	w := newWorld(t)
	w.pages["https://news.example/"] = tool.Page{HTML: true, Text: "The headline of today\nA second headline here"}
	w.speak("bob", "the build is red")
	w.asks(general, ann, "summarise the quarter")
	w.drafts = []skill.Revision{{Ref: skill.Ref{Name: "tea", Scope: skill.OfPerson(who().Person)}, Hash: "1"}}
	soon, err := when.Parse("in 1 hour", time.UTC, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.jobs.For(who()).Add(t.Context(), scheduler.Order{Key: "k", Say: "water the plants", Schedule: soon}); err != nil {
		t.Fatal(err)
	}
	first := w.run(everything, who())
	for _, want := range []string{"waiting: summarise the quarter", "skill `tea`", "water the plants", "bob: the build is red"} {
		if !strings.Contains(first, want) {
			t.Errorf("the first briefing lacks %q:\n%s", want, first)
		}
	}
	if strings.Contains(first, "headline") {
		t.Errorf("a first look at a page told all of it:\n%s", first)
	}
	if second := w.run(everything, who()); second != "" {
		t.Errorf("with nothing new it told:\n%s", second)
	}
	w.speak("bob", "the build is green")
	w.pages["https://news.example/"] = tool.Page{HTML: true, Text: "A second headline here\nThe headline of tomorrow"}
	third := w.run(everything, who())
	if !strings.Contains(third, "build is green") || !strings.Contains(third, "headline of tomorrow") ||
		strings.Contains(third, "build is red") || strings.Contains(third, "second headline") || strings.Contains(third, "plants") {
		t.Errorf("the third briefing is\n%s", third)
	}
}

func TestNewRepliesInThreadsAreToldOnce(t *testing.T) {
	w := newWorld(t)
	w.speak("bob", "shall we ship?")
	w.reply(1, "eve", "not on a Friday")
	first := w.run(everything, who())
	if strings.Count(first, "shall we ship?") != 1 || !strings.Contains(first, "eve in a thread: not on a Friday") {
		t.Errorf("the first briefing is\n%s", first)
	}
	if second := w.run(everything, who()); second != "" {
		t.Errorf("with nothing new it told:\n%s", second)
	}
	w.reply(1, "bob", "on Monday then")
	for n := range 30 {
		w.speak("bob", fmt.Sprint("topic ", n))
		w.reply(len(w.said), "eve", fmt.Sprint("thought ", n))
	}
	third := w.run(everything, who())
	if strings.Contains(third, "Friday") || strings.Count(third, " in a thread: ") != 10 {
		t.Errorf("the third briefing is\n%s", third)
	}
	w.reply(1, "bob", "the secret of the thread")
	w.member = false
	if text := w.run(everything, who()); strings.Contains(text, "secret") {
		t.Errorf("who left was told\n%s", text)
	}
}

func TestARunThatIsRepeatedGathersTheSame(t *testing.T) {
	w := newWorld(t)
	w.speak("bob", "the build is red")
	first := w.run(everything, who())
	if again := w.run(everything, who(), 1); again != first || first == "" {
		t.Errorf("first %q, again %q", first, again)
	}
}

func TestTheNewsOfARunThatBrokeOffComesWithTheNext(t *testing.T) {
	w := newWorld(t)
	w.speak("bob", "the build is red")
	w.run(everything, who())
	w.breaks(who(), 1)
	if next := w.run(everything, who()); !strings.Contains(next, "build is red") {
		t.Errorf("the next one told %q", next)
	}
}

func TestWhoLeftAChannelIsToldNothingOfIt(t *testing.T) {
	w := newWorld(t)
	w.speak("bob", "the secret of the day")
	w.asks(general, ann, "summarise the quarter")
	w.member = false
	text := w.run(everything, who())
	if strings.Contains(text, "secret") || strings.Contains(text, "quarter") || !strings.Contains(text, "no member of it any more") {
		t.Errorf("told\n%s", text)
	}
}

func TestTheBriefingOfASpaceTellsOfThatSpaceAlone(t *testing.T) {
	w := newWorld(t)
	bob := chat.Identity{Platform: "test", ID: "bob"}
	spec := everything
	spec.Space, spec.Channels, spec.Pages = general, []chat.Address{home}, nil
	w.asks(home, ann, "my private question")
	w.asks(general, bob, "the question of all")
	there := who()
	there.Place, there.Direct = general, false
	text := w.run(spec, there)
	if strings.Contains(text, "private") || !strings.Contains(text, "the question of all, of bob") {
		t.Errorf("told\n%s", text)
	}
	w.member = false
	if lost := w.run(spec, who()); !strings.Contains(lost, "nothing of test/W/general any more") || strings.Contains(lost, "question") {
		t.Errorf("with the space lost, told\n%s", lost)
	}
	if again := w.run(spec, who()); again != "" {
		t.Errorf("and again\n%s", again)
	}
}

func TestAPersonsBriefingThatWasSentToASpaceTellsNoOtherChannel(t *testing.T) {
	w := newWorld(t)
	w.speak("bob", "said in general")
	there := who()
	there.Place, there.Direct = chat.Address{Platform: "test", Workspace: "W", Chat: "random"}, false
	if text := w.run(everything, there); strings.Contains(text, "said in general") {
		t.Errorf("told\n%s", text)
	}
}

func TestWhatCouldNotBeReadIsSaidOnceAndReadLater(t *testing.T) {
	w := newWorld(t)
	w.speak("bob", "before")
	w.run(everything, who())
	w.broken = errors.New("no answer")
	w.speak("bob", "meanwhile")
	if text := w.run(everything, who()); !strings.Contains(text, "could not be read this time") {
		t.Errorf("told\n%s", text)
	}
	w.broken = nil
	if text := w.run(everything, who()); !strings.Contains(text, "meanwhile") || strings.Contains(text, "before") {
		t.Errorf("told\n%s", text)
	}
}

func TestAPlatformWithoutHistoryIsSaidToBeImpossible(t *testing.T) {
	w := newWorld(t)
	spec := everything
	spec.Channels = []chat.Address{{Platform: "telegram", Chat: "-100"}}
	if text := w.run(spec, who()); !strings.Contains(text, "does not let bots read") {
		t.Errorf("told\n%s", text)
	}
}

func TestAFloodIsCutAndMarkupOfOthersIsPlain(t *testing.T) {
	w := newWorld(t)
	for n := range 250 {
		w.speak("bob", fmt.Sprintf("[click](https://evil.example) **now** `rm` <@everyone> %d %s", n, strings.Repeat("x", 2000)))
	}
	text := w.run(everything, who())
	if len(text) > 15000 || strings.ContainsAny(text, "[]`<>") || !strings.Contains(text, "more before these") {
		t.Errorf("%d bytes told:\n%.600s", len(text), text)
	}
}

func TestOtherRunsAreLeftAlone(t *testing.T) {
	w := newWorld(t)
	e := tick(t, everything, who(), 1)
	e.Tick.Value = []byte(`{"job":"abcde"}`)
	if text, ok, err := w.gather.Gather(t.Context(), e, who()); ok || text != "" || err != nil {
		t.Errorf("gathered %q, %v, %v for a run that is no briefing's", text, ok, err)
	}
}

func TestDraftsOfATeamAreForApprovers(t *testing.T) {
	w := newWorld(t)
	w.drafts = []skill.Revision{{Ref: skill.Ref{Name: "tea", Scope: skill.OfTeam("T")}, Hash: "1"}}
	if text := w.run(everything, who()); strings.Contains(text, "tea") {
		t.Errorf("a member was told of\n%s", text)
	}
	approver := who()
	approver.Role = person.Approver
	if text := w.run(everything, approver); !strings.Contains(text, "tea") {
		t.Errorf("an approver was told\n%s", text)
	}
}
