package console_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"talaria/adapters/console"
	"talaria/core/chat"
)

func TestPipeAnswersLineByLine(t *testing.T) {
	w := &world{}
	got := pipe(t, w, "hello\r\n\n  \n/help me  now\nlast without line feed")
	want := "you said hello\ncommand help: me  now\nyou said last without line feed\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestEventOfAMessage(t *testing.T) {
	w := &world{}
	pipe(t, w, "hello\nhello\n")
	want := chat.Event{
		Kind: chat.Message, Address: console.Address(), Direct: true, Addressed: chat.ByDM, Origin: chat.Member,
		Author: chat.Author{Identity: chat.Identity{Platform: "console"}}, Text: "hello",
	}
	if d := cmp.Diff(want, w.kept[0], cmpopts.IgnoreFields(chat.Event{}, "Keys", "At", "Message")); d != "" {
		t.Error(d)
	}
	if w.kept[0].Key() == "" || w.kept[0].Key() == w.kept[1].Key() {
		t.Errorf("keys %q and %q", w.kept[0].Key(), w.kept[1].Key())
	}
}

func TestKeysDifferBetweenProcesses(t *testing.T) {
	one, other := &world{}, &world{}
	pipe(t, one, "hello\n")
	pipe(t, other, "hello\n")
	if one.kept[0].Key() == other.kept[0].Key() {
		t.Errorf("both are %q", one.kept[0].Key())
	}
}

func TestNumberPressesAButton(t *testing.T) {
	w := &world{answer: func(e chat.Event) []chat.Post {
		if e.Text == "ask" {
			return []chat.Post{{Markdown: "Sure?", Buttons: []chat.Button{{Label: "Yes", Action: "yes", Token: "t1"}, {Label: "No\x1b[2J", Action: "no", Token: "t2"}}}}
		}
		return echo(e)
	}}
	got := pipe(t, w, "1\nask\n2\n3\n")
	want := "you said 1\nSure?\n[1] Yes\n[2] No[2J\npressed no t2\nyou said 3\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestALabelPressesAButtonOfWhatWasShownLast(t *testing.T) {
	w := &world{answer: func(e chat.Event) []chat.Post {
		if e.Text == "ask" {
			return []chat.Post{{Markdown: "Sure?", Buttons: []chat.Button{{Label: "Do it", Action: "yes", Token: "t1"}, {Label: "完成", Action: "no", Token: "t2"}}}}
		}
		return echo(e)
	}}
	got := pipe(t, w, "ask\ndo it\n完成\nask\n完成\n")
	want := "Sure?\n[1] Do it\n[2] 完成\npressed yes t1\nyou said 完成\nSure?\n[3] Do it\n[4] 完成\npressed no t2\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestNumbersRunOnSoThatEarlierOnesStayTrue(t *testing.T) {
	w := &world{answer: func(e chat.Event) []chat.Post {
		if e.Text != "ask" {
			return echo(e)
		}
		return []chat.Post{
			{Markdown: "Sure?", Buttons: []chat.Button{{Label: "Yes", Action: "yes", Token: "t1"}, {Label: "No", Action: "no", Token: "t2"}}},
			{Markdown: "By the way.", Buttons: []chat.Button{{Label: "See", Action: "see", Token: "t3"}}},
		}
	}}
	got := pipe(t, w, "ask\n1\n3\n4\n")
	want := "Sure?\n[1] Yes\n[2] No\nBy the way.\n[3] See\npressed yes t1\npressed see t3\nyou said 4\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if one, other := w.kept[1].Message, w.kept[2].Message; one == other {
		t.Errorf("both presses are of message %s", one)
	}
}

func TestAnswersAreHarmlessToATerminal(t *testing.T) {
	w := &world{answer: func(chat.Event) []chat.Post {
		return []chat.Post{{Markdown: "a\x1b]0;title\x07b\u202ec\x9bd \x1b[31mred\x00\ttab"}}
	}}
	got := pipe(t, w, "x\n")
	if strings.ContainsAny(got, "\x1b\x07\x00\u009b\u202e") {
		t.Errorf("wrote %q", got)
	}
}

func TestNothingToSayWritesNothing(t *testing.T) {
	w := &world{answer: func(chat.Event) []chat.Post { return []chat.Post{{Markdown: " \n\u200b"}} }}
	if got := pipe(t, w, "x\n"); got != "" {
		t.Errorf("wrote %q", got)
	}
}

func TestFilesAreSavedAndNothingIsWrittenOver(t *testing.T) {
	file := chat.Upload{Name: "../report.md", Data: []byte("content")}
	w := &world{answer: func(chat.Event) []chat.Post { return []chat.Post{{Markdown: "Here:", Files: []chat.Upload{file}}} }}
	lines := strings.Split(strings.TrimSpace(pipe(t, w, "one\ntwo\n")), "\n")
	if len(lines) != 4 || lines[0] != "Here:" || lines[1] == lines[3] {
		t.Fatalf("wrote %q", lines)
	}
	for _, l := range []string{lines[1], lines[3]} {
		path := strings.TrimSuffix(strings.TrimPrefix(l, "[file: "), "]")
		if data, err := os.ReadFile(path); err != nil || string(data) != "content" {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
}

func TestMessageIsHandedOverAgainUntilItIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{refuse: 3}
		if got := pipe(t, w, "hello\n"); got != "you said hello\n" {
			t.Errorf("wrote %q", got)
		}
	})
}

func TestPipeEndsWhereNothingIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{refuse: 1000, answer: echo}
		p := console.NewPipe(strings.NewReader("hello\n"), io.Discard, w.options(t))
		if err := p.Run(t.Context(), w); err == nil || !strings.Contains(err.Error(), "message not kept") {
			t.Errorf("error = %v", err)
		}
	})
}

func TestALineTooLongIsLeftOut(t *testing.T) {
	w := &world{answer: echo}
	got := pipe(t, w, strings.Repeat("x", 2<<20)+"\nhello\n")
	if !strings.HasPrefix(got, "I left out a line") || !strings.HasSuffix(got, "you said hello\n") {
		t.Errorf("wrote %q", got)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestErrorOfWriting(t *testing.T) {
	w := &world{}
	w.adapter = console.NewPipe(strings.NewReader(""), broken{}, w.options(t))
	_, err := w.say(t.Context(), chat.Post{Markdown: "hello"}, "")
	if chat.KindOf(err) != chat.Gone {
		t.Errorf("error = %v", err)
	}
	_, err = w.adapter.Send(t.Context(), chat.Delivery{Payload: []byte("{")})
	if chat.KindOf(err) != chat.Permanent {
		t.Errorf("error of a damaged payload = %v", err)
	}
	if err := w.adapter.Run(t.Context(), w); err == nil || !strings.Contains(err.Error(), "broken pipe") {
		t.Errorf("the end of a pipe whose answers were lost = %v", err)
	}
}
