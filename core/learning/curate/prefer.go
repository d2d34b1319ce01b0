package curate

import (
	"regexp"
	"strings"
	"sync"

	"talaria/core/text"
)

// Preference is that somebody uses one thing now and another one no longer.
type Preference struct {
	New, Old string // as they were said
	Said     string // the words that say it
}

// How a thing may be called: one to three words, which may hold signs such as
// those of C++ and Node.js.
const (
	name    = `[\p{L}\p{N}](?:[\p{L}\p{N}+#./_-]*[\p{L}\p{N}+#])?`
	thing   = `(` + name + `(?: ` + name + `){0,2}?)`
	hanName = `([A-Za-z][A-Za-z0-9+#./_ -]{0,30}?|[\p{Han}A-Za-z0-9+#]{1,10}?)`
)

// said are the turns of phrase, each with the number of the group that is new
// and of the one that is old. All of them say that it is to last: "use Go, not
// Python" alone is about one task.
var said = []struct {
	is       func() *regexp.Regexp
	now, old int
}{
	{spoken(`i(?:'m| am)? (?:now |only )?(?:use|using|prefer|work with|work in|write|write in|code in|program in) ` + thing +
		` (?:now|these days|nowadays|from now on|going forward),? (?:and )?(?:not|no longer|instead of|rather than|in place of|` +
		`over) ` + thing + `(?: any ?more| any longer)?`), 1, 2},
	{spoken(`(?:i(?:'m| am)? now|now i|nowadays i|these days i|from now on,? i(?:'ll| will)?|` +
		`from now on,?(?: please)?) (?:only )?(?:use|using|prefer|work with|work in|write|write in|code in) ` + thing +
		`,? (?:and )?(?:not|no longer|instead of|rather than|in place of|over) ` + thing + `(?: any ?more| any longer)?`), 1, 2},
	{spoken(`i(?:'ve| have)? (?:just |recently |now )?(?:switched|moved|migrated|changed|gone) (?:over )?from ` + thing +
		` to ` + thing + `(?: now| these days| recently)?`), 2, 1},
	{spoken(`i (?:no longer|do not|don't) (?:use|write|work with|work in|code in) ` + thing +
		`(?: any ?more| any longer)?[,;.:]? (?:and |but )?(?:i(?:'m| am)? (?:now )?|now i )?(?:use|using|prefer|only use|` +
		`switched to|moved to|it's|it is) ` + thing + `(?: now| instead)`), 2, 1},
	{spoken(`i(?:'ve| have)? (?:stopped using|given up|dropped|ditched|abandoned) ` + thing +
		`[,;.:]? (?:and |but |in favou?r of |for )?(?:i(?:'m| am)? (?:now )?)?(?:now )?(?:use |using |switched to |moved to )?` +
		thing + `(?: now| instead)?`), 2, 1},
	{spoken(`use ` + thing + ` (?:instead of|rather than|in place of|not) ` + thing +
		` (?:from now on|in (?:the )?future|going forward|always)`), 1, 2},
	{chinese(`(?:我们|我)?(?:现在|如今|目前|以后|今后|从现在起|从今以后|已经)(?:都|只|开始)*(?:改)?(?:用|使用|改用)(?:的是)?` +
		hanName + `了?[，,、；;。 ]*(?:而)?(?:不再用|不再使用|不用|不使用|不是|没再用|不写|不用再用)` + hanName + `了?`), 1, 2},
	{chinese(`(?:我们|我)(?:已经|现在)?(?:不再用|不再使用|不用|不使用|放弃|弃用)了?` + hanName +
		`了?[，,、；;。 ]*(?:我)?(?:现在|以后|今后|已经)?(?:都|只)?(?:改用|换成|换用|转用|改成|用|使用)了?` + hanName + `了?`), 2, 1},
	{chinese(`(?:我们|我)(?:已经|现在|最近|刚)?(?:把|从|由)` + hanName +
		`(?:换成|换到|改成|改用|转到|转向|迁移到|迁到|切换到|切到)了?` + hanName + `了?`), 2, 1},
	{chinese(`(?:以后|今后|从现在起|从今以后)(?:请|都|就|一律)*(?:用|使用)` + hanName +
		`[，, ]*(?:代替|替代|取代|不用|不要用|别用|别再用|而不是|不再用)` + hanName + `了?`), 1, 2},
}

const sentenceEnd = `\s*(?:$|[.,;:!?。，；！？\n])`

func spoken(p string) func() *regexp.Regexp {
	return expression(`(?i)(?:^|[\s,.;:!(])` + strings.ReplaceAll(p, " ", `\s+`) + sentenceEnd)
}

func chinese(p string) func() *regexp.Regexp { return expression(p + sentenceEnd) }

// expression compiles when it is asked first: the turns of phrase together take
// milliseconds and megabytes, which no start of the program should pay.
func expression(s string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s) })
}

// ReadPreference finds in a message that its author uses one thing now and
// another no longer. A question, and a supposition, say nothing.
func ReadPreference(message string) (Preference, bool) {
	const most = 600 // characters: what is said further behind is about the work
	if runes := []rune(message); len(runes) > most {
		message = string(runes[:most])
	}
	message = besideHan.ReplaceAllString(strings.NewReplacer("’", "'", "‘", "'").Replace(message), "$1$2")
	for _, s := range said {
		at := s.is().FindStringSubmatchIndex(message)
		if at == nil || supposed(message, at[0], at[1]) {
			continue
		}
		p := Preference{
			New: called(message[at[2*s.now]:at[2*s.now+1]]), Old: called(message[at[2*s.old]:at[2*s.old+1]]),
			Said: strings.Trim(message[at[0]:at[1]], " \n\t,.;:!?(，。；！"),
		}
		if text.Fold(p.New) != text.Fold(p.Old) && p.New != "" && p.Old != "" && !vague(p.New) && !vague(p.Old) {
			return p, true
		}
	}
	return Preference{}, false
}

// besideHan are blanks around Chinese, which some put and others don't.
var besideHan = regexp.MustCompile(`(\p{Han})[ \t]+|[ \t]+(\p{Han})`)

// lasting are words behind a name that are no part of it.
var lasting = regexp.MustCompile(`(?i)(?:\s+(?:any ?more|any longer|now|instead|these days|too))+$`)

func called(s string) string { return lasting.ReplaceAllString(strings.TrimSpace(s), "") }

var (
	doubts = regexp.MustCompile(`(?i)\b(?:if|when|whether|should|would|could|can|may|might|suppose|imagine|why|what|he|she|they|` +
		`said|says)\b[^.!;]*$|(?:如果|假如|要是|应该|是否|要不要|能不能|可不可以|为什么|他|她)[^。！；]*$`)
	pointy = regexp.MustCompile(`(?i)^(?:it|this|that|them|these|those|one|me|you|the|a|an|more|less|than|not|no|new|old|other|` +
		`another|something|anything)\b|^(?:它|这|那|你|我|他|她|的)`)
)

// supposed reports whether what stands before or behind makes a question or a
// supposition of it.
func supposed(message string, from, to int) bool {
	begin := strings.LastIndexAny(message[:from], ".!?\n")
	if strings.ContainsAny(message[max(from, 0):to], "?？") {
		return true
	}
	return doubts.MatchString(message[begin+1:from]) || strings.HasPrefix(strings.TrimLeft(message[to:], " "), "?")
}

func vague(s string) bool { return pointy.MatchString(s) }

// mentions reports whether a text names a thing, as whole words where it is
// written with blanks.
func mentions(s, thing string) bool {
	s, thing = text.Fold(s), text.Fold(thing)
	for from := 0; ; {
		i := strings.Index(s[from:], thing)
		if i < 0 {
			return false
		}
		begin, end := from+i, from+i+len(thing)
		if !joined(s[:begin], thing, false) && !joined(s[end:], thing, true) {
			return true
		}
		from = end
	}
}

// joined reports whether what is beside a name continues its word.
func joined(beside, thing string, behind bool) bool {
	word := func(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '+' || b == '#' }
	if beside == "" {
		return false
	}
	if behind {
		return word(thing[len(thing)-1]) && word(beside[0])
	}
	return word(thing[0]) && word(beside[len(beside)-1])
}
