package when

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// rule reads one part of a phrase.
type rule struct {
	pattern func() *regexp.Regexp
	unless  func() *regexp.Regexp // of what follows
	after   string                // the kind that the part before must have
	strict  bool                  // only where all of a phrase is a schedule
	kind    string                // of the part; that of fillers is empty
	take    func(d *draft, m groups)
}

// groups are the named parts of a match.
type groups struct {
	pattern *regexp.Regexp
	texts   []string
}

// text is the group's text, empty where it did not take part.
func (g groups) text(name string) string {
	if i := g.pattern.SubexpIndex(name); i >= 0 {
		return g.texts[i]
	}
	return ""
}

// words stand in patterns in braces.
var words = strings.NewReplacer(
	"{num}", englishNumeral,
	"{hr}", `(?:\d{1,2}|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`,
	"{oclock}", `(?:\d{1,2}|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midday|midnight)`,
	"{ord}", `(?:\d{1,3}(?:st|nd|rd|th)|(?:twenty|thirty)[- ](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)`,
	"{wd}", `(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:s|nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)`,
	"{mon}", `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`,
	"{unit}", englishUnit,
	"{len}", `(?:\d{1,4}h ?\d{1,4}(?:m|mins?)?|`+englishAmount+englishUnit+`(?: and a half)?(?:(?:,| and|, and)? ?`+englishAmount+englishUnit+`)*)`,
	"{half}", `(?:a\.m\.?|p\.m\.?|am|pm)`,
	"{c}", `(?:\d{1,2}(?::\d\d)?(?: ?(?:a\.m\.?|p\.m\.?|am|pm))?|noon|midday|midnight)`,
	"{n}", chineseNumeral,
	"{周}", `(?:周|星期|礼拜)`,
	"{量}", chineseUnit,
	"{长}", `(?:`+chineseAmount+chineseUnit+`(?:[零又]?`+chineseAmount+chineseUnit+`)*半?)`,
	"{段}", `(?:凌晨|清晨|清早|大清早|一大早|一早|早晨|早上|上午|早|中午|正午|下午|午后|傍晚|晚上|晚间|夜里|夜间|夜晚|深夜|半夜|午夜|晚|夜)`,
)

const (
	englishNumeral = `(?:\d{1,7}|(?:twenty|thirty|forty|fifty)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|sixty|ninety)`
	englishUnit    = `(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|wks?|fortnights?|months?|years?|yrs?|[smhdw])\b`
	englishAmount  = `(?:(?:\d{1,9}\.\d{1,3}|-?\d{1,9})[ -]?|(?:` + englishNumeral + ` and a half|` + englishNumeral + `|half an?|three quarters of an|(?:a )?quarter of an|an?|(?:a )?couple(?: of)?)[ -])`
	chineseNumeral = `(?:\d{1,7}|[零〇一二两三四五六七八九十百廿卅]{1,7})`
	chineseUnit    = `(?:秒钟?|分钟|分|刻钟|小时|钟头|天|日|周|星期|礼拜|月|季度|年)`
	chineseAmount  = `(?:(?:\d{1,7}\.\d|` + chineseNumeral + `)个?半?|半个?)`
)

// read makes a rule. A pattern begins where the last part ended.
func read(pattern, kind string, take func(d *draft, m groups)) rule {
	return rule{pattern: expression(pattern), kind: kind, take: take}
}

// expression compiles when it is asked first: every start reads a schedule from
// the configuration, and needs the rules of one language for that.
func expression(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + words.Replace(pattern) + `)`) })
}

// english makes a rule that ends where a word does.
func english(pattern, kind string, take func(d *draft, m groups)) rule {
	return read(`(?:`+pattern+`)(?:\b|$)`, kind, take)
}

// but keeps a rule from applying before something.
func (r rule) but(pattern string) rule {
	r.unless = expression(pattern)
	return r
}

// following keeps a rule to where a part of that kind came right before.
func (r rule) following(kind string) rule {
	r.after = kind
	return r
}

// filler are words that say nothing about the time.
func filler(*draft, groups) {}

// flag makes a rule's action of what needs no groups.
func flag(note func(d *draft)) func(*draft, groups) {
	return func(d *draft, _ groups) { note(d) }
}

func itoa(n int) string { return strconv.Itoa(n) }
