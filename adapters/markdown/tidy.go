package markdown

import "strings"

// tidy joins what belongs together and moves blanks out of the ends of styles
// and links, since a mark beside a blank is no mark on any platform.
func tidy(spans []span, l layout) []span {
	out := make([]span, 0, len(spans))
	for i, s := range spans {
		switch {
		case s.text == "":
		case s.text == newline || s.style == 0 && s.url == "":
			out = extend(out, s)
		case s.style&code != 0 && s.url == "":
			out = extend(out, s)
		default:
			out = hug(out, s, neighbour(spans, i))
		}
	}
	return embellish(out, l)
}

// neighbour is the span after the one at i, if any.
func neighbour(spans []span, i int) span {
	for _, s := range spans[i+1:] {
		if s.text != "" {
			return s
		}
	}
	return span{}
}

// hug appends s, its outer blanks only in what it shares with the spans around.
func hug(out []span, s, next span) []span {
	var prev span
	if len(out) > 0 {
		prev = out[len(out)-1]
	}
	core := strings.TrimSpace(s.text)
	if core == "" {
		return extend(out, s.shared(prev).shared(next))
	}
	before, after, _ := strings.Cut(s.text, core)
	middle := s
	middle.text = core
	if before != "" {
		s.text = before
		out = extend(out, s.shared(prev))
	}
	out = extend(out, middle)
	if after != "" {
		s.text = after
		out = extend(out, s.shared(next))
	}
	return out
}

// shared is s without the styles and the link that its neighbour has not.
func (s span) shared(other span) span {
	s.style &= other.style &^ code
	if s.url != other.url {
		s.url, s.auto = "", false
	}
	return s
}

// extend appends s, or adds it to the last span if the two are alike.
func extend(out []span, s span) []span {
	if n := len(out); n > 0 && s.text != newline {
		last := &out[n-1]
		if last.text != newline && last.style == s.style && last.url == s.url && last.auto == s.auto {
			last.text += s.text
			return out
		}
	}
	return append(out, s)
}
