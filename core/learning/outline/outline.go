package outline

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"talaria/core/text"
)

// Part is one part of a skill's body. Its text is the heading that it gets
// where it is new, unless the body's others are Chinese.
type Part string

// The parts, in the order in which a skill has them.
const (
	When       Part = "When to use"
	Steps      Part = "Steps"
	Parameters Part = "Parameters"
	Needs      Part = "Needs"
	Template   Part = "Template"
	Rules      Part = "Rules"
	Limits     Part = "What it does not do"
	Success    Part = "Success criteria"
	Pitfalls   Part = "Pitfalls"
	Related    Part = "See also"
)

// Expected are the parts that every learned skill should have.
func Expected() []Part { return []Part{When, Steps, Parameters, Needs, Limits, Success, Pitfalls} }

// MaxSteps is the most steps of a skill unless the operator says otherwise; a
// longer way is two skills.
const MaxSteps = 10

// headings are the beginnings of headings, folded, by which a part is known.
var headings = map[Part][]string{
	When:       {"when to", "when ", "use when", "use this", "triggers", "何时", "什么时候", "适用", "使用场景", "触发"},
	Steps:      {"steps", "procedure", "workflow", "how to", "process", "instructions", "步骤", "流程", "操作", "做法"},
	Parameters: {"parameters", "inputs", "arguments", "input", "参数", "输入"},
	Needs:      {"needs", "dependencies", "requirements", "prerequisites", "requires", "依赖", "前提", "前置", "需要"},
	Template:   {"template", "snippet", "example", "code", "模板", "示例", "代码", "例子"},
	Rules:      {"rules", "conventions", "preferences", "guidelines", "规则", "约定", "规范", "偏好"},
	Limits:     {"what it does not", "constraints", "limits", "limitations", "not for", "out of scope", "when not", "限制", "约束", "不做", "不适用"},
	Success:    {"success", "done when", "verification", "verify", "checks", "acceptance", "成功", "验证", "验收", "完成标准", "检查"},
	Pitfalls:   {"pitfalls", "gotchas", "caveats", "common mistakes", "troubleshooting", "warnings", "陷阱", "注意", "常见问题", "坑"},
	Related:    {"see also", "related", "references", "相关", "参考", "另见"},
}

// chinese are the headings that parts get in a body whose others are Chinese.
var chinese = map[Part]string{
	When: "何时使用", Steps: "步骤", Parameters: "参数", Needs: "需要", Template: "模板", Rules: "规则", Limits: "不做什么",
	Success: "成功标准", Pitfalls: "注意事项", Related: "相关",
}

// order is how a heading is tried: "when not to use" is a limit and no when.
var order = []Part{Limits, When, Steps, Parameters, Needs, Template, Rules, Success, Pitfalls, Related}

var (
	heading = regexp.MustCompile(`^#{1,6}[ \t]+(.+?)[ \t#]*$`)
	fence   = regexp.MustCompile("^ {0,3}(?:```|~~~)")
	step    = regexp.MustCompile(`^\d{1,3}[.)、][ \t]*\S`)
	item    = regexp.MustCompile(`^[ \t]*(?:[-*+]|\d{1,3}[.)、])[ \t]*`)
)

// Section is a stretch of a body below one heading, deeper ones being of their
// own.
type Section struct {
	Heading string // without its signs; empty for what stands before the first
	Part    Part   // empty where the heading tells of none
	Lines   []string
	at, end int // lines of the body: from its heading to behind its last line
}

// Read cuts a body into its sections.
func Read(body string) []Section {
	out := []Section{{}}
	inside := false
	for n, line := range strings.Split(body, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if fence.MatchString(line) {
			inside = !inside
		}
		if m := heading.FindStringSubmatch(line); m != nil && !inside {
			out = append(out, Section{Heading: m[1], Part: partOf(m[1]), at: n, end: n + 1})
			continue
		}
		last := &out[len(out)-1]
		last.Lines, last.end = append(last.Lines, line), n+1
	}
	return out
}

func partOf(title string) Part {
	title = strings.TrimLeft(text.Fold(title), "0123456789. ") + " "
	for _, p := range order {
		for _, h := range headings[p] {
			if strings.HasPrefix(title, h) {
				return p
			}
		}
	}
	return ""
}

// Has reports whether a body has a part. Any block of code is a template.
func Has(body string, p Part) bool {
	return slices.ContainsFunc(Read(body), func(s Section) bool {
		return s.Part == p || p == Template && slices.ContainsFunc(s.Lines, fence.MatchString)
	})
}

// CountSteps is the number of steps that a body lists.
func CountSteps(body string) int {
	n := 0
	for _, s := range Read(body) {
		for _, l := range s.Lines {
			if s.Part == Steps && step.MatchString(l) {
				n++
			}
		}
	}
	return n
}

// Items are the points that a body makes, without the signs of lists, code and
// headings left out.
func Items(body string) []string {
	var out []string
	inside := false
	for _, s := range Read(body) {
		for _, l := range s.Lines {
			if fence.MatchString(l) {
				inside = !inside
				continue
			}
			if l = strings.TrimSpace(item.ReplaceAllString(l, "")); l != "" && !inside {
				out = append(out, l)
			}
		}
	}
	return out
}

// Add adds points to a part, at its end, which begins a new section at the end
// of the body where the body has none. No points leave the body as it is.
func Add(body string, p Part, points ...string) string {
	if len(points) == 0 {
		return body
	}
	list := make([]string, len(points))
	for n, s := range points {
		list[n] = "- " + strings.Join(strings.Fields(s), " ")
	}
	found := Read(body)
	n := slices.IndexFunc(found, func(s Section) bool { return s.Part == p })
	if n < 0 {
		head := strings.TrimRight(body, "\n")
		if head != "" {
			head += "\n\n"
		}
		return head + "## " + p.among(found) + "\n\n" + strings.Join(list, "\n") + "\n"
	}
	lines := strings.Split(body, "\n")
	at := found[n].end
	for at > found[n].at+1 && strings.TrimSpace(lines[at-1]) == "" {
		at--
	}
	if at == found[n].at+1 || !item.MatchString(lines[at-1]) {
		list = append([]string{""}, list...)
	}
	if at == len(lines) {
		list = append(list, "")
	}
	return strings.Join(slices.Insert(lines, at, list...), "\n")
}

// Last puts a point that a part makes to its end, where it counts before those
// that say otherwise. It leaves the body as it is where the point stands there,
// or nowhere in that part.
func Last(body string, p Part, point string) string {
	lines := strings.Split(body, "\n")
	for _, s := range Read(body) {
		if s.Part != p {
			continue
		}
		n := slices.IndexFunc(s.Lines, func(l string) bool {
			return item.MatchString(l) && strings.TrimSpace(item.ReplaceAllString(l, "")) == point
		})
		behind := n >= 0 && slices.ContainsFunc(s.Lines[n+1:], func(l string) bool { return strings.TrimSpace(l) != "" })
		if behind {
			at := s.end - len(s.Lines) + n
			return Add(strings.Join(slices.Delete(lines, at, at+1), "\n"), p, point)
		}
	}
	return body
}

// among is the heading of a part that is new to a body, in the language of those
// that it has.
func (p Part) among(others []Section) string {
	if inChinese(others) {
		return chinese[p]
	}
	return string(p)
}

// InChinese reports whether a body's parts stand under Chinese headings.
func InChinese(body string) bool { return inChinese(Read(body)) }

func inChinese(all []Section) bool {
	han := func(r rune) bool { return unicode.Is(unicode.Han, r) }
	known, those := 0, 0
	for _, s := range all {
		if s.Part == "" {
			continue
		}
		known++
		if strings.ContainsFunc(s.Heading, han) {
			those++
		}
	}
	return 2*those > known
}
