package rehearsal

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"talaria/core/text"
)

// intent is what a clause asks for.
type intent string

const (
	remember intent = "remember" // text
	forget   intent = "forget"   // text
	about    intent = "about"    // what is known of the person
	recall   intent = "recall"   // topic
	search   intent = "search"   // query
	fetch    intent = "fetch"    // url
	clock    intent = "clock"    // zone
	list     intent = "list"
	readFile intent = "read"     // name
	write    intent = "write"    // name, text
	extend   intent = "extend"   // name, text: written behind what is there
	compute  intent = "sum"      // sum
	use      intent = "use"      // tool, args
	agree    intent = "agree"    // tool: a call that was asked about earlier
	skill    intent = "skill"    // name
	lesson   intent = "lesson"   // remember how this was done
	schedule intent = "schedule" // text, its time in it
	jobs     intent = "jobs"     // those there are
	cancel   intent = "cancel"   // id; without one, the only job there is
	greet    intent = "greet"
	thank    intent = "thank"
	bye      intent = "bye"
	help     intent = "help"
	who      intent = "who"
	say      intent = "say"     // text
	nothing  intent = "nothing" // "tell me": what is done is told anyway
	unknown  intent = ""
)

// slots are the parts of a wording that matter, by name.
type slots map[string]string

// rule is one wording of an intent. Its named groups are slots.
type rule struct {
	intent intent
	expr   *regexp.Regexp
}

// wording is a rule as the tables of the languages have it. Wordings are
// matched without regard to case, in their order.
type wording struct {
	intent intent
	expr   string
}

func compile(table []wording) []rule {
	rules := make([]rule, len(table))
	for i, w := range table {
		rules[i] = rule{w.intent, regexp.MustCompile(`(?is)` + w.expr)}
	}
	return rules
}

// rules are those of each language, its own first: people mix them.
var rules = sync.OnceValue(func() map[language][]rule {
	en, zh := compile(wordingsEN), compile(wordingsZH)
	return map[language][]rule{english: slices.Concat(en, zh), chinese: slices.Concat(zh, en)}
})

// understand finds out what a clause asks for.
func understand(clause string, l language) (intent, slots) {
	bare := strings.TrimRight(clause, " \t\n.!?。！？")
	for _, r := range rules()[l] {
		m := r.expr.FindStringSubmatch(bare)
		if m == nil {
			continue
		}
		found := slots{}
		for i, name := range r.expr.SubexpNames() {
			if name != "" && m[i] != "" {
				found[strings.TrimSuffix(name, "2")] = clean(m[i]) // a name can stand twice in a wording only so
			}
		}
		if r.intent == remember && questions(clause, bare, found["text"]) {
			return recall, slots{"topic": found["text"]}
		}
		if fits(r.intent, found) {
			return r.intent, found
		}
	}
	return unknown, slots{}
}

var (
	// asksAtEnd is how a question ends.
	asksAtEnd = lazily(`(?:[?？]|吗|么|呢)\s*$`)
	// vague leaves what to say to whoever is to say it.
	vague = lazily(`(?i)^(?:(?:some|any|no)thing|it|that|this|so|if|whether)\b|^(?:点|些|几句|出来|明白|明一下)`)
)

// questions: a statement that was found is a question, and those are answered
// and not kept. One that is told to be remembered is so only with both, an end
// and a word that ask: "could you remember that ...?" is no question, and
// "remember who deploys: Ann" is none either.
func questions(clause, bare, statement string) bool {
	ends := asksAtEnd().MatchString(clause)
	wonders := text.Wonders(statement)
	if statement == bare {
		return ends || wonders
	}
	return ends && wonders
}

// fits is what a wording cannot say by itself.
func fits(i intent, s slots) bool {
	switch i {
	case compute:
		_, err := calculate(s["sum"])
		return err == nil && !dateLike().MatchString(s["sum"])
	case readFile, write, extend:
		return s["name"] == "" || isFile(s["name"])
	case fetch:
		return !isFile(s["url"])
	case say: // "say what you know" wants to know it
		return !text.Wonders(s["text"]) && !vague().MatchString(s["text"])
	}
	return true
}

// clean takes blanks off a slot, and quotes if they stand around all of it.
func clean(s string) string {
	s = strings.Trim(strings.TrimSpace(s), " \t,，:：")
	for _, q := range []string{"\"\"", "``", "''", "“”", "「」", "『』"} {
		open, size := utf8.DecodeRuneInString(q)
		shut := q[size:]
		if inner, ok := strings.CutPrefix(s, string(open)); ok && strings.HasSuffix(inner, shut) && !strings.Contains(strings.TrimSuffix(inner, shut), shut) {
			return strings.TrimSpace(strings.TrimSuffix(inner, shut))
		}
	}
	return s
}

// dateLike looks like a subtraction and is none.
var dateLike = lazily(`^\d+-\d+-\d+$`)

var fileName = lazily(`(?i)^[^\s/\\:*?<>|]{1,80}\.(?:md|txt|csv|tsv|json|ya?ml|toml|ini|log|html?|xml|py|go|js|ts|sh|sql|rst|tex|pdf|docx?|xlsx?|conf|cfg)$`)

// isFile tells the name of a file from the address of a page, both of which
// are words with a dot.
func isFile(s string) bool { return fileName().MatchString(s) }

// keeps: the clause hands over a text that must not be cut.
func keeps(clause string) bool {
	i, s := understand(clause, languageOf(clause))
	return i == remember || i == forget || i == schedule || (i == write || i == extend) && s["text"] != "" && !refersBack(s["text"])
}

// backward are the words for what came before.
var backward = lazily(`(?i)^(?:it|that|this|them|these|those|everything|all of (?:it|that)|(?:the |its |that |your )?(?:result|results|page|text|content|contents|answer|reply|output|summary|title|links?|list)(?: of (?:it|that|the page))?|它|它们|这个|这些|那个|结果|内容|网页|页面|答案|回答|标题|链接|(?:上面|以上|刚才|上一步)的?(?:内容|结果|回答)?|这个(?:结果|页面|网页|内容))$`)

// pointsBack: what a step is to write is what came before. An empty quotation is
// a text that is given.
func pointsBack(s slots) bool {
	text, given := s["text"]
	return refersBack(text) && (text != "" || !given)
}

// refersBack: the text is not given but is what came before.
func refersBack(text string) bool { return text == "" || backward().MatchString(text) }
