package markdown

import (
	"slices"
	"sort"
	"unicode/utf8"
)

// splitter deals lines out to messages. It never looks at markup: it asks the
// form whether a run of lines fits, and since the form writes every run as a
// message of its own, whatever is cut is closed and opened again.
type splitter struct {
	form form
	rest []line // the splitter's own
}

// parts makes the next messages that show anything, at most so many.
func (s *splitter) parts(most int) []Part {
	parts := []Part{}
	for len(parts) < most {
		lines, p := s.next()
		if lines == nil {
			break
		}
		if visible(lines) {
			parts = append(parts, finish(s.form, p, lines))
		}
	}
	return parts
}

// next takes the lines of the next message and writes them. There are no lines
// when all were taken.
func (s *splitter) next() ([]line, Part) {
	s.rest = trimBlank(s.rest)
	if len(s.rest) == 0 {
		return nil, Part{}
	}
	win, extra := s.window()
	if p := s.form.write(win); s.form.fits(p) {
		s.rest = s.rest[len(win)-extra:]
		return win, p
	}
	n := s.longest(win)
	if n <= extra && extra > 0 { // no room for rows below the header
		win, extra = win[extra:], 0
		n = s.longest(win)
	}
	if k := s.lineBreak(win, n, extra); k > extra {
		return s.take(win, k, extra)
	}
	return s.cutLine(win, n, extra)
}

// take makes the first k lines of the window a message. The first extra ones
// are a repeated table header, which is not taken from the rest.
func (s *splitter) take(win []line, k, extra int) ([]line, Part) {
	s.rest = s.rest[k-extra:]
	lines := trimBlank(win[:k])
	return lines, s.form.write(lines)
}

// window is as many of the next lines as could fit by their bare text, up to
// the first that carries a file, and one more. Its first extra lines repeat
// the header of a table that goes on.
func (s *splitter) window() (win []line, extra int) {
	size, n := 0, 0
	for n < len(s.rest) && size <= s.form.limit() {
		size += s.rest[n].size() + 1
		n++
		if s.rest[n-1].file != nil {
			break
		}
	}
	if head := s.rest[0].head; head != nil {
		return slices.Concat(head, s.rest[:n]), len(head)
	}
	return s.rest[:n:n], 0
}

// longest is how many lines of the window, which is too long, fit into one
// message.
func (s *splitter) longest(win []line) int {
	return sort.Search(len(win)-1, func(i int) bool { return !s.fits(win[:i+1]) })
}

func (s *splitter) fits(lines []line) bool { return s.form.fits(s.form.write(lines)) }

// filled tells whether lines use up enough of a message to end it there.
func (s *splitter) filled(lines []line) bool {
	return s.form.measure(s.form.write(lines)) >= s.form.limit()/2
}

// lineBreak chooses the line before which to end the message, of which the
// first n lines fit: before a block that is better kept whole, else between
// blocks, else between lines. It is zero where too little would be sent.
func (s *splitter) lineBreak(win []line, n, extra int) int {
	if k := s.wholeBlock(win, n); k > extra {
		return beforeHeading(win, k, extra)
	}
	if n <= extra || !s.filled(win[:n]) {
		return 0
	}
	if win[n].kind == literal && win[n].block == win[n-1].block {
		return n
	}
	k := n
	for k > extra && win[k].kind != blank {
		k--
	}
	if k > extra && s.filled(win[:k]) {
		n = k
	}
	return beforeHeading(win, n, extra)
}

// wholeBlock is where the block begins that the limit would cut, if it is to
// be kept whole and fits into a message of its own.
func (s *splitter) wholeBlock(win []line, n int) int {
	if !win[n].whole {
		return 0
	}
	start := n
	for start > 0 && win[start-1].block == win[n].block {
		start--
	}
	at := slices.IndexFunc(s.rest, func(ln line) bool { return ln.block == win[n].block })
	end := at
	for end < len(s.rest) && s.rest[end].block == win[n].block && end-at <= s.form.limit() {
		end++
	}
	if start == 0 || !s.fits(s.rest[at:end]) {
		return 0
	}
	return start
}

// beforeHeading moves a break at k before headings that would be left alone
// at the end of the message.
func beforeHeading(win []line, k, extra int) int {
	i := k
	for i > extra && (win[i-1].kind == blank || win[i-1].kind == heading) {
		i--
	}
	if i > extra {
		return i
	}
	return k
}

// cutLine ends the message within line n of the window, or before it where
// nothing of it fits.
func (s *splitter) cutLine(win []line, n, extra int) ([]line, Part) {
	before := win[:n:n]
	if at := s.cutAt(before, win[n], win[n].cuts(s.form.limit(), true)); at > 0 {
		return s.takeCut(before, win[n], at, extra)
	}
	if n > extra {
		return s.take(win, n, extra)
	}
	ln := win[n].loosened()
	at := s.cutAt(nil, ln, ln.cuts(s.form.limit(), false))
	if at == 0 {
		at = s.cutAt(nil, ln, ln.runes(s.form.limit()))
	}
	if at == 0 { // a limit below any character: go on all the same
		_, at = utf8.DecodeRuneInString(ln.text())
	}
	return s.takeCut(nil, ln, at, 0)
}

// takeCut makes the lines before and the beginning of ln a message.
func (s *splitter) takeCut(before []line, ln line, at, extra int) ([]line, Part) {
	s.rest = s.rest[len(before)-extra:]
	s.rest[0] = ln.after(at)
	if len(s.rest[0].spans) == 0 {
		s.rest = s.rest[1:]
	}
	lines := append(before[:len(before):len(before)], ln.before(at))
	return lines, s.form.write(lines)
}

// cutAt chooses among cuts: the latest that fits, but rather a good one that
// wastes little.
func (s *splitter) cutAt(before []line, ln line, cuts []cut) int {
	fits := func(c cut) bool {
		return s.fits(append(before, ln.before(c.at)))
	}
	n := sort.Search(len(cuts), func(i int) bool { return !fits(cuts[i]) })
	if n == 0 {
		return 0
	}
	last := cuts[n-1]
	choices := []struct {
		rank  rank
		least int
	}{{sentence, last.at * 3 / 4}, {words, last.at / 2}}
	for _, want := range choices {
		for i := n - 1; i >= 0 && cuts[i].at >= want.least; i-- {
			if cuts[i].rank >= want.rank && fits(cuts[i]) {
				return cuts[i].at
			}
		}
	}
	return last.at
}
