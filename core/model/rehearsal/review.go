package rehearsal

import (
	"encoding/json"
	"slices"
	"strings"

	"talaria/core/agent"
)

// reviewBegin is how the product's prompt for the review of a task begins.
const reviewBegin = "You review a finished task"

// reviewed is what a review's document tells of a task.
type reviewed struct {
	Request    string `json:"request"`
	Outcome    string `json:"outcome"`
	Why        string `json:"why"`
	Gate       verdict
	Turns      []reviewedTurn
	Feedback   []heard
	Recoveries []recovery
	Skills     []struct {
		Name  string `json:"name"`
		InUse bool   `json:"in_use"`
		Text  string `json:"text"`
	}
}

type heard struct {
	Sign string `json:"sign"`
	Text string `json:"text"`
}

type verdict struct {
	Pass   bool
	Update string
}

type reviewedTurn struct {
	Asked string
	Steps []reviewedStep
}

type reviewedStep struct {
	Tool, Args, Result, Failed string
}

type recovery struct {
	Tool, Error, How, Tried, Worked, With string
	Retry, Resolved                       bool
}

// lessonRule is a rule of the report.
type lessonRule struct {
	If         string  `json:"if"`
	Then       string  `json:"then"`
	Kind       string  `json:"kind"`
	Confidence float64 `json:"confidence"`
}

// review answers the product's request to review a task: first with the
// proposal of a skill or of a change where one is called for, then with the
// report. It can't judge; it puts what the document tells into their forms.
func review(r agent.Request) (text string, calls []agent.Call, ok bool) {
	if !strings.HasPrefix(r.Prefix, reviewBegin) {
		return "", nil, false
	}
	var d reviewed
	proposed := false
	for _, m := range r.Messages {
		if body, found := enclosed(m.Text, "<task>\n", "\n</task>"); found && json.Unmarshal([]byte(body), &d) != nil {
			return "", nil, false
		}
		proposed = proposed || len(m.Calls) > 0
	}
	if !proposed {
		if call, ok := d.proposal(); ok {
			return "", name([]agent.Call{call}, len(r.Messages)), true
		}
	}
	report, err := json.Marshal(d.report())
	return string(report), nil, err == nil
}

func enclosed(text, begin, end string) (string, bool) {
	_, rest, ok := strings.Cut(text, begin)
	if !ok {
		return "", false
	}
	body, _, ok := strings.Cut(rest, end)
	return body, ok
}

// proposal is the change of a skill that the task calls for.
func (d reviewed) proposal() (agent.Call, bool) {
	for _, s := range d.Skills {
		if better := d.improved(s.Text); s.InUse && s.Text != "" && better != s.Text {
			reason := words{"what was said and seen in a task that used it", "用到它的任务中听到和看到的"}.in(d.language())
			return manage(s.Name, reason, map[string]any{"action": "edit", "content": better}), true
		}
	}
	if !d.Gate.Pass || d.Gate.Update != "" {
		return agent.Call{}, false
	}
	steps := d.procedure()
	if len(steps) == 0 {
		return agent.Call{}, false
	}
	n := d.skillName(steps)
	request := d.request()
	reason := words{"this was asked for, and it worked: ", "有人这样要求，也做成了："}.in(languageOf(request))
	return manage(n, reason+brief(request, 120), map[string]any{
		"action": "create", "content": d.skill(n, steps),
	}), true
}

func manage(skill, reason string, change map[string]any) agent.Call {
	args, _ := json.Marshal(map[string]any{"name": skill, "reason": reason, "changes": []any{change}}) // maps of strings
	return agent.Call{Name: "skill_manage", Args: args}
}

// passing are errors of this machine, of its network or of somebody's rights:
// the next one need not know of them.
var passing = []string{"environment", "transient", "denied", "unclear"}

// pitfall reports whether the next one need know of it.
func (r recovery) pitfall() bool {
	return r.Resolved && !r.Retry && r.Worked != "" && !slices.Contains(passing, r.Error)
}

// follows reports whether what failed was only tried because an earlier failure
// of the tool told of it, so that the next one does not come by it.
func (r recovery) follows(earlier []recovery) bool {
	const telling = 4 // characters from which a value is no word of its own
	for _, value := range argsOf(r.Tried) {
		for _, e := range earlier {
			if e.Tool == r.Tool && e.With == r.With && len(value) >= telling && strings.Contains(e.How, value) && !strings.Contains(e.Tried, value) {
				return true
			}
		}
	}
	return false
}

// pitfalls are what failed beside what worked then.
func (d reviewed) pitfalls() []string {
	var out []string
	for n, r := range d.Recoveries {
		if r.pitfall() && !r.follows(d.Recoveries[:n]) {
			out = append(out, words{"`%s` fails with %s (%s); what works: `%s` with %s", "`%s` 失败的用法：%s（%s）；可行的是 `%s` %s"}.in(
				d.language(), r.Tool, brief(r.Tried, 100), brief(r.How, 100), r.Worked, brief(r.With, 100)))
		}
	}
	return unique(out)
}

// kept reports whether a skill holds what people said of the task, or is about
// to, so that no rule is needed beside it: the one in use has it or gets it.
func (d reviewed) kept() bool {
	for _, s := range d.Skills {
		if s.InUse && s.Text != "" {
			return true
		}
	}
	_, proposed := d.proposal()
	return proposed
}

// report answers the five questions.
func (d reviewed) report() map[string]any {
	calls, failed := 0, []string{}
	for _, t := range d.Turns {
		for _, s := range t.Steps {
			if s.Tool == "" {
				continue
			}
			calls++
			if s.Failed != "" {
				failed = append(failed, s.Tool+": "+brief(s.Result, 160))
			}
		}
	}
	rules := []lessonRule{}
	kept := d.kept()
	for _, f := range d.Feedback {
		switch f.Sign {
		case "correction with reason":
			if !kept {
				rules = append(rules, lessonRule{brief(d.general(), 160), brief(polite().ReplaceAllString(f.Text, ""), 300), "work", 0.9})
			}
		case "form":
			rules = append(rules, lessonRule{"", brief(f.Text, 300), "profile", 0.9})
		}
	}
	well, differently := "", ""
	if d.Outcome == "success" {
		well = words{"The request was met. Tool calls: %d.", "请求完成了。工具调用：%d 次。"}.in(d.language(), calls)
	}
	if p := d.pitfalls(); len(p) > 0 {
		differently = words{"Begin with what worked in the end: ", "一开始就用最后行得通的做法："}.in(d.language()) + strings.Join(p, "; ")
	}
	return map[string]any{
		"went_well": well, "went_wrong": strings.Join(failed, "; "), "why": d.Why, "differently": differently, "rules": rules,
	}
}
