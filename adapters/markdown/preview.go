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
	chunk := s.next()
	if !visible(chunk) {
		return Part{}, false, nil
	}
	return finish(f, chunk), true, nil
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
	if strings.Trim(tail[line:], " \t-=*_+#>|`~0123456789.") == "" {
		tail = strings.TrimRight(tail[:line], "\n")
	}
	var c closer
	return head + c.close(tail)
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
	open    []string // marks, outermost first
	bracket int      // where a link's label begins, plus one
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
				return c.finish(s, run)
			}
			i += 2*len(run) + end
		case '*', '_', '~':
			run := markRun(s[i:])
			c.mark(run, s[:i], s[i+len(run):])
			i += len(run)
		case '[':
			i++
			c.bracket = i
		case ']':
			i++
			if link, ok := openTarget(s[i:]); ok && c.bracket > 0 {
				return c.finish(s[:c.bracket-1]+s[c.bracket:i-1], "") + link
			}
			c.bracket = 0
		default:
			i++
		}
	}
	return c.finish(s, "")
}

// openTarget tells whether a link's address has begun and not ended.
func openTarget(s string) (string, bool) {
	return "", strings.HasPrefix(s, "(") && !strings.ContainsAny(s, ") \n")
}

func markRun(s string) string { return s[:len(s)-len(strings.TrimLeft(s, s[:1]))] }

// mark opens or closes at a run of mark characters.
func (c *closer) mark(run, before, after string) {
	if run[0] == '~' && len(run) != 2 || len(run) > 3 {
		return
	}
	prev, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	if n := len(c.open); n > 0 && c.open[n-1] == run && before != "" && !isBlank(prev) {
		c.open = c.open[:n-1]
		return
	}
	inside := run[0] == '_' && before != "" && isWord(prev)
	if after != "" && !isBlank(next) && !inside {
		c.open = append(c.open, run)
	}
}

// finish appends what closes s: the end of a code span, then of the marks.
func (c *closer) finish(s, ticks string) string {
	if ticks != "" {
		if strings.HasSuffix(s, ticks) {
			s, ticks = strings.TrimSuffix(s, ticks), ""
		}
		s += ticks
	}
	s = strings.TrimRight(s, " \t\n")
	if ticks == "" {
		s = trimOpenMark(s, c.open)
	}
	for i := len(c.open) - 1; i >= 0 && s != ""; i-- {
		s += c.open[i]
	}
	return s
}

// trimOpenMark drops marks at the very end that nothing stands behind yet.
func trimOpenMark(s string, open []string) string {
	t := strings.TrimRight(s, "*_~[!")
	if t == s || len(t) > 0 && !isBlank(rune(t[len(t)-1])) && len(open) == 0 {
		return s
	}
	return t
}
