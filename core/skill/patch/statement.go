package patch

import (
	"slices"
	"strings"
	"unicode"
)

// kind is what a word does in a statement.
type kind int

const (
	content  kind = iota // says what it is about
	function             // could be left out: "the", "please", 的
	relation             // joins, and may be left out but not be changed for another: "to", "before"
	fixed                // a number, an address, code, or a word that turns the statement around
	mark                 // punctuation
)

// word is a word of a statement; in Chinese and Japanese, a character.
type word struct {
	text string
	kind kind
	han  bool
}

// statement is a line as words.
type statement struct {
	words []word
	fixed []string
}

// The words that are more, or less, than what they are about. They are lists of
// the language, not of any text: what is left out of them is taken for content,
// which is the careful side.
var (
	functions = set(`a an the it is are was were be been this that these those there here its your our their my you we they i he she
		please just also so very really quite simply of at as do does did has have had which who where
		的 了 地 得 着 过 请 就 也 都 还 个 一下 们 之 所 吧 呢`)
	relations = set(`to from into onto in out on off up down over under above below before after until till since while when if then else
		and or but with by for against between through about than because must should shall may might can could will would
		和 与 或 及 在 到 从 由 向 对 把 被 将 给 用 以 前 后 上 下 里 内 外 中 时 若 如 应 须 可 能 会 要 再`)
	turning = set(`not no never none nothing nobody nor neither without unless except cannot can't don't doesn't isn't aren't won't
		shouldn't mustn't didn't wasn't rarely seldom hardly barely almost avoid instead only always every all any each both either some many few most least more less
		first last next previous same other another enable disable allow deny true false yes
		one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million billion
		second third fourth fifth sixth seventh eighth ninth tenth once twice half
		monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
		september october november december hourly daily weekly monthly yearly today tomorrow yesterday
		不 没 无 非 未 勿 别 莫 否 禁 免 只 仅 全 每 各 任 必 总 永 先 最 首 末 同 另 其 多 少 大 小 开 关 增 减 加 删 停 启 避 拒 
		一 二 三 四 五 六 七 八 九 十 百 千 万 亿 两 零 半 第 日 周 月 年`)
)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// marks may be missing or too many at the end of a word.
const marks = `,.;:?"'()，。；：？、（）「」『』《》`

// read takes a line apart. It must be plain.
func read(line string) statement {
	var s statement
	inCode := false
	for field := range strings.FieldsSeq(line) {
		if inCode || strings.Contains(field, "`") {
			s.add(field, fixed, false)
			inCode = inCode != (strings.Count(field, "`")%2 == 1)
			continue
		}
		core := strings.Trim(field, marks)
		if core == "" {
			s.add(field, mark, false)
			continue
		}
		s.core(core)
	}
	return s
}

// core adds what stands between two blanks.
func (s *statement) core(text string) {
	if !hasHan(text) {
		s.add(strings.ToLower(text), kindOf(text), false)
		return
	}
	// Runs of other characters between Chinese ones are words of their own.
	var run []rune
	flush := func() {
		if core := strings.Trim(string(run), marks); core != "" {
			s.add(strings.ToLower(core), kindOf(core), false)
		}
		run = nil
	}
	for _, r := range text {
		switch {
		case han(r):
			flush()
			s.add(string(r), kindOf(string(r)), true)
		default:
			run = append(run, r)
		}
	}
	flush()
}

func (s *statement) add(text string, k kind, isHan bool) {
	s.words = append(s.words, word{text, k, isHan})
	if k == fixed {
		s.fixed = append(s.fixed, text)
	}
}

func han(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

func hasHan(s string) bool { return strings.ContainsFunc(s, han) }

func kindOf(text string) kind {
	lower := strings.ToLower(text)
	switch {
	case turning[lower], strings.HasSuffix(lower, "n't"), !wordLike(text):
		return fixed
	case functions[lower]:
		return function
	case relations[lower]:
		return relation
	}
	return content
}

// wordLike reports whether a text is nothing but letters, with hyphens or
// apostrophes between them.
func wordLike(text string) bool {
	for i, r := range text {
		inside := i > 0 && i < len(text)-1
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !(inside && (r == '-' || r == '\'')) {
			return false
		}
	}
	return true
}

// extras are the words that one statement has and the other has not.
type extras struct{ content, function, relation, han int }

func (e *extras) count(w word) {
	switch {
	case w.kind == content && w.han:
		e.han++
	case w.kind == content:
		e.content++
	case w.kind == function:
		e.function++
	case w.kind == relation:
		e.relation++
	}
}

// replaces reports whether words that say something stand in the place of others.
func (e extras) replaces(o extras) bool {
	return e.content+e.relation+e.han > 0 && o != (extras{})
}

// The limits of a slip, for one line.
const (
	leastWords   = 3 // that both have; characters count a half
	leastForMore = 6 // from so many on, one word of content may be missing
	mostWords    = 400
	mostExtra    = 8
	wordsASlip   = 2 // so many words allow for one slip
)

// means reports whether a statement is another with a slip.
func (s statement) means(o statement) bool {
	a, b := len(s.words), len(o.words)
	if max(a, b) > mostWords || max(a, b)-min(a, b) > mostExtra || !slices.Equal(s.fixed, o.fixed) {
		return false
	}
	m := align(s.words, o.words)
	contents := m.left.content + m.left.han + m.right.content + m.right.han
	small := m.slips + m.left.function + m.left.relation + m.right.function + m.right.relation
	switch {
	case m.same < leastWords,
		m.left.replaces(m.right), m.right.replaces(m.left),
		contents > 1,
		contents == 1 && m.same < leastForMore,
		small > max(1, int(m.same)/wordsASlip):
		return false
	}
	return true
}

// alignment is how two statements compare, word by word.
type alignment struct {
	same        float64 // words in both; characters of Chinese count a half
	slips       int     // words in both, but for a letter
	left, right extras  // words of one alone
}

// align pairs the words of two statements in their order, as many as can be.
func align(a, b []word) alignment {
	best := bestPairing(a, b)
	var out alignment
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		w := worth(a[i], b[j])
		switch {
		case w > 0 && best[i][j] == w+best[i+1][j+1]:
			out.pair(a[i], w)
			i, j = i+1, j+1
		case best[i][j] == best[i+1][j]:
			out.left.count(a[i])
			i++
		default:
			out.right.count(b[j])
			j++
		}
	}
	for ; i < len(a); i++ {
		out.left.count(a[i])
	}
	for ; j < len(b); j++ {
		out.right.count(b[j])
	}
	return out
}

// bestPairing is what the words from i and from j on can at most be worth.
func bestPairing(a, b []word) [][]int {
	best := make([][]int, len(a)+1)
	for i := range best {
		best[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if w := worth(a[i], b[j]); w > 0 {
				best[i][j] = max(best[i][j], w+best[i+1][j+1])
			}
		}
	}
	return best
}

func (m *alignment) pair(w word, worth int) {
	switch {
	case worth < exactWorth:
		m.slips++
	case w.han:
		m.same += 0.5
	case w.kind != mark:
		m.same++
	}
}

const exactWorth = 3

// worth is what pairing two words is worth: nothing unless one is the other, at
// most with a slip.
func worth(a, b word) int {
	switch {
	case a.text == b.text:
		return exactWorth
	case a.kind <= function && b.kind <= function && !a.han && !b.han && slipped(a.text, b.text):
		return exactWorth - 1
	}
	return 0
}
