package torture

import (
	"fmt"
	"testing"
)

// TestAQuestionOutlivesKills has a tool ask for a yes and kills the program
// before it is given. Every other press is made while nobody is there to hear
// it, where the platform tells of it later.
func TestAQuestionOutlivesKills(t *testing.T) {
	for name, open := range scenes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := cast(t, open, &prompter{}, "TALARIA_TOOLS_ASK=files_write")
			p.enter()
			n := count(2, 20)
			for k := range n {
				p.say(ada, hers, fmt.Sprintf("save word%d", k))
				question := p.hears(hers, fmt.Sprintf(`(?s)files write.*word%d\.txt`, k))
				p.p.kill()
				if name != "discord" && k%2 == 1 { // Discord tells nobody of a press that nobody heard
					p.press(ada, hers, question, "Yes, do it")
					p.enter()
				} else {
					p.enter()
					p.press(ada, hers, question, "Yes, do it")
				}
				p.hears(hers, fmt.Sprintf(`it says: .*word%d\.txt`, k))
				p.until("the question to be marked", func() bool { return marked(p.posted(hers), question.id) })
			}
			p.typed("yes", "it says: .*yes")
			p.typed("no", `(?s)files write.*\*?No`)
			p.p.stop()
			said := p.posted(hers)
			t.Logf("%s: kills=%d resumed=%d", name, n, len(said)/2-2)
			if len(said) != 2*n+4 {
				t.Errorf("%d questions with answers make %d messages:\n%s", n+2, len(said), p.transcript())
			}
		})
	}
}

// typed has a question answered by a word instead of a press. Its card must show
// that as well.
func (p *play) typed(word, told string) {
	p.Helper()
	p.say(ada, hers, "save typed-"+word)
	question := p.hears(hers, `(?s)files write.*typed-`+word+`\.txt`)
	p.say(ada, hers, word)
	p.hears(hers, told)
	p.until("the question to be marked by "+word, func() bool { return marked(p.posted(hers), question.id) })
}

// marked reports whether a question has no buttons any more.
func marked(all []line, id string) bool {
	for _, l := range all {
		if l.id == id {
			return len(l.buttons) == 0
		}
	}
	return false
}
