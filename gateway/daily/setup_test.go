package daily_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// asks runs /brief with arguments.
func (w *world) brief(p person.Principal, key, args string) chat.Post {
	w.t.Helper()
	e := chat.Event{Kind: chat.Command, Keys: []string{key}, Address: p.Place, Direct: p.Direct, Command: &chat.CommandCall{Name: "brief", Args: args}}
	ctx, err := wording.For(w.t.Context(), w.desk.Store, p, e)
	if err != nil {
		w.t.Fatal(err)
	}
	post, err := w.desk.Commands()[0].Run(ctx, command.Call{Who: p, Event: e, Args: args})
	if err != nil {
		w.t.Fatalf("/brief %s: %v", args, err)
	}
	return post
}

// press presses the button of a card that has a label.
func (w *world) press(p person.Principal, card chat.Post, label string) command.Reaction {
	w.t.Helper()
	n := slices.IndexFunc(card.Buttons, func(b chat.Button) bool { return b.Label == label })
	if n < 0 {
		w.t.Fatalf("no button %q in %+v", label, card)
	}
	return w.send(p, card.Buttons[n].Action, card.Buttons[n].Token)
}

func (w *world) send(p person.Principal, action, token string) command.Reaction {
	w.t.Helper()
	e := chat.Event{Kind: chat.Press, Keys: []string{"press"}, Address: p.Place, Direct: p.Direct, Press: &chat.PressData{Action: action, Token: token}}
	r, err := command.NewTable(nil, w.desk.Actions()...).Press(w.t.Context(), command.PressOf(p, e, nil))
	if err != nil {
		w.t.Fatalf("press %s %s: %v", action, token, err)
	}
	return r
}

// setUp goes through all steps with these choices, and returns the last card.
func (w *world) setUp(p person.Principal, labels ...string) chat.Post {
	w.t.Helper()
	card := w.brief(p, "set up "+p.Place.String(), "new")
	for _, label := range labels {
		r := w.press(p, card, label)
		if r.Card == nil {
			w.t.Fatalf("%q came to %+v", label, r)
		}
		card = *r.Card
	}
	return card
}

func at(place chat.Address) person.Principal {
	p := who()
	p.Place, p.Direct = place, false
	return p
}

func TestAPressThatIsRepeatedComesToTheSame(t *testing.T) {
	w := newWorld(t)
	card := w.setUp(who(), "8:00", "Here", "✓ Pages")
	first := w.press(who(), card, "Done")
	again := w.press(who(), card, "Done")
	if first.Card.Markdown != again.Card.Markdown {
		t.Errorf("first %q, again %q", first.Card.Markdown, again.Card.Markdown)
	}
	if jobs, err := w.jobs.All(t.Context()); err != nil || len(jobs) != 1 {
		t.Errorf("%d jobs, %v", len(jobs), err)
	}
	if strings.Contains(first.Card.Markdown, "watched pages") {
		t.Errorf("what was left out is in\n%s", first.Card.Markdown)
	}
}

func TestTheSetUpIsInThePersonsLanguage(t *testing.T) {
	w := newWorld(t)
	e := chat.Event{Kind: chat.Command, Keys: []string{"zh"}, Address: home, Direct: true, Command: &chat.CommandCall{Name: "brief"}}
	card, err := w.desk.Commands()[0].Run(wording.With(t.Context(), wording.Chinese), command.Call{Who: who(), Event: e})
	if err != nil || !strings.Contains(card.Markdown, "第1步") {
		t.Fatalf("began with %q, %v", card.Markdown, err)
	}
	for _, step := range [][2]string{{"8:00", "时间：每天08:00"}, {"这里", "第3步"}, {"完成", "你的每日简报**：每天08:00"}} {
		r := w.press(who(), card, step[0])
		if r.Card == nil || !strings.Contains(r.Card.Markdown, step[1]) {
			t.Fatalf("%s came to %+v", step[0], r)
		}
		card = *r.Card
	}
	if post := w.brief(who(), "en", "show"); !strings.Contains(post.Markdown, "Your daily briefing** comes every day at 08:00") {
		t.Errorf("shown as %q to somebody who writes English", post.Markdown)
	}
	if post := w.brief(who(), "at", "at 每个工作日早上七点半"); !strings.Contains(post.Markdown, "工作日07:30") {
		t.Errorf("with a time in Chinese it is %q", post.Markdown)
	}
}

// TestATimeBeginsASetUp, since it is the first that has to be known; alone it means
// each day, and what says no time is answered with some that do.
func TestATimeBeginsASetUp(t *testing.T) {
	for said, want := range map[string]string{
		"at 25":            "no 25:00",
		"25点":              "没有 25:00",
		"at hello":         "such as `/brief at 7:30`",
		"at in 20 minutes": "such as `/brief at 7:30`",
		"at tomorrow at 9": "such as `/brief at 7:30`",
		"at 9":             "when: every day at 9.",
		"8am":              "when: every day at 8am.",
		"早上八点":             "时间：每天早上八点。",
		"weekdays at 7":    "when: weekdays at 7.",
		"hello":            "I don't know `/brief hello`",
	} {
		w := newWorld(t)
		if post := w.brief(who(), "k", said); !strings.Contains(post.Markdown, want) {
			t.Errorf("%s came to %q, want %q", said, post.Markdown, want)
		}
	}
}

func TestAnothersPressIsRefused(t *testing.T) {
	w := newWorld(t)
	card := w.brief(at(general), "k", "new")
	bob := at(general)
	bob.Identity.ID = "bob"
	bob.Person = person.Home(bob.Identity)
	for _, b := range card.Buttons {
		if r := w.send(bob, b.Action, b.Token); r.Card != nil || !strings.Contains(r.Say.Markdown, "whoever asked") {
			t.Errorf("%s came to %+v", b.Label, r)
		}
	}
}

func TestTokensThatNoButtonHasChangeNothing(t *testing.T) {
	w := newWorld(t)
	card := w.brief(who(), "k", "new")
	token, _, _ := strings.Cut(card.Buttons[0].Token, "-")
	for _, b := range [][2]string{{"brief.when", ""}, {"brief.when", "9"}, {"brief.when", "2500"}, {"brief.where", "mars"}, {"brief.what", "keys-on"}} {
		if r := w.send(who(), b[0], token+"-"+b[1]); r.Card == nil || !strings.Contains(r.Card.Markdown, "step 1") {
			t.Errorf("%v came to %+v", b, r)
		}
	}
	if r := w.send(who(), "brief.done", token+"-x"); r.Card == nil || strings.Contains(r.Card.Markdown, "comes") {
		t.Errorf("done without a time came to %+v", r.Card)
	}
}

func TestASecondSetUpTakesThePlaceOfTheFirst(t *testing.T) {
	w := newWorld(t)
	w.setUp(who(), "8:00", "Here", "Done")
	card := w.brief(who(), "second", "new")
	for _, label := range []string{"9:00", "Here", "Done"} {
		card = *w.press(who(), card, label).Card
	}
	jobs, err := w.jobs.All(t.Context())
	if err != nil || len(jobs) != 1 || !strings.Contains(jobs[0].Schedule.Text("en"), "09:00") {
		t.Errorf("jobs %+v, %v", jobs, err)
	}
}

func TestFromASpaceABriefingGoesToTheDirectConversation(t *testing.T) {
	w := newWorld(t)
	card := w.setUp(at(general), "9:00", "Direct message", "Done")
	if !strings.Contains(card.Markdown, "in our direct conversation") {
		t.Fatalf("set up as\n%s", card.Markdown)
	}
	if post := w.brief(at(general), "a", "add here"); strings.Contains(post.Markdown, "general") {
		t.Errorf("in the channel it says\n%s", post.Markdown)
	}
	if post := w.brief(who(), "s", "show"); !strings.Contains(post.Markdown, general.String()) {
		t.Errorf("it consists of\n%s", post.Markdown)
	}
	if post := w.brief(at(general), "s", "show"); !strings.Contains(post.Markdown, "no briefing for this place") {
		t.Errorf("the channel was shown\n%s", post.Markdown)
	}
	w.brief(who(), "r", "remove "+general.String())
	if post := w.brief(who(), "s", "show"); strings.Contains(post.Markdown, general.String()) {
		t.Errorf("still in\n%s", post.Markdown)
	}
}

func TestWhatIsTakenInIsChecked(t *testing.T) {
	w := newWorld(t)
	w.setUp(who(), "8:00", "Here", "Done")
	for args, want := range map[string]string{
		"add https://u:p@news.example/x#top": "https://news.example/x`",
		"add javascript:alert(1)":            "a page or feed",
		"add telegram//-100":                 "does not let bots read",
		"at 25:00":                           "",
		"at every weekday at 7:30":           "07:30",
		"dance":                              "I don't know `/brief dance`",
	} {
		if post := w.brief(who(), args, args); !strings.Contains(post.Markdown, want) || strings.Contains(post.Markdown, "u:p@") {
			t.Errorf("%s came to\n%s", args, post.Markdown)
		}
	}
	w.member = false
	if post := w.brief(who(), "x", "add "+general.String()); !strings.Contains(post.Markdown, "of which you are a member") {
		t.Errorf("a channel of others came to\n%s", post.Markdown)
	}
}

func TestWithoutADirectConversationNoneIsChosen(t *testing.T) {
	w := newWorld(t)
	w.private = false
	card := *w.press(at(general), w.brief(at(general), "k", "new"), "8:00").Card
	if r := w.press(at(general), card, "Direct message"); r.Card != nil || !strings.Contains(r.Say.Markdown, "write to me alone first") {
		t.Errorf("came to %+v", r)
	}
}

func TestATimeInWordsIsTakenIntoTheSetUp(t *testing.T) {
	w := newWorld(t)
	card := w.brief(who(), "k", "new")
	if r := w.press(who(), card, "Other"); !strings.Contains(r.Say.Markdown, "/brief at") {
		t.Errorf("other came to %+v", r)
	}
	if post := w.brief(who(), "u", "at tomorrow-ish"); len(post.Buttons) > 0 {
		t.Errorf("no time came to %+v", post)
	}
	card = w.brief(who(), "a", "at every weekday at 7:30")
	for _, label := range []string{"Here", "Done"} {
		card = *w.press(who(), card, label).Card
	}
	if !strings.Contains(card.Markdown, "07:30") {
		t.Errorf("set up as\n%s", card.Markdown)
	}
}

func TestASetUpThatIsUnderWayIsGoneOnWith(t *testing.T) {
	w := newWorld(t)
	card := w.brief(who(), "k", "")
	w.press(who(), card, "8:00")
	if post := w.brief(who(), "again", ""); !strings.Contains(post.Markdown, "Step 2 of 3") {
		t.Errorf("/brief came to %+v", post)
	}
	if post := w.brief(who(), "pause", "pause"); !strings.Contains(post.Markdown, "being set up still") {
		t.Errorf("/brief pause came to %+v", post)
	}
	w.brief(who(), "off", "off")
	if post := w.brief(who(), "new", ""); !strings.Contains(post.Markdown, "step 1 of 3") {
		t.Errorf("after it was given up, /brief came to %+v", post)
	}
}

// TestItComesAtTheSameClockTimeOnBothSidesOfAClockChange runs the scheduler
// around eight o'clock of the days round a change, by a simulated clock.
func TestItComesAtTheSameClockTimeOnBothSidesOfAClockChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		berlin, err := time.LoadLocation("Europe/Berlin")
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Until(time.Date(2000, 3, 24, 12, 0, 0, 0, berlin)))
		err = person.ChangeSettings(t.Context(), w.store, who(), func(s *person.Settings) { s.Zone = berlin.String() })
		if err != nil {
			t.Fatal(err)
		}
		w.setUp(who(), "8:00", "Here", "Done")
		for day := 25; day <= 27; day++ {
			time.Sleep(time.Until(time.Date(2000, 3, day, 7, 59, 0, 0, berlin)))
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
			w.jobs.Run(ctx)
			stop()
		}
		var came []string
		for _, e := range w.handed {
			came = append(came, e.At.In(berlin).Format("2 15:04 MST"))
		}
		if got := strings.Join(came, ", "); got != "25 08:00 CET, 26 08:00 CEST, 27 08:00 CEST" {
			t.Errorf("it came at %s", got)
		}
	})
}
