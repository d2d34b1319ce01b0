package when

import (
	"regexp"
	"slices"
	"strings"

	"talaria/core/text"
)

// vocabulary are the words whose slips are corrected. Short ones are left out:
// too much is near to them.
var vocabulary = strings.Fields(`every each monday tuesday wednesday thursday friday saturday sunday
	mondays tuesdays wednesdays thursdays fridays saturdays sundays weekday weekdays weekend weekends
	january february march april june july august september october november december
	second seconds minute minutes hour hours week weeks month months quarter year years daily weekly monthly yearly hourly
	today tomorrow tonight morning afternoon evening night midnight noon first third last next between working business
	other half past until from through after remind`)

var word = regexp.MustCompile(`[a-z]+`)

// correct puts the word that was meant in place of each slip of a letter, where
// no rule has read what stands there. It is not ok where there is none, and not
// sure where two letters stand in a word that do not belong to it: that may as
// well be another word.
func correct(f folded) (_ folded, sure, ok bool) {
	sure = true
	read := scan(f.text, true)
	found := word.FindAllStringIndex(f.text, -1)
	for _, at := range slices.Backward(found) {
		if slices.ContainsFunc(read, func(p piece) bool { return p.from <= at[0] && at[1] <= p.to }) {
			continue
		}
		said := f.text[at[0]:at[1]]
		if meant := meantBy(said); meant != "" {
			sure = sure && foreign(said, meant) < 2
			f, ok = f.replace(at[0], at[1], meant), true
		}
	}
	return f, sure, ok
}

// foreign counts the letters of a word that another one does not have as often.
func foreign(said, meant string) int {
	n := 0
	for _, r := range said {
		if at := strings.IndexRune(meant, r); at >= 0 {
			meant = meant[:at] + meant[at+1:]
			continue
		}
		n++
	}
	return n
}

// meantBy is the one known word that a slip away, empty if there is none or it
// is known itself.
func meantBy(said string) string {
	if len(said) < 4 || len(said) > 12 || slices.Contains(vocabulary, said) {
		return ""
	}
	best, least, tie := "", 3, false
	for _, known := range vocabulary {
		if !slipped(said, known) {
			continue
		}
		switch d := text.Slips(said, known); {
		case d < least:
			best, least, tie = known, d, false
		case d == least:
			tie = true
		}
	}
	if tie {
		return ""
	}
	return best
}

// slipped tells words that differ by one letter more, less or other, or by two
// that changed places; in long words, also by two letters.
func slipped(a, b string) bool {
	allowed := 1
	if len(b) >= 8 {
		allowed = 2
	}
	if len(a)-len(b) > allowed || len(b)-len(a) > allowed || len(b) < 4 {
		return false
	}
	return text.Slips(a, b) <= allowed && (len(b) > 5 || a[0] == b[0])
}
