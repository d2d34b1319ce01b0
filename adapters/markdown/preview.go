package markdown

import (
	"strings"
	"unicode/utf8"
)

// Preview renders the beginning of an answer that is still growing: its first
// message, with everything that the answer has left open closed. It is false
// while there is nothing to be seen.
//
// As long as the answer fits into one message, the text grows with it. Once it
// does not, the text stays as it is, save that a code block or table which the
// limit would cut may still move on to the next message whole.
func Preview(platform, md string) (Part, bool, error) {
	f, err := formOf(platform)
	if err != nil {
		return Part{}, false, err
	}
	lines := flatten(parse(complete(beginning(clean(md)))), f.layout())
	s := splitter{form: f, rest: lines}
	parts := s.parts(1)
	if len(parts) == 0 {
		return Part{}, false, nil
	}
	return parts[0], true, nil
}

// complete closes the marks, code and links that the end of md leaves open,
// and drops a last line that is only the beginning of markup.
func complete(md string) string {
	start, fenced := lastBlock(md)
	if fenced {
		return strings.TrimRight(md, "`~")
	}
	head, tail := md[:start], md[start:]
	line := strings.LastIndexByte(tail, '\n') + 1
	if budding(tail[line:]) {
		tail = strings.TrimRight(tail[:line], "\n")
	}
	var c closer
	return head + c.close(tail)
}

// budding tells whether a line is only the beginning of markup: a bullet, a
// number, or a mark that would make something else of the line before.
func budding(line string) bool {
	line = strings.TrimSpace(line)
	rest := strings.TrimLeft(line, "0123456789")
	return strings.Trim(line, " \t-=*_+#>|`~:") == "" || rest != line && (rest == "." || rest == ")")
}

// lastBlock is where the text after the last blank line begins, and whether it
// is inside a fenced code block.
func lastBlock(md string) (start int, fenced bool) {
	fence := ""
	for at := 0; at < len(md); {
		end := strings.IndexByte(md[at:], '\n')
		if end < 0 {
			end = len(md) - at
		}
		text := strings.TrimLeft(md[at:at+end], " \t>")
		next := min(at+end+1, len(md))
		switch mark := fenceMark(text); {
		case fence != "":
			if strings.HasPrefix(mark, fence) && strings.TrimSpace(text) == mark {
				fence, start = "", next
			}
		case mark != "" && (mark[0] == '~' || !strings.Contains(text[len(mark):], "`")):
			fence = mark
		case strings.TrimSpace(text) == "":
			start = next
		}
		at = next
	}
	return start, fence != ""
}

// fenceMark is the run of back-ticks or tildes that opens a fence.
func fenceMark(text string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(text) - len(strings.TrimLeft(text, c)); n >= 3 {
			return text[:n]
		}
	}
	return ""
}

// closer scans the text of a block for what it leaves open.
type closer struct {
	open  []string // marks, outermost first
	label int      // where the label of a link would begin; zero for none
}

func (c *closer) close(s string) string {
	for i := 0; i < len(s); {
		switch s[i] {
		case '\\':
			i += 2
		case '`':
			run := markRun(s[i:])
			end := strings.Index(s[i+len(run):], run)
			if end < 0 {
				return c.inCode(s, i, run)
			}
			i += 2*len(run) + end
		case '*', '_', '~':
			run := markRun(s[i:])
			if !c.mark(run, s[:i], s[i+len(run):]) && i+len(run) == len(s) {
				return c.finish(s[:i]) // nothing stands behind it yet
			}
			i += len(run)
		case '[':
			i++
			c.label = i
		case ']':
			i++
			if c.label > 0 && openTarget(s[i:]) {
				return c.finish(s[:c.label-1] + s[c.label:i-1])
			}
			c.label = 0
		default:
			i++
		}
	}
	return c.finish(s)
}

// inCode closes s, in which an open code span begins at i.
func (c *closer) inCode(s string, i int, run string) string {
	if len(s) == i+len(run) {
		return c.finish(s[:i])
	}
	return c.finish(strings.TrimRight(s, "` \n") + run)
}

// openTarget tells whether an address has begun in brackets and not ended.
func openTarget(s string) bool {
	return strings.HasPrefix(s, "(") && !strings.ContainsAny(s, ") \n")
}

func markRun(s string) string { return s[:len(s)-len(strings.TrimLeft(s, s[:1]))] }

// mark opens or closes at a run of mark characters. It is false where the run
// does neither.
func (c *closer) mark(run, before, after string) bool {
	if run[0] == '~' && len(run) != 2 || len(run) > 3 {
		return false
	}
	prev, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	if n := len(c.open); n > 0 && c.open[n-1] == run && !isBlank(prev) {
		c.open = c.open[:n-1]
		return true
	}
	inWord := run[0] == '_' && isWord(prev)
	if after == "" || isBlank(next) || inWord {
		return false
	}
	c.open = append(c.open, run)
	return true
}

// finish appends what closes the open marks.
func (c *closer) finish(s string) string {
	s = strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(s, "!["), "["), " \t\n")
	for i := len(c.open) - 1; i >= 0 && s != ""; i-- {
		s += c.open[i]
	}
	return s
}
