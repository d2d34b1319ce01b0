package console_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"talaria/adapters/console"
	"talaria/core/chat"
)

const columns, rows = 20, 8

// seen is a screen as somebody in front of it sees it: enough of a terminal to
// understand what this package writes.
type seen struct {
	mu     sync.Mutex
	lines  [][]rune // all that was written, also what has scrolled away
	row    int
	column int
}

// Write implements io.Writer.
func (s *seen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := string(p)
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "\x1b["); ok {
			end := strings.IndexAny(rest, "AJm")
			s.sequence(rest[:end], rest[end])
			text = rest[end+1:]
			continue
		}
		r := []rune(text)[0]
		s.put(r)
		text = text[len(string(r)):]
	}
	return len(p), nil
}

func (s *seen) sequence(number string, kind byte) {
	switch kind {
	case 'A':
		n := 1
		fmt.Sscan(number, &n)
		s.row = max(s.row-n, len(s.lines)-rows, 0) // what has scrolled away can't be reached
	case 'J':
		s.grow()
		s.lines = s.lines[:s.row+1]
		s.lines[s.row] = s.lines[s.row][:min(s.column, len(s.lines[s.row]))]
	}
}

func (s *seen) put(r rune) {
	switch r {
	case '\r':
		s.column = 0
		return
	case '\n':
		s.row, s.column = s.row+1, 0
		s.grow()
		return
	}
	if s.column == columns {
		s.row, s.column = s.row+1, 0
	}
	s.grow()
	s.lines[s.row] = append(s.lines[s.row][:s.column], r)
	s.column++
}

func (s *seen) grow() {
	for len(s.lines) <= s.row {
		s.lines = append(s.lines, nil)
	}
}

func (s *seen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, l := range s.lines {
		out = append(out, string(l))
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}

// terminal is a Terminal that nobody types at yet.
func terminal(t *testing.T, w *world, typed console.Typed, interrupts <-chan struct{}) (*console.Terminal, *seen) {
	s := &seen{}
	o := console.TerminalOptions{Options: w.options(t), Interrupts: interrupts}
	term := console.NewTestTerminal(o, typed, s, columns, rows)
	w.adapter = term
	if w.answer == nil {
		w.answer = echo
	}
	return term, s
}

func TestAnswerGrowsInPlace(t *testing.T) {
	cases := map[string][]string{
		"within a line":          {"one", "one two", "one two three"},
		"over several rows":      {"a long line that wraps", "a long line that wraps over and over"},
		"line by line":           {"one", "one\n\ntwo", "one\n\ntwo\n\nthree"},
		"changes in the middle":  {"one\n\n**two", "one\n\ntwo and more", "first\n\ntwo"},
		"becomes shorter":        {"one\n\ntwo\n\nthree", "one"},
		"exactly one row":        {strings.Repeat("x", columns), strings.Repeat("x", columns) + "y"},
		"same again":             {"one", "one"},
		"down to the last row":   {"1\n\n2\n\n3\n\n4", "1\n\n2\n\n3\n\n5"},
		"styled and wrapping":    {"**bold text that is long enough** to wrap", "**bold text that is long enough** to wrap twice"},
		"nothing but code grows": {"```\na\nb", "```\na\nb\nc\n```"},
	}
	for name, stages := range cases {
		t.Run(name, func(t *testing.T) {
			w := &world{}
			_, got := terminal(t, w, nil, nil)
			id := ""
			for _, stage := range stages {
				var err error
				if id, err = w.say(t.Context(), chat.Post{Markdown: stage}, id); err != nil {
					t.Fatal(err)
				}
			}
			once := &world{}
			_, want := terminal(t, once, nil, nil)
			if _, err := once.say(t.Context(), chat.Post{Markdown: stages[len(stages)-1]}, ""); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want.String(), got.String()); d != "" {
				t.Errorf("differs from the answer shown at once (-want +got):\n%s", d)
			}
		})
	}
}

func TestAnswerTallerThanTheScreenIsShownAgainBelow(t *testing.T) {
	w := &world{}
	_, s := terminal(t, w, nil, nil)
	tall := strings.Repeat("line\n\n", rows)
	id, err := w.say(t.Context(), chat.Post{Markdown: "first\n\n" + tall}, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.say(t.Context(), chat.Post{Markdown: "second\n\n" + tall}, id); err != nil {
		t.Fatal(err)
	}
	if got := s.String(); !strings.Contains(got, "first") || !strings.Contains(got, "second") {
		t.Errorf("screen:\n%s", got)
	}
}

func TestOlderMessageIsEditedBelow(t *testing.T) {
	w := &world{}
	_, s := terminal(t, w, nil, nil)
	card, _ := w.say(t.Context(), chat.Post{Markdown: "card"}, "")
	if _, err := w.say(t.Context(), chat.Post{Markdown: "talk"}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := w.say(t.Context(), chat.Post{Markdown: "card, approved"}, card); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff("card\ntalk\ncard, approved", s.String()); d != "" {
		t.Error(d)
	}
}

func TestSignOfWorkGivesWayToTheAnswer(t *testing.T) {
	w := &world{}
	term, s := terminal(t, w, nil, nil)
	for range 2 {
		if err := term.Typing(t.Context(), console.Address()); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff("…", s.String()); d != "" {
		t.Error(d)
	}
	if _, err := w.say(t.Context(), chat.Post{Markdown: "answer"}, ""); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff("answer", s.String()); d != "" {
		t.Error(d)
	}
}

func TestConversation(t *testing.T) {
	w := &world{}
	lines := []string{"hello", "", "/status", `one\`, "two", `"""`, "three", "", "four", `"""`}
	typed := make(console.Typed, len(lines))
	for _, l := range lines {
		typed <- l
	}
	close(typed)
	term, s := terminal(t, w, typed, nil)
	if err := term.Run(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range w.kept {
		got = append(got, e.Text)
	}
	if d := cmp.Diff([]string{"hello", "", "one\ntwo", "three\n\nfour"}, got); d != "" {
		t.Error(d)
	}
	if !strings.Contains(s.String(), "you said hello\ncommand status:") {
		t.Errorf("screen:\n%s", s)
	}
}

func TestAMessageThatIsNotKeptCanBeSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{refuse: 6}
		typed := make(console.Typed, 2)
		typed <- "hello"
		typed <- "hello"
		close(typed)
		term, s := terminal(t, w, typed, nil)
		if err := term.Run(t.Context(), w); err != nil {
			t.Fatal(err)
		}
		shown := strings.ReplaceAll(s.String(), "\n", "")
		told, answered := strings.Index(shown, "Please send it again"), strings.Index(shown, "you said hello")
		if told < 0 || answered < told {
			t.Errorf("screen:\n%s", s)
		}
	})
}

func TestANumberThatNoButtonHasIsNoMessage(t *testing.T) {
	ask := []chat.Post{{Markdown: "when?", Buttons: []chat.Button{{Label: "8:00", Action: "at", Token: "8"}, {Label: "9:00", Action: "at", Token: "9"}}}}
	w := &world{answer: func(e chat.Event) []chat.Post {
		if e.Text == "ask" {
			return ask
		}
		return echo(e)
	}}
	lines := []string{"7", "ask", "7", "2", "7"}
	typed := make(console.Typed, len(lines))
	for _, l := range lines {
		typed <- l
	}
	close(typed)
	o := console.TerminalOptions{Options: w.options(t), Say: func(english string, args ...any) string { return fmt.Sprintf("SAID "+english, args...) }}
	s := &seen{}
	term := console.NewTestTerminal(o, typed, s, columns, rows)
	w.adapter = term
	if err := term.Run(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range w.kept {
		if e.Press != nil {
			e.Text = "pressed " + e.Press.Token
		}
		got = append(got, e.Text)
	}
	if d := cmp.Diff([]string{"7", "ask", "pressed 9", "7"}, got); d != "" {
		t.Error(d)
	}
	if shown := strings.ReplaceAll(s.String(), "\n", ""); !strings.Contains(shown, "SAID No button has the number 7; type one from 1 to 2") {
		t.Errorf("screen:\n%s", s)
	}
}

func TestWhoTypesHasTheLanguageOfTheirSurroundings(t *testing.T) {
	w := &world{answer: echo}
	o := console.TerminalOptions{Options: w.options(t)}
	o.Language = "zh-CN"
	typed := make(console.Typed, 1)
	typed <- "/help"
	close(typed)
	term := console.NewTestTerminal(o, typed, &seen{}, columns, rows)
	w.adapter = term
	if err := term.Run(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	if len(w.kept) != 1 || w.kept[0].Author.Language != "zh-CN" {
		t.Errorf("kept %v", w.kept)
	}
}

func TestMessagesOfSeveralLines(t *testing.T) {
	cases := map[string]struct {
		typed []string
		want  string
	}{
		"one line":           {[]string{"one"}, "one"},
		"backslash":          {[]string{`one\`, `two\`, "three"}, "one\ntwo\nthree"},
		"block":              {[]string{`"""`, "one", "", `two\`, ` """ `}, "one\n\ntwo\\"},
		"quotes within text": {[]string{`say """ now`}, `say """ now`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			typed := make(console.Typed, len(c.typed))
			for _, l := range c.typed {
				typed <- l
			}
			close(typed)
			got, err := console.ReadMessage(typed)
			if err != nil || got != c.want {
				t.Errorf("got %q, %v; want %q", got, err, c.want)
			}
		})
	}
}

func TestInterruptWhileTyping(t *testing.T) {
	w := &world{}
	typed := make(console.Typed, 5)
	for _, l := range []string{console.Interrupt, "hello", console.Interrupt, console.Interrupt, "never"} {
		typed <- l
	}
	term, _ := terminal(t, w, typed, nil)
	if err := term.Run(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	if len(w.kept) != 1 || w.kept[0].Text != "hello" {
		t.Errorf("kept %v", w.kept)
	}
}

// TestInterruptWhileAnswering has an Idle that only ends with its context, as
// while a turn runs for ever.
func TestInterruptWhileAnswering(t *testing.T) {
	w := &world{}
	interrupts := make(chan struct{}, 2)
	typed := make(console.Typed, 1)
	typed <- "work"
	o := console.TerminalOptions{Options: w.options(t), Interrupts: interrupts}
	o.Idle = func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
	term := console.NewTestTerminal(o, typed, &seen{}, columns, rows)
	interrupts <- struct{}{}
	interrupts <- struct{}{}
	if err := term.Run(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	if len(w.kept) != 2 || w.kept[1].Command == nil || w.kept[1].Command.Name != "stop" {
		t.Errorf("kept %v", w.kept)
	}
}

func TestCtrlDWhileAnsweringLeavesAfterTheAnswer(t *testing.T) {
	w := &world{}
	working, answered := make(chan struct{}), make(chan struct{})
	typed := console.TypedAhead{Typed: make(console.Typed, 2), Leave: make(chan struct{})}
	typed.Typed <- "work"
	o := console.TerminalOptions{Options: w.options(t)}
	o.Idle = func(context.Context) error { close(working); <-answered; return nil }
	term := console.NewTestTerminal(o, typed, &seen{}, columns, rows)
	done := make(chan error, 1)
	go func() { done <- term.Run(t.Context(), w) }()
	<-working
	typed.Leave <- struct{}{}
	close(answered)
	if err := <-done; err != nil || len(w.kept) != 1 {
		t.Errorf("kept %v, error %v", w.kept, err)
	}
}

func TestASecondCtrlDWhileAnsweringLeavesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{}
		typed := console.TypedAhead{Typed: make(console.Typed, 1), Leave: make(chan struct{})}
		typed.Typed <- "work"
		o := console.TerminalOptions{Options: w.options(t)}
		o.Idle = func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		term := console.NewTestTerminal(o, typed, &seen{}, columns, rows)
		done := make(chan error, 1)
		go func() { done <- term.Run(t.Context(), w) }()
		synctest.Wait() // until it waits for the answer
		typed.Leave <- struct{}{}
		typed.Leave <- struct{}{}
		if err := <-done; err != nil {
			t.Error(err)
		}
		if len(w.kept) != 2 || w.kept[1].Command == nil || w.kept[1].Command.Name != "stop" {
			t.Errorf("kept %v", w.kept)
		}
	})
}

func TestRunEndsWithItsContext(t *testing.T) {
	w := &world{}
	typed := make(console.Typed)
	term, _ := terminal(t, w, typed, nil)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- term.Run(ctx, w) }()
	typed <- "hello"
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	close(typed)
}

func TestMessageWhileThePromptIsShown(t *testing.T) {
	w := &world{}
	typed := make(console.Typed)
	term, s := terminal(t, w, typed, nil)
	done := make(chan error, 1)
	go func() { done <- term.Run(t.Context(), w) }()
	typed <- "hello"
	typed <- "" // is taken once the next prompt is shown
	typed <- ""
	if _, err := w.say(t.Context(), chat.Post{Markdown: "reminder"}, ""); err != nil {
		t.Fatal(err)
	}
	close(typed)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got := s.String(); !strings.Contains(got, "reminder") {
		t.Errorf("screen:\n%s", got)
	}
}

func TestCompletionOfCommands(t *testing.T) {
	menu := chat.Menu{Commands: []chat.MenuCommand{{Name: "skills"}, {Name: "status"}, {Name: "stop"}}}
	for typed, want := range map[string][]string{
		"/st":   {"/status ", "/stop "},
		"/S":    {"/skills ", "/status ", "/stop "},
		"/none": nil,
		"st":    nil,
	} {
		if d := cmp.Diff(want, console.Complete(menu, typed)); d != "" {
			t.Errorf("%q:\n%s", typed, d)
		}
	}
}

// A log's line takes the place of the prompt, which stands below it again, and
// stands between two versions of an answer that grows.
func TestALogLineStandsByItself(t *testing.T) {
	w, below := &world{}, &strings.Builder{}
	log := console.NewLogWriter(below)
	fmt.Fprintln(log, "early")
	typed := make(console.Typed, 2)
	typed <- "hello"
	s := &seen{}
	o := console.TerminalOptions{Options: w.options(t), LogLines: log}
	term := console.NewTestTerminal(o, typed, s, columns, rows)
	w.adapter, w.answer = term, func(e chat.Event) []chat.Post {
		fmt.Fprintln(log, "in between")
		close(typed)
		return echo(e)
	}
	if err := term.Run(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(log, "late")
	if got := s.String(); below.String() != "early\nlate\n" || !strings.Contains(got, "\nin between\n") && !strings.HasPrefix(got, "in between\n") {
		t.Errorf("below %q, on the screen:\n%s", below, got)
	}
}

func TestPeopleLeaveByAWord(t *testing.T) {
	for _, word := range []string{"exit", " /quit ", "QUIT", "退出"} {
		w := &world{}
		typed := make(console.Typed, 2)
		typed <- word
		typed <- "still there?"
		term, _ := terminal(t, w, typed, nil)
		if err := term.Run(t.Context(), w); err != nil || len(w.kept) > 0 {
			t.Errorf("%q: %v, handed over %v", word, err, w.kept)
		}
	}
}
