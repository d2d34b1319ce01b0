package learnbench

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"strings"

	"talaria/core/agent"
	"talaria/core/chat"
)

// planner is the scripted agent. What it does next follows from the text of the
// request alone: it has no memory and no knowledge of the world.
type planner struct{}

func (planner) Name() string { return "planner" }

// patience is how many calls it makes for a task before it gives up.
const patience = 7

// Stream implements agent.Model.
func (planner) Stream(_ context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
	s := readScene(r)
	text, call := s.next()
	return func(yield func(agent.Delta, error) bool) {
		d := agent.Delta{Text: text, Stop: agent.StopEnd}
		if call != nil {
			call.ID = fmt.Sprintf("c%d", len(r.Messages))
			d = agent.Delta{Call: call, Stop: agent.StopCalls}
		}
		_ = yield(agent.Delta{Usage: &agent.Usage{Input: s.weight / 4, Output: len(text)/4 + 20}}, nil) && yield(d, nil)
	}
}

// scene is what the prompt tells.
type scene struct {
	subject, file string
	said          string // all that people said, and skills and memory say, for the format
	steps         []step // of the skill in the prompt
	done          []exchange
	corrected     bool
	weight        int // characters of the prompt
}

type step struct {
	tool string
	args map[string]string
}

type exchange struct {
	step
	result string
	failed bool
}

var (
	wants    = regexp.MustCompile(`(?i)report on (\w+ \w+)|(?:the|new) (\w+ \w+) report`)
	target   = regexp.MustCompile(`into (\S+\.txt)`)
	line     = regexp.MustCompile("(?m)^\\d+\\. Call `(\\w+)` with (\\{.*\\})\\.$")
	moved    = regexp.MustCompile(`moved to (\S+)`)
	mustBe   = regexp.MustCompile(`the (\w+ \w+) report must be (?:in )?(\w+)`)
	skillTag = regexp.MustCompile(`(?s)How \S+ is done:\n.*?</matching-skills>`)
)

func readScene(r agent.Request) *scene {
	s := &scene{weight: len(r.Prefix), said: r.Prefix}
	calls := map[string]step{}
	for _, m := range r.Messages {
		s.weight += len(m.Text)
		switch {
		case m.Role == agent.User && m.Origin == chat.Self:
			s.learn(m.Text)
		case m.Role == agent.User:
			s.hear(m.Text)
		}
		for _, c := range m.Calls {
			var args map[string]string
			if json.Unmarshal(c.Args, &args) == nil {
				calls[c.ID] = step{c.Name, args}
			}
		}
		for _, o := range m.Results {
			s.weight += len(o.Text)
			s.done = append(s.done, exchange{calls[o.ID], o.Text, o.Failed})
		}
	}
	return s
}

// learn takes in what the product put before a message.
func (s *scene) learn(block string) {
	s.said += "\n" + block
	for _, body := range skillTag.FindAllString(block, 1) {
		for _, m := range line.FindAllStringSubmatch(body, -1) {
			var args map[string]string
			if json.Unmarshal([]byte(m[2]), &args) == nil {
				s.steps = append(s.steps, step{m[1], args})
			}
		}
	}
}

// hear takes in what a person said.
func (s *scene) hear(text string) {
	s.said += "\n" + text
	if m := target.FindStringSubmatch(text); m != nil {
		s.file = m[1]
	}
	if m := wants.FindStringSubmatch(text); m != nil && s.subject == "" {
		s.subject = m[1] + m[2]
	}
	s.corrected = s.corrected || strings.HasPrefix(text, "no, ")
}

// format is the newest that the prompt says this report must be in, if any.
func (s *scene) format() string {
	format := ""
	for _, m := range mustBe.FindAllStringSubmatch(s.said, -1) {
		if m[1] == s.subject {
			format = m[2]
		}
	}
	return format
}

// next is the next call, or the answer.
func (s *scene) next() (string, *agent.Call) {
	report, put, now := "", false, ""
	failures, path := 0, ""
	for _, x := range s.done {
		switch {
		case x.tool == "report_get" && !x.failed:
			report = x.result
		case x.tool == "report_put" && !x.failed:
			put = true
		case x.tool == "report_convert" && !x.failed:
			now = x.args["to"]
		}
		if x.failed {
			failures++
		}
		if m := moved.FindStringSubmatch(x.result); m != nil && x.failed {
			path = m[1]
		} else if x.failed {
			path = x.args["path"] // once more
		}
	}
	want := s.format()
	for _, st := range s.steps {
		if st.tool == "report_convert" && want == "" {
			want = st.args["to"]
		}
	}
	switch {
	case len(s.done) >= patience && !s.corrected:
		return "I give up: the report can't be had.", nil
	case report == "":
		return "", s.get(path)
	case !put:
		return "", call("report_put", map[string]string{"name": s.file, "text": report})
	case want != "" && want != now:
		return "", call("report_convert", map[string]string{"name": s.file, "to": want})
	}
	return "The " + s.subject + " report is in " + s.file + ".", nil
}

// get asks for the report where the last failure pointed, else where the skill
// says, else where its name leads.
func (s *scene) get(path string) *agent.Call {
	for _, st := range s.steps {
		if path == "" && st.tool == "report_get" {
			path = st.args["path"]
		}
	}
	if first, _, _ := strings.Cut(s.subject, " "); path == "" {
		path = "/" + first
	}
	return call("report_get", map[string]string{"path": path})
}

func call(tool string, args map[string]string) *agent.Call {
	raw, _ := json.Marshal(args) // texts
	return &agent.Call{Name: tool, Args: raw}
}
