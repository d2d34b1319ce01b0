package rehearsal

import (
	"strings"
	"unicode/utf8"
)

const (
	// maxClauses is how many things one message can ask for.
	maxClauses = 12
	// maxCut is how many characters of orders a message may have, quotations
	// and what follows a colon not counted; a longer one is prose and not cut.
	maxCut = 1000
)

var (
	// whole is what no cut goes through: code, quotations, addresses.
	whole = lazily("(?s)```.*?```|`[^`\n]+`|\"[^\"\n]+\"|“[^”\n]+”|「[^」\n]+」|『[^』\n]+』|https?://[^\\s<>\"“”，。；、（）]*[^\\s<>\"“”，。；、（）.,;:!?)]")
	// heldBack is a colon at a line's end: what follows belongs to what stands before it.
	heldBack = lazily(`[:：]\s*\n`)
	// asked is the end of a question, which keeps its mark.
	asked = lazily(`？+|\?+(?:\s|$)`)
	// between separates things to do wherever it stands.
	between = lazily(`(?i)\n+|[;；。！]+\s*|[.!]+(?:\s+|$)|[,，]?\s*\b(?:and\s+)?(?:then|after that|afterwards)\b[,，]?\s*|[,，、]?\s*(?:然后|接着|随后|之后再)[,，]?`)
	// joint separates them only where something to do follows.
	joint = lazily(`(?i)[,，、]?\s+(?:and|also|plus)\s+(?:also\s+)?|,\s*|[，、]\s*(?:并且|并|以及|同时|还有|再|顺便|最后)?|(?:并且|以及|同时|还有|顺便)`)
	// doing is how something to do begins.
	doing = lazily(`(?i)^(?:please |finally |lastly |请|帮我|再|就|并|最后|顺便)*(?:(?:fetch|open|get|load|read|save|write|store|put|list|show|display|remember|forget|tell|search|find|look|what|when|who|calculate|compute|give|create|make|visit|download|note|use|call|run|check|summari[sz]e)\b|记住|记下|忘|搜|查|找|打开|读|看|抓取|获取|访问|下载|列出|显示|保存|存|写|创建|新建|告诉|计算|算|现在|今天|几点|把|总结|概括|使用|调用|如果|要是|万一|if (?:it|that|this|the)\b)`)

	bullet = lazily(`(?m)^[ \t]*(?:\d{1,2}[.)、:]|[-*•])[ \t]+`)
	polite = lazily(`(?i)^(?:(?:please|pls|kindly|now|also|first(?:ly)?|second(?:ly)?|third(?:ly)?|next|finally|lastly|ok(?:ay)?|no|yes|wait|actually|sorry|instead|and|but|so|well|(?:can|could|would|will) you(?: please)?|i(?:'d| would) like you to|i want you to|i need you to)(?:[,:]\s*|\s+)|(?:不对?|不是|等等|好的?|请你?|麻烦你?|帮我|帮忙|首先|先|最后|顺便|另外|还有|再|就|并|(?:你)?(?:能不能|能否|可不可以|可以|能)(?:帮我)?)[,，:：\s]*)+`)
)

// clauses cuts a message into parts that ask for one thing each. Wording that
// keeps a text ("remember that ...") is not cut at a mere "and".
func clauses(text string) []string {
	masked, restore := mask(text)
	tail := ""
	if at := heldBack().FindStringIndex(masked); at != nil {
		masked, tail = masked[:at[1]], masked[at[1]:]
		masked = strings.TrimRight(masked, " \n")
	}
	if utf8.RuneCountInString(masked) > maxCut {
		return []string{strings.TrimSpace(text)}
	}
	var out []string
	lines := asked().ReplaceAllString(bullet().ReplaceAllString(masked, ""), "$0\n")
	for _, part := range between().Split(lines, 2*maxClauses) {
		out = append(out, soft(part, restore)...)
	}
	out = compact(out)
	if tail != "" && len(out) > 0 {
		out[len(out)-1] += "\n" + restore(tail)
	}
	return out[:min(len(out), maxClauses)]
}

// soft cuts a part at a joint where a further thing to do follows, or where
// what stands before it makes sense and the whole does not.
func soft(part string, restore func(string) string) []string {
	part = strip(part, restore)
	if keeps(restore(part)) {
		return []string{restore(part)}
	}
	known := func(part string) bool {
		i, _ := understand(restore(part), languageOf(part))
		return i != unknown
	}
	odd := !known(part)
	for _, at := range joint().FindAllStringIndex(part, maxClauses) {
		first, rest := part[:at[0]], part[at[1]:]
		if at[0] > 0 && (doing().MatchString(rest) || odd && known(first)) {
			return append([]string{restore(first)}, soft(rest, restore)...)
		}
	}
	return []string{restore(part)}
}

// strip takes off what politely stands before the wording that matters, unless
// the whole is a wording of its own ("can you ..." is, as "what can you do").
func strip(part string, restore func(string) string) string {
	part = strings.TrimSpace(part)
	rest := strings.TrimSpace(polite().ReplaceAllString(part, ""))
	if rest == "" || rest == part {
		return part
	}
	if i, _ := understand(restore(part), languageOf(part)); i != unknown {
		return part
	}
	return rest
}

func compact(parts []string) []string {
	var out []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); strings.Trim(p, ".,!?，。！？:： 0123456789)") != "" {
			out = append(out, p)
		}
	}
	return out
}

// firstMask begins the runes that stand for masked text: a private use area.
const firstMask, lastMask = '\uE000', '\uF8FF'

// mask replaces what must stay whole by one rune each.
func mask(text string) (masked string, restore func(string) string) {
	var held []string
	text = strings.Map(func(r rune) rune {
		if r >= firstMask && r <= lastMask {
			return ' '
		}
		return r
	}, text)
	masked = whole().ReplaceAllStringFunc(text, func(s string) string {
		if firstMask+rune(len(held)) > lastMask {
			return s
		}
		held = append(held, s)
		return string(firstMask + rune(len(held)-1))
	})
	return masked, func(s string) string {
		var b strings.Builder
		for _, r := range s {
			if r >= firstMask && int(r-firstMask) < len(held) {
				b.WriteString(held[r-firstMask])
			} else {
				b.WriteRune(r)
			}
		}
		return b.String()
	}
}
