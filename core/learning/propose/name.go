package propose

import (
	"regexp"
	"slices"
	"strings"

	"talaria/core/skill/manifest"
	"talaria/core/text"
)

// className makes of a name one that fits the next task of the kind too: what
// fits only today's (dates, numbers of tickets, ids, people, words such as
// "final") is left out. It is empty where nothing else remains.
func className(c Case, name string) string {
	slug, _ := manifest.Slug(name)
	slug = dates.ReplaceAllString("-"+slug+"-", "-")
	slug = tickets.ReplaceAllString(slug, "-")
	people := named(c)
	var kept []string
	for w := range strings.FieldsFuncSeq(slug, func(r rune) bool { return r == '-' }) {
		if !oneOff(w) && !people[w] {
			kept = append(kept, w)
		}
	}
	for len(kept) > 0 && joining[kept[len(kept)-1]] {
		kept = kept[:len(kept)-1]
	}
	for len(kept) > 0 && joining[kept[0]] {
		kept = kept[1:]
	}
	if !slices.ContainsFunc(kept, telling) {
		return ""
	}
	return strings.Join(kept, "-")
}

const months = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`

var (
	// dates are days, months and years between the hyphens of a name.
	dates = regexp.MustCompile(`-(?:(?:19|20)\d\d(?:-\d{1,2}){1,2}|\d{1,2}-\d{1,2}-(?:19|20)?\d\d|` + months + `-(?:\d{1,2}(?:st|nd|rd|th)?|(?:19|20)\d\d)|\d{1,2}(?:st|nd|rd|th)?-` + months + `|q[1-4]|(?:fy|kw|week|cw)-?\d{1,4}|(?:19|20)\d\d)(?:-|$)`)
	// tickets are numbers that something in particular has.
	tickets = regexp.MustCompile(`-(?:bug|issue|ticket|pr|mr|pull-request|merge-request|case|task|order|invoice|jira|story|incident|commit|sha|build|run|job|version|release|rev|v)-?\d[\da-z]*(?:-\d+)*(?:-|$)`)
	// ids are runs that no word is: with several digits, or of hexadecimal.
	ids = regexp.MustCompile(`^(?:\d{2,}|[a-z]*\d[a-z]*\d[a-z\d]*|[a-z]{2,}\d{2,}|[0-9a-f]{7,}|v\d+)$`)
	// standards are words that look like ids and are known to everybody.
	standards = regexp.MustCompile(`^(?:utf\d+|iso\d+|sha\d+|md5|base\d+|rfc\d+|mp[34]|h26[45]|a4|k8s|s3|ec2|i18n|l10n|a11y|oauth2|http2|x509|web3|[234]d|c99|es\d+|py3|log4j|e2e|b2b|p2p)$`)
)

// oneOff reports whether a word of a name is about one occasion.
func oneOff(w string) bool {
	if standards.MatchString(w) {
		return false
	}
	return occasions[w] || ids.MatchString(w) && strings.ContainsAny(w, "0123456789")
}

// telling reports whether a word says what a skill is about.
func telling(w string) bool { return len(w) > 2 && !joining[w] && !empty[w] }

// occasions are words about one occasion, joining those that hold others
// together, empty those that say nothing alone.
var (
	occasions = words("today yesterday tomorrow tonight now this that these those session conversation chat thread attempt again " +
		"final latest newest temp tmp wip draft copy untitled misc adhoc oneoff one-off foo bar baz monday tuesday wednesday thursday friday saturday sunday my our your")
	joining = words("a an the of for to in on at by with and or from into as via per using")
	empty   = words("skill skills task tasks work stuff thing things do how fix fixes fixing debug debugging bug issue error problem new old test tests " +
		"help helper make get run use user request general generic various other note notes script file files update change learned rule procedure")
)

func words(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// addressed are people by the way in which they are named.
var addressed = regexp.MustCompile(`(?:\b(?:[Mm]rs?|[Mm]s|[Dd]r|[Pp]rof|[Hh]err|[Ff]rau)\.? (\p{Lu}\p{L}+)|@([\p{L}\d_.-]+)|\b(\p{Lu}\p{L}+)['’]s\b)`)

// named are the people of a task, by the words of their names.
func named(c Case) map[string]bool {
	names := strings.Fields(c.Who.Name)
	for _, m := range addressed.FindAllStringSubmatch(c.Task.Request, -1) {
		names = append(names, m[1:]...)
	}
	out := map[string]bool{}
	for _, n := range names {
		for _, w := range text.Terms(n) {
			if len(w) > 1 {
				out[w] = true
			}
		}
	}
	return out
}
