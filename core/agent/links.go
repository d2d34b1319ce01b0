package agent

import (
	"html"
	"iter"
	"maps"
	"net/url"
	"regexp"
	"strings"

	"talaria/core/chat"
)

// links are the addresses that may stand in an answer as links although foreign
// text was before the model. Such a text can have the model write an address
// whose path or query carries what the conversation holds; whoever follows it,
// or a client that fetches it, hands that over. So an address that nobody gave
// is shown in a form that no client makes a link of.
//
// That goes for a bare host and a short path as well, also of a site that every
// model knows. There is no address that carries nothing: who owns a domain reads
// the labels before it and each word of the path, and eight letters are a
// password. Code, which no client links either, would hold the address ready to
// be copied whole, and leave it as one in notifications, exports and whatever
// else shows an answer without its form.
type links struct {
	given map[string]bool // addresses as they stand in what the model was given
	named map[string]bool // hosts that a person named with their own words
}

var (
	// bareAddress is an address as it stands in a text, to where the renderer
	// ends it.
	bareAddress = regexp.MustCompile("(?i)\\b(?:https?://|www\\.)[^\\s<>\"`\\[\\]{}|\\\\^。，、；：？！（）「」『』【】《》]+")
	// opening is what stands before the target of a link or picture, in Markdown
	// or HTML.
	opening = regexp.MustCompile(`(?i)\]\(\s*<?|\]:\s*<?|\b(?:href|src)\s*=\s*["']?`)
	// growing is an address at the end of a text, which may go on.
	growing = regexp.MustCompile("(?i)(?:\\]\\(\\s*<?|\\]:\\s*<?|\\b(?:https?:|www\\.|mailto:))[^\\s<>\"'`]*$|\\]\\(\\s*<[^>\\n]*$|\\b(?:h|ht|htt|https?|ww?w?)$")
	// hostName is a host as people write it.
	hostName = regexp.MustCompile(`(?i)\b(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}\b`)
	escaped  = regexp.MustCompile(`\\([[:punct:]])`)
	scheme   = regexp.MustCompile(`(?i)http`)
)

// linked collects what the model was given and what people said.
func (r *run) linked() links {
	l := links{given: map[string]bool{}, named: map[string]bool{}}
	l.name(r.spoken)
	l.give(r.turn.Prefix)
	for _, messages := range [][]Message{r.history, r.own} {
		for _, m := range messages {
			if m.Role == Assistant {
				continue
			}
			l.give(m.Text)
			if m.Role == User && m.Origin == chat.Member {
				l.name(m.Text)
			}
			for _, o := range m.Results {
				l.give(o.Text)
			}
		}
	}
	return l
}

// inJSON undoes what makes an address another one where it is quoted as JSON.
var inJSON = strings.NewReplacer(`\u0026`, "&", `\u003c`, "<", `\u003e`, ">", `\/`, "/")

func (l links) give(text string) {
	for _, a := range bareAddress.FindAllString(inJSON.Replace(text), -1) {
		l.given[trimmed(a)] = true
	}
}

func (l links) name(text string) {
	for _, host := range hostName.FindAllString(text, -1) {
		l.named[strings.ToLower(host)] = true
	}
}

// trimmed is an address without the punctuation of the sentence around it.
func trimmed(address string) string { return strings.TrimRight(address, ".,;:!?*_~()/") }

// may reports whether an address may be a link: a person named its host, or it
// was given as it stands, or is the beginning of one that was and so tells
// nothing but what that one does.
func (l links) may(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User != nil {
		return false
	}
	for host := strings.ToLower(u.Hostname()); host != ""; _, host, _ = strings.Cut(host, ".") {
		if l.named[host] {
			return true
		}
	}
	short := trimmed(address)
	if l.given[short] {
		return true
	}
	for given := range maps.Keys(l.given) {
		if strings.HasPrefix(given, short+"/") {
			return true
		}
	}
	return false
}

// inert puts the addresses of a text that may not be links into a form that
// none makes a link of, and reports whether there are any. Code that stands for
// itself is left as it is: it holds no links.
func (l links) inert(text string) (shown string, found bool) {
	var out strings.Builder
	for prose, code := range blocks(text) {
		prose, leads := l.disarmTargets(prose)
		prose, stands := l.disarmBare(prose)
		found = found || leads || stands
		out.WriteString(prose + code)
	}
	return out.String(), found
}

func (l links) disarmBare(text string) (shown string, found bool) {
	shown = bareAddress.ReplaceAllStringFunc(text, func(a string) string {
		whole := a
		if !strings.Contains(a, "://") {
			whole = "https://" + a
		}
		if l.may(whole) {
			return a
		}
		found = true
		return disarmed(a)
	})
	return shown, found
}

func (l links) disarmTargets(text string) (shown string, found bool) {
	var out strings.Builder
	for {
		at := opening.FindStringIndex(text)
		if at == nil {
			out.WriteString(text)
			return out.String(), found
		}
		before, rest := text[:at[1]], text[at[1]:]
		end := targetEnd(rest, before[at[0]:])
		a, harmless := l.target(rest[:end])
		found = found || !harmless
		out.WriteString(before + a)
		text = rest[end:]
	}
}

// target is a link's target as it may stand, and whether it does as it was.
func (l links) target(raw string) (shown string, same bool) {
	a := strings.TrimSpace(html.UnescapeString(escaped.ReplaceAllString(raw, "$1")))
	if kind, rest, _ := strings.Cut(a, ":"); strings.EqualFold(kind, "mailto") {
		to, _, filled := strings.Cut(rest, "?")
		if filled {
			return "mailto:" + to, false
		}
		return raw, true
	}
	if !strings.Contains(a, "//") || l.may(a) {
		return raw, true
	}
	return disarmed(a), false
}

// targetEnd is where the target ends that rest begins with, by what opened it.
func targetEnd(rest, opened string) int {
	last := opened[len(opened)-1]
	end, depth := -1, 0
	switch {
	case last == '<':
		end = strings.IndexAny(rest, ">\n")
	case last == '"', last == '\'':
		end = strings.IndexByte(rest, last)
	case strings.Contains(opened, "="):
		end = strings.IndexAny(rest, " \t\n>")
	default:
		skip := false
		end = strings.IndexFunc(rest, func(r rune) bool {
			switch {
			case skip:
				skip = false
				return false
			case r == '\\':
				skip = true
			case r == '(':
				depth++
			case r == ')':
				depth--
			}
			return r <= ' ' || depth < 0
		})
	}
	if end < 0 {
		return len(rest)
	}
	return end
}

// blocks are the parts of a text, each with the fenced code behind it. Only
// fences that begin a line count: those are code wherever they stand. Where
// there are others, all of it is taken for prose.
func blocks(text string) iter.Seq2[string, string] {
	return func(yield func(prose, code string) bool) {
		if insetFence.MatchString(text) {
			yield(text, "")
			return
		}
		var prose, code strings.Builder
		fence := ""
		for line := range strings.Lines(text) {
			mark := fenceMark(line)
			switch {
			case fence == "" && mark != "":
				fence = mark
				code.WriteString(line)
			case fence != "":
				code.WriteString(line)
				if strings.HasPrefix(mark, fence) && strings.Trim(line, mark[:1]+" \t\n") == "" {
					fence = ""
				}
			case code.Len() > 0:
				if !yield(prose.String(), code.String()) {
					return
				}
				prose.Reset()
				code.Reset()
				prose.WriteString(line)
			default:
				prose.WriteString(line)
			}
		}
		yield(prose.String(), code.String())
	}
}

var insetFence = regexp.MustCompile("(?m)^[ \\t>*+\\-0-9.)]+(?:```|~~~)")

// fenceMark is the fence that a line begins with, empty for none.
func fenceMark(line string) string {
	for _, c := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, c)
		if mark := line[:len(line)-len(rest)]; len(mark) >= 3 && (c == "~" || !strings.Contains(rest, c)) {
			return mark
		}
	}
	return ""
}

// disarmed is an address that people can read and no client links.
func disarmed(address string) string {
	begin, rest, ok := strings.Cut(scheme.ReplaceAllString(address, "hxxp"), "//")
	if ok {
		begin += "//"
	} else {
		begin, rest = "", begin
	}
	host := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		host = rest[:end]
	}
	return begin + strings.ReplaceAll(host, ".", "[.]") + rest[len(host):]
}

// disarmedWords say why an address is no link.
const disarmedWords = "*(An address written with hxxp or [.] is none that you or a text here gave, so I made no link of it.)*"

// guarded is a finished text without links that nobody gave, where foreign text
// was before the model.
func (r *run) guarded(text string) string {
	if r.worst < chat.External {
		return text
	}
	if shown, found := r.linked().inert(text); found {
		return shown + "\n\n" + r.words(disarmedWords)
	}
	return text
}

// guardedSoFar is a text that still grows: an address at its end is held back
// until it is whole.
func (r *run) guardedSoFar(text string) string {
	if r.worst < chat.External {
		return text
	}
	if at := growing.FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	text, _ = r.linked().inert(text)
	return text
}
