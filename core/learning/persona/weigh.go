package persona

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"talaria/core/learning/lesson"
	"talaria/core/learning/observe"
	"talaria/core/memory"
	"talaria/core/skill/match"
	"talaria/core/skill/scan"
	"talaria/core/text"
)

// mostLine is how long a line may be, in characters.
const mostLine = 160

// worth is the most that a number of occasions is good for.
func worth(occasions int) float64 {
	switch {
	case occasions >= memory.Certain:
		return 0.9
	case occasions == 2:
		return 0.8
	case occasions == 1:
		return 0.6
	}
	return 0
}

// weigh makes of a model's answer what is concluded. known are the cards of the
// person's profile, each with the id that the model was shown; most is how many
// of these may have been concluded.
func weigh(a answer, all []said, known map[string]memory.Card, most int) []memory.Conclusion {
	w := weighing{all: all, most: most, against: map[string][]said{}}
	for id, c := range known {
		w.known = append(w.known, card{id, c})
		if c.Inferred && c.State.Used() {
			w.lines++
		}
	}
	slices.SortFunc(w.known, func(a, b card) int { return strings.Compare(a.shown, b.shown) })
	for _, x := range a.Antithesis {
		w.against[x.Of] = append(w.against[x.Of], w.sources(x.Sources)...)
	}
	slices.SortStableFunc(a.Synthesis, func(a, b line) int { return cmp.Compare(b.Confidence, a.Confidence) })
	for _, l := range a.Synthesis {
		w.line(l)
	}
	for _, c := range w.known {
		if !slices.ContainsFunc(w.out, func(o memory.Conclusion) bool { return o.Card == c.ID }) {
			w.about(c.Card, nil, w.contrary(c.shown, c.Text), 0)
		}
	}
	return w.out
}

// card is a card with the id that the model was shown.
type card struct {
	shown string
	memory.Card
}

type weighing struct {
	all     []said
	known   []card
	against map[string][]said // by what the model says they speak against
	lines   int               // concluded ones in use, and
	most    int               // how many there may be
	out     []memory.Conclusion
}

// line takes in a line of the synthesis.
func (w *weighing) line(l line) {
	l.Text = strings.Join(strings.Fields(l.Text), " ")
	pro := slices.DeleteFunc(w.sources(l.Sources), func(s said) bool { return !bears(s, l.Text) })
	con := w.contrary(l.Of, l.Text)
	i := slices.IndexFunc(w.known, func(c card) bool { return c.shown == l.Of || same(c.Text, l.Text) })
	if i >= 0 {
		c := w.known[i].Card
		pro = slices.DeleteFunc(pro, func(s said) bool { return !bears(s, c.Text) })
		w.about(c, pro, append(con, w.contrary(w.known[i].shown, c.Text)...), l.Confidence)
		return
	}
	if w.lines >= w.most || len(pro) == 0 || refused(l.Text, pro) || w.repeats(l.Text) {
		return
	}
	c := memory.Conclusion{Text: l.Text, For: evidence(pro), Against: opposing(con)}
	if c.Confidence = capped(l.Confidence, memory.Card{}, c); c.Confidence > 0 {
		w.lines++
		w.out = append(w.out, c)
		w.overturn(l.Text, pro)
	}
}

// overturn has the sentences that bear a new line out speak against the cards
// that say the contrary.
func (w *weighing) overturn(text string, pro []said) {
	for _, c := range w.known {
		if match.Contradict(c.Text, text) {
			w.against[c.shown] = append(w.against[c.shown], pro...)
		}
	}
}

// repeats reports whether a line of this night says so already.
func (w *weighing) repeats(text string) bool {
	return slices.ContainsFunc(w.out, func(o memory.Conclusion) bool { return same(o.Text, text) })
}

// about adds what was said for and against a card.
func (w *weighing) about(c memory.Card, pro, con []said, stated float64) {
	out := memory.Conclusion{Card: c.ID, Text: c.Text, For: evidence(pro), Against: opposing(con)}
	if len(out.For)+len(out.Against) == 0 || w.settled(c.ID) {
		return
	}
	if stated == 0 {
		stated = c.Confidence
	}
	out.Confidence = capped(stated, c, out)
	w.out = append(w.out, out)
}

func (w *weighing) settled(id string) bool {
	return slices.ContainsFunc(w.out, func(o memory.Conclusion) bool { return o.Card == id })
}

// sources are the sentences that a model named, each once.
func (w *weighing) sources(ids []string) []said {
	return slices.DeleteFunc(slices.Clone(w.all), func(s said) bool { return !slices.Contains(ids, s.ID) })
}

// contrary are the sentences that speak against a statement: those that the
// model named and that are about the same, and those that deny it.
func (w *weighing) contrary(of, statement string) []said {
	return slices.DeleteFunc(slices.Clone(w.all), func(s said) bool {
		named := slices.ContainsFunc(w.against[of], func(x said) bool { return x.ID == s.ID })
		return !(named && share(telling(statement), vocabulary(s)) > 0) && !match.Contradict(statement, s.Words)
	})
}

// capped is a model's stated confidence, as far as the occasions carry it.
func capped(stated float64, have memory.Card, c memory.Conclusion) float64 {
	have.Evidence = slices.Concat(have.Evidence, c.For, c.Against)
	pro, con := have.Occasions()
	return min(max(stated, 0), worth(pro-con))
}

func evidence(from []said) []memory.Evidence {
	var out []memory.Evidence
	for _, s := range from {
		if !slices.Contains(out, s.evidence) {
			out = append(out, s.evidence)
		}
	}
	return out
}

// opposing is evidence against something.
func opposing(from []said) []memory.Evidence {
	out := evidence(from)
	for i := range out {
		out[i].Task, out[i].Against = "", out[i].Task
	}
	return out
}

// unfit are signs that no statement about a person needs.
var unfit = regexp.MustCompile("://|@\\S|[`{}<>|\\[\\]$\\\\]|(?:^|\\s)[~./]+/\\w|[?？]")

// refused reports whether a statement is no line, whoever bears it out.
func refused(s string, pro []said) bool {
	n := utf8.RuneCountInString(s)
	asked := slices.ContainsFunc(pro, func(p said) bool { return p.asked })
	switch {
	case n == 0, n > mostLine, !utf8.ValidString(s), unfit.MatchString(s), len(telling(s)) == 0:
		return true
	case sensitive(s) && !asked, memory.Secret(s) != "", lesson.Refuse(s) != "":
		return true
	}
	return scan.Scan(scan.Memory, s).Verdict != scan.Allow
}

// borne is the share of a statement's telling words that a sentence must have.
const borne = 0.5

// bears reports whether a sentence bears a statement out: it is about the same,
// has its numbers, and does not deny it. A complaint about an answer's form
// says what is wanted by what it denies.
func bears(s said, statement string) bool {
	have, want := vocabulary(s), telling(statement)
	for _, t := range want {
		if strings.ContainsFunc(t, unicode.IsDigit) && !slices.Contains(have, t) {
			return false
		}
	}
	if share(want, have) < borne || match.Contradict(statement, s.Words) {
		return false
	}
	return len(s.Form) > 0 || denies(statement) == denies(s.Words)
}

var denial = regexp.MustCompile(`(?i)\b(?:no|not|never|none|without|hates?|dislikes?|avoids?|stop(?:s|ped)?|no longer|cannot|\w+n't|anything but|new to|unfamiliar|beginner)\b|不|没|别|讨厌|避免|从未`)

func denies(s string) bool { return denial.MatchString(strings.ReplaceAll(s, "’", "'")) }

// formWords are what a complaint about a form may be called in a line.
var formWords = map[observe.Aspect]string{
	observe.Length: "short shorter brief briefer concise terse compact long longer detail detailed thorough length 短 简短 简洁 简明 长 详细 篇幅",
	observe.Tone:   "tone formal informal casual friendly polite direct serious 语气 正式 随意 直接 客气",
	observe.Format: "format list lists table tables bullet bullets markdown plain heading headings 格式 列表 表格 纯文本",
	observe.Style:  "style simple simpler plain technical jargon 风格 简单 通俗 专业",
}

// vocabulary are the words of a sentence, with those of the form that it is
// about.
func vocabulary(s said) []string {
	words := s.Words
	for _, a := range s.Form {
		words += " " + formWords[a]
	}
	return text.Terms(words)
}

// common are words of lines that tell nothing of the person.
var common = func() map[string]bool {
	out := map[string]bool{}
	for _, t := range text.Terms("i me my mine am is are was be been being have has had do does did the a an of for to in on at and or with as it its this that they them their he she user person people we our you your " +
		"prefer prefers preferred like likes liked love loves enjoy enjoys want wants wish wishes would rather use uses using work works working know knows knowing good very really much more most always usually often mostly generally currently now " +
		"answer answers reply replies response responses explain explanation get give given when asked not no never " +
		"用户 喜欢 偏好 习惯 希望 想要 使用 工作 回答 回复 总是 通常 经常 目前 现在 我") {
		out[t] = true
	}
	return out
}()

// telling are the words of a statement that make it what it is, each once.
func telling(s string) []string {
	terms := slices.DeleteFunc(text.Terms(s), func(t string) bool { return common[t] })
	slices.Sort(terms)
	return slices.Compact(terms)
}

// share is how much of some words others have, 0 to 1.
func share(want, have []string) float64 {
	if len(want) == 0 {
		return 0
	}
	n := 0
	for _, t := range want {
		if slices.Contains(have, t) {
			n++
		}
	}
	return float64(n) / float64(len(want))
}

// The shares of telling words from which two lines say the same, and from which
// one is what was struck. To lose a line costs little; to see one again that one
// struck costs trust.
const (
	sameFrom   = 0.8
	struckFrom = 0.6
)

// same reports whether two lines say the same.
func same(a, b string) bool {
	return overlap(a, b) >= sameFrom || match.CardSimilarity(a, b) >= match.Same
}

// struck reports whether a line is what was struck, in these or in similar words.
func struck(old, statement string) bool {
	return overlap(old, statement) >= struckFrom || match.CardSimilarity(old, statement) >= match.Alike
}

// overlap is how much of two lines' telling words is in both, 0 to 1; zero where
// one denies and the other does not.
func overlap(a, b string) float64 {
	x, y := telling(a), telling(b)
	if denies(a) != denies(b) || len(x)+len(y) == 0 {
		return 0
	}
	return (share(x, y)*float64(len(x)) + share(y, x)*float64(len(y))) / float64(len(x)+len(y))
}
