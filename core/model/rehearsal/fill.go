package rehearsal

import (
	"fmt"
	"regexp"
	"strings"
)

// holes are the places of a step to fill in.
var holes = lazily(`\{(address|file)(?: (\d+))?\}`)

// fill puts what a request gives into the places of a step. The last one
// stands in where the request gives fewer than the skill was made from. What
// is no file and no address is found by where it stands in the template.
func fill(line, template, request string) string {
	line = anyHole().ReplaceAllStringFunc(line, func(hole string) string {
		if value := named(template, hole, request); value != "" && hole != lastResult && !holes().MatchString(hole) {
			return value
		}
		return hole
	})
	return holes().ReplaceAllStringFunc(line, func(hole string) string {
		m := holes().FindStringSubmatch(hole)
		all := givenFor("{"+m[1]+"}", request)
		if len(all) == 0 {
			return hole
		}
		n := 1
		_, _ = fmt.Sscan(m[2], &n) // without a number the first
		return all[min(max(n, 1), len(all))-1]
	})
}

// named is what a request has at the place of a hole in a template: what stands
// behind the word before it, up to the word behind it. Empty: nothing does.
func named(template, hole, request string) string {
	before, after, ok := strings.Cut(template, hole)
	words := strings.Fields(before)
	if !ok || len(words) == 0 {
		return ""
	}
	end := `[,;!?]|[.](?:\s|$)|$`
	if next := strings.Fields(after); len(next) > 0 {
		end = `\s` + regexp.QuoteMeta(next[0]) + `(?:\s|$)|` + end
	}
	expr, err := regexp.Compile(`(?i)(?:^|\s)` + regexp.QuoteMeta(words[len(words)-1]) + `\s+(\S.*?)(?:` + end + `)`)
	if err != nil {
		return ""
	}
	m := expr.FindStringSubmatch(request)
	if m == nil {
		return ""
	}
	const most = 4 // words that a name has; of more, the request is put otherwise
	if found := strings.Fields(m[1]); len(found) > most {
		return found[0]
	}
	return strings.TrimSpace(m[1])
}
