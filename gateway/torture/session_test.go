package torture

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestASessionOnEachPlatform plays a day of two people with the built program:
// they talk in a channel, a thread and alone with it, all forms of input are
// used, and much goes wrong on the way. At the end the platform's record of
// each place must be what they waited for, once and in order.
func TestASessionOnEachPlatform(t *testing.T) {
	for name, open := range scenes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := &prompter{}
			p := &session{play: cast(t, open, model), model: model, want: map[spot][]string{}}
			p.enter()
			p.talk()
			p.files()
			p.commands()
			p.card()
			p.together()
			p.troubles()
			p.p.stop()
			p.judge()
			p.liked()
		})
	}
}

// session is a play that notes down what has to be said.
type session struct {
	*play
	model *prompter
	want  map[spot][]string // patterns, in order
}

// gets waits for a message and notes it down.
func (s *session) gets(at spot, pattern string) line {
	s.Helper()
	s.want[at] = append(s.want[at], pattern)
	return s.hears(at, pattern)
}

// echoed waits for an echo of words that nobody else says.
func (s *session) echoed(at spot, words string) line {
	s.Helper()
	return s.gets(at, "^echo: "+regexp.QuoteMeta(words)+"$")
}

// mention has somebody call the bot in the channel, and be answered there.
func (s *session) mention(who int, text string) {
	s.Helper()
	asked := s.say(who, channel, text)
	if l := s.echoed(channel, text); l.to != asked {
		s.Errorf("the answer hangs on %q, not on %q", l.to, asked)
	}
}

func (s *session) talk() {
	s.mention(ada, "good morning")
	s.say(ada, thread, "in here")
	s.echoed(thread, "in here")
	s.say(ada, hers, "between us")
	s.like(ada, hers, s.echoed(hers, "between us"))

	before := len(s.posted(hers))
	s.say(ada, hers, "tell it at length")
	s.hears(hers, fmt.Sprintf("number %d of", sentences-1))
	s.whole(s.posted(hers)[before:])
}

// whole checks the parts of the answer at length.
func (s *session) whole(parts []line) {
	s.Helper()
	var said strings.Builder
	for n, part := range parts {
		said.WriteString(part.text + "\n")
		s.want[hers] = append(s.want[hers], map[bool]string{true: "At length", false: "sentence number"}[n == 0])
	}
	numbers := regexp.MustCompile(`sentence number (\d+) of`).FindAllStringSubmatch(said.String(), -1)
	for n, number := range numbers {
		if number[1] != fmt.Sprint(n) {
			s.Fatalf("sentence %d is number %s", n, number[1])
		}
	}
	if len(parts) < 2 || len(numbers) != sentences {
		s.Errorf("%d sentences in %d messages", len(numbers), len(parts))
	}
	for _, once := range []string{"wagtail  also two", "fmt.Println("} {
		if strings.Count(said.String(), once) != 1 {
			s.Errorf("%q is not said once", once)
		}
	}
}

func (s *session) files() {
	s.give(ada, hers, "notes.txt", "violet pebbles", "please read my notes")
	s.gets(hers, "(?s)it says: .*violet pebbles")
	s.command(ada, hers, "export")
	s.gets(hers, "Everything that I keep about you")
	s.want[hers] = append(s.want[hers], "^$") // the file
	s.until("a file", func() bool {
		all := s.posted(hers)
		return len(all[len(all)-1].files) == 1 && len(all[len(all)-1].files[0]) > 100
	})
}

func (s *session) commands() {
	if offered := s.offered(s.T); offered != nil && !strings.Contains(strings.Join(offered, "\n"), "memory") {
		s.Errorf("offered: %v", offered)
	}
	s.command(ada, hers, "memroy")
	s.gets(hers, "/(talaria )?memory") // as it is typed there
}

// recipe is a skill.
func recipe(steps string) string {
	return "---\nname: teatime\ndescription: Note down that it is time for tea\n---\n\n# Teatime\n\n1. " + steps + "\n"
}

// card decides on a skill by the buttons of its card and a form.
func (s *session) card() {
	s.command(ada, channel, "skills import\n"+recipe("Boil water."))
	first := s.hears(channel, "(?s)New skill.*Boil water")
	left := s.fill(s.T, ada, channel, first, recipe("Boil more water."))
	second := s.hears(channel, "(?s)New skill.*Boil more water")
	const told = "waits for a decision" // to whoever gave the text
	s.want[channel] = append(append(s.want[channel], left...), told, "Approved by", told)
	s.press(ada, channel, second, "Approve")
	s.until("the card to be decided", func() bool {
		for _, l := range s.posted(channel) {
			if l.id == second.id {
				return strings.Contains(l.text, "Approved") && len(l.buttons) < len(second.buttons)
			}
		}
		return false
	})
}

// together has both talk at once, one of them with a slip of the pen.
func (s *session) together() {
	asked, release := s.model.hold()
	s.say(ada, thread, "slowly one")
	<-asked
	slip := s.say(ben, thread, "wrong words")
	s.rewrite(thread, slip, "right words")
	later := s.say(ben, thread, "and this")
	s.until("what was said to be taken", func() bool { return s.taken(later) })
	s.say(ben, his, "me too")
	s.echoed(his, "me too") // while Ada's answer is on its way
	release()
	s.echoed(thread, "slowly one")
	s.echoed(thread, "right words")
	s.echoed(thread, "and this")
}

// troubles are a platform that wants a pause, a connection that breaks, and a
// program that is killed.
func (s *session) troubles() {
	s.refuse()
	s.say(ada, hers, "are you busy")
	s.echoed(hers, "are you busy")

	before := s.began()
	s.cut()
	s.say(ada, hers, "can you hear me")
	s.echoed(hers, "can you hear me")
	s.until("the connection to be taken up", func() bool { return s.began() > before })

	asked, release := s.model.hold()
	s.say(ada, hers, "slowly again")
	<-asked
	s.p.kill()
	release()
	s.say(ada, hers, "are you back")
	s.enter()
	s.echoed(hers, "slowly again")
	s.echoed(hers, "are you back")
	s.mention(ben, "and for me")
}

// judge compares the record with what was waited for: each message once, in
// order. In the channel, what is told of a card may stand above or below it.
func (s *session) judge() {
	for _, at := range []spot{channel, thread, hers, his} {
		got, want := s.posted(at), s.want[at]
		fits := len(got) == len(want)
		for n := 0; fits && n < len(want); n++ {
			i := slices.IndexFunc(got, func(l line) bool { return regexp.MustCompile(want[n]).MatchString(l.text) })
			fits = i == 0 || at == channel && i > 0
			if fits {
				got = slices.Delete(got, i, i+1)
			}
		}
		if !fits {
			s.Errorf("%s: want %q, in order\n%s", at, want, s.transcript())
		}
	}
}

// liked looks for Ada's reaction in what is kept of her request.
func (s *session) liked() {
	cmd := exec.Command(binary, "traces", "list", "--json")
	cmd.Dir, cmd.Env = s.w.dir, s.w.env
	out, err := cmd.Output()
	if err != nil {
		s.Fatal(err)
	}
	for task := range bytes.Lines(out) {
		if bytes.Contains(task, []byte("between us")) && bytes.Contains(task, []byte(`"liked"`)) {
			return
		}
	}
	s.Errorf("the reaction is not in the traces:\n%s", out)
}
