package rehearsal

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/text"
)

// maxInput is how many characters of a message are taken in; chat platforms
// allow fewer.
const maxInput = 20_000

// scene is what a request holds, put in order.
type scene struct {
	language  language
	input     string // what the person wants now
	pictures  int
	block     string // what the product put before it: skills, recalled statements
	answered  string // what the person was answered last
	facts     []string
	tools     []agent.Spec
	exchanges []exchange // since the input
	unlearned bool       // the prefix says that nothing is learned
	agreed    agent.Call // made after a yes to an earlier message's question; no name for none
}

// learningOff is how the product's prefix says that nothing is learned.
const learningOff = "Learning is switched off"

// agreedCall begins the id of a call that the product makes after a person's yes.
const agreedCall = "yes_"

// exchange is a call and what it came to.
type exchange struct {
	call    agent.Call
	outcome agent.Outcome
}

// read puts a request in order.
func read(r agent.Request) *scene {
	s := &scene{tools: r.Tools, unlearned: strings.Contains(r.Prefix, learningOff)}
	begin := turnStart(r.Messages)
	for _, m := range r.Messages[:begin] {
		if m.Role == agent.Assistant && m.Text != "" {
			s.answered = m.Text
		}
	}
	for _, m := range r.Messages[begin:] {
		switch m.Role {
		case agent.User:
			s.hear(m)
		case agent.Assistant:
			for _, c := range m.Calls {
				s.call(c)
			}
		case agent.ToolRole:
			s.answer(m.Results)
		}
	}
	s.leaveAsked(r.Messages[begin:])
	s.facts = known(r.Prefix+"\n"+s.block, r.Messages[:begin])
	return s
}

// leaveAsked turns away from calls that wait for the person's yes, where they have
// written something else since: a turn that ends in a question has no answer to be
// told apart by.
func (s *scene) leaveAsked(turn []agent.Message) {
	asked := func(x exchange) bool { return x.outcome.Text == agent.AskedText }
	if len(turn) == 0 || !slices.ContainsFunc(s.exchanges, asked) {
		return
	}
	if m := turn[len(turn)-1]; m.Role == agent.User && !isProgram(m.Text) {
		s.input, s.exchanges = tidy(unframed(m.Text)), nil
		s.language = languageOf(s.input)
	}
}

// turnStart is where the newest turn begins: after the last answer.
func turnStart(messages []agent.Message) int {
	for i := len(messages) - 1; i >= 0; i-- {
		if m := messages[i]; m.Role == agent.Assistant && len(m.Calls) == 0 {
			return i + 1
		}
	}
	return 0
}

// hear takes in a user's message. Of several, the newest one that asks for
// something counts: what was done before it is done.
func (s *scene) hear(m agent.Message) {
	if m.Origin == chat.Self && isProgram(m.Text) {
		s.block += m.Text + "\n"
		return
	}
	text := tidy(unframed(m.Text))
	if s.input != "" && len(parse(text, languageOf(text))) == 0 {
		return // "and hurry"
	}
	for _, x := range s.exchanges {
		if !x.outcome.Failed && x.outcome.Text != agent.AskedText {
			s.answered = x.outcome.Text
		}
	}
	s.input, s.language, s.pictures, s.exchanges, s.agreed = text, languageOf(text), len(m.Images), nil, agent.Call{}
}

// isProgram tells the product's own blocks and notes by their delimiters.
func isProgram(text string) bool {
	return strings.HasPrefix(text, "<") || strings.HasPrefix(text, "[note ")
}

// call takes in a call. The same one again, as after a person's yes to it,
// takes the place of the one before that was not done. A yes to another
// one is to what an earlier message asked for, and all that this turn is about.
func (s *scene) call(c agent.Call) {
	before := len(s.exchanges)
	s.exchanges = slices.DeleteFunc(s.exchanges, func(x exchange) bool {
		return x.outcome.Failed && x.call.Name == c.Name && bytes.Equal(x.call.Args, c.Args)
	})
	if strings.HasPrefix(c.ID, agreedCall) {
		s.agreed = agent.Call{}
		if len(s.exchanges) == before {
			s.agreed, s.exchanges = c, nil
		}
	}
	s.exchanges = append(s.exchanges, exchange{call: c})
}

func (s *scene) answer(results []agent.Outcome) {
	for _, o := range results {
		i := slices.IndexFunc(s.exchanges, func(x exchange) bool { return x.call.ID == o.ID })
		if i >= 0 {
			s.exchanges[i].outcome = o
		}
	}
}

// tidy makes a message fit for the rules: no controls, plain quotes, bounded.
func tidy(said string) string {
	said = strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\u2019':
			return '\''
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, text.Visible(strings.ToValidUTF8(said, " ")))
	runes := []rune(strings.TrimSpace(said))
	return string(runes[:min(len(runes), maxInput)])
}

var (
	memoryBlock = lazily(`(?s)<(?:memory|recalled)>\n(.*?)</(?:memory|recalled)>`)
	factLine    = lazily(`(?m)^- (.+)$`)
)

// known are the statements about the person that a request holds: those of the
// prefix, those recalled for this message, and those kept in earlier turns.
func known(blocks string, earlier []agent.Message) []string {
	var facts []string
	for _, b := range memoryBlock().FindAllStringSubmatch(blocks, -1) {
		for _, line := range factLine().FindAllStringSubmatch(b[1], -1) {
			facts = append(facts, strings.TrimSuffix(line[1], " (not certain yet)"))
		}
	}
	calls := map[string]memoryArgs{}
	for _, m := range earlier {
		for _, c := range m.Calls {
			var args memoryArgs
			if c.Name == "memory" && json.Unmarshal(c.Args, &args) == nil {
				calls[c.ID] = args
			}
		}
		for _, o := range m.Results {
			if args, ok := calls[o.ID]; ok && !o.Failed {
				facts = args.apply(facts, o.Text)
			}
		}
	}
	slices.Reverse(facts) // the newest first, where the same was kept twice
	facts = unique(facts)
	slices.Reverse(facts)
	return facts
}

// memoryArgs are the arguments of the memory tool.
type memoryArgs struct{ Action, Text, Old string }

// apply does to the statements what a call did to the memory.
func (a memoryArgs) apply(facts []string, outcome string) []string {
	if a.Action != "add" {
		facts = slices.DeleteFunc(facts, func(f string) bool { return strings.Contains(f, a.Old) })
	}
	if a.Action != "remove" && strings.HasPrefix(outcome, kept) {
		facts = append(facts, a.Text)
	}
	return facts
}

func unique(list []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(s string) bool {
		defer func() { seen[s] = true }()
		return seen[s]
	})
}

// tool returns the first tool of the names that the request offers.
func (s *scene) tool(names ...string) (agent.Spec, bool) {
	for _, name := range names {
		for _, t := range s.tools {
			if t.Name == name {
				return t, true
			}
		}
	}
	return agent.Spec{}, false
}
