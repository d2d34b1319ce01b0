package slack_test

import (
	"strings"
	"testing"

	"talaria/adapters/adaptertest"
	simulator "talaria/adapters/fake/slack"
	"talaria/core/chat"
)

func TestOpeningAnAssistantThreadIsTold(t *testing.T) {
	r := newRig(t, setup{})
	r.Server.People(simulator.Person{ID: ada, Name: "Ada", Locale: "zh-CN"})
	h := adaptertest.NewRecorder()
	r.Start(h)
	thread := r.Server.OpenAssistant(ada, general)
	e := h.Events(r.Ctx, t, 1)[0]
	if e.Kind != chat.Opened || e.Address != place(r.Server.Direct(ada), thread) || !e.Direct || e.Author.Identity != identity(ada) || e.Author.Language != "zh-CN" {
		t.Errorf("came %+v", e)
	}
	prompts := []chat.Prompt{{Label: "1", Text: "one"}, {Label: "2", Text: "two"}, {Label: "3", Text: "three"}, {Label: "4", Text: "four"}, {Label: "5", Text: "five"}}
	if err := r.Adapter.Suggest(r.Ctx, e.Address, "Try", prompts); err != nil {
		t.Error(err)
	}
	if err := r.Adapter.Title(r.Ctx, e.Address, strings.Repeat("long ", 50)); err != nil {
		t.Error(err)
	}
	if a := r.Server.Assistant(thread); a.Heading != "Try" || len(a.Prompts) != 4 || a.Prompts[3] != (simulator.Prompt{Title: "4", Message: "four"}) || len([]rune(a.Title)) != 80 {
		t.Errorf("furnished as %+v", a)
	}
	r.Server.LookElsewhere(thread, general)
	r.settled()
	asked := r.Server.Say(ada, general, "a thread of another kind")
	if e := h.Events(r.Ctx, t, 2)[1]; e.Message != asked {
		t.Errorf("where a person looks was told: %+v", e)
	}
	if err := r.Adapter.Title(r.Ctx, place(general, asked), "x"); err != nil {
		t.Errorf("a title elsewhere: %v", err)
	}
}

func TestTheStatusIsShownOnceUntilTheAnswerComes(t *testing.T) {
	r := newRig(t, setup{})
	asked := r.Server.Say(ada, general, "think")
	at := place(general, asked)
	for range 3 {
		if err := r.Adapter.Typing(r.Ctx, at); err != nil {
			t.Error(err)
		}
	}
	r.Post(chat.Delivery{Address: at}, chat.Post{Markdown: "done"})
	if err := r.Adapter.Typing(r.Ctx, at); err != nil {
		t.Error(err)
	}
	if err := r.Adapter.Typing(r.Ctx, place(general, "")); err != nil {
		t.Error(err)
	}
	if n := len(r.Server.Statuses()); n != 2 {
		t.Errorf("shown %d times: %v", n, r.Server.Statuses())
	}
}

func TestAHomeTabIsShownAndPressed(t *testing.T) {
	r := newRig(t, setup{})
	h := adaptertest.NewRecorder()
	r.Start(h)
	r.Server.OpenMessages(ada)
	r.Server.OpenHome(ada)
	e := h.Events(r.Ctx, t, 1)[0]
	direct := place(r.Server.Direct(ada), "")
	if e.Kind != chat.Opened || e.Address != direct || e.Author.Identity != identity(ada) {
		t.Errorf("came %+v", e)
	}
	page := chat.Page{Sections: []chat.Section{
		{Title: "Jobs", Entries: []chat.Post{{Markdown: "**one** <!here>", Buttons: []chat.Button{{Label: "Pause", Action: "job.pause", Token: "a"}}}}},
		{Title: "Many"},
	}}
	for range 200 {
		page.Sections[1].Entries = append(page.Sections[1].Entries, chat.Post{Markdown: "more"})
	}
	if err := r.Adapter.ShowHome(r.Ctx, direct, identity(ada), page); err != nil {
		t.Fatal(err)
	}
	shown := r.Server.Home(ada)
	if text := shown.Text(); !strings.HasPrefix(text, "Jobs\n*one* &lt;!here&gt;\n") || !strings.HasSuffix(text, "\nmore\n…") {
		t.Errorf("shown %q", text)
	}
	if other := r.Server.Home(guest); other.Published != 0 {
		t.Error("another's tab was changed")
	}
	r.Server.PressHome(ada, "job.pause")
	e = h.Events(r.Ctx, t, 2)[1]
	if e.Kind != chat.Press || !e.Page || e.Message != "" || e.Address != direct || !e.Direct || e.Press.Action != "job.pause" || e.Press.Token != "a" || e.Author.Identity != identity(ada) {
		t.Errorf("pressed %+v", e)
	}
}

func TestAFormOpenedFromTheHomeTabSaysSo(t *testing.T) {
	r := newRig(t, setup{})
	h := adaptertest.NewRecorder()
	r.Adapter.UseDoor(door{chat.FormSpec{
		Title: "Edit", Action: "card.edit", Token: "tok", Fields: []chat.Field{{Name: "text", Label: "Text", Value: "old", Lines: 3}},
	}})
	r.Start(h)
	direct := place(r.Server.Direct(ada), "")
	page := chat.Page{Sections: []chat.Section{{Title: "T", Entries: []chat.Post{{Markdown: "x", Buttons: []chat.Button{{Label: "Edit", Action: "card.edit", Token: "tok"}}}}}}}
	if err := r.Adapter.ShowHome(r.Ctx, direct, identity(ada), page); err != nil {
		t.Fatal(err)
	}
	r.Server.PressHome(ada, "card.edit")
	r.Await("the form", func() bool { return len(r.Server.Views()) == 1 })
	r.Server.Submit(r.Server.Views()[0], ada, map[string]string{"text": "new"})
	if e := h.Events(r.Ctx, t, 1)[0]; e.Kind != chat.Form || !e.Page || e.Address != direct || e.Form.Values["text"] != "new" {
		t.Errorf("submitted %+v", e)
	}
}
