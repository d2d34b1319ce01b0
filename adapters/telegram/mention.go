package telegram

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"talaria/adapters/markdown"
)

var (
	// names are what Telegram makes mentions of by itself, which notify.
	names = regexp.MustCompile(`@[A-Za-z0-9_]{2,}`)
	// links are addresses as far as their path, where an @ is a character.
	links = regexp.MustCompile(`^\W*https?://[^\s/@]+\.[A-Za-z]{2,}/`)
)

// fullAt looks like an @ and names nobody. It is as long in UTF-16, so that
// entities stay where they are and no part grows beyond the limit.
const fullAt = "＠"

// maxEntities is how many entities of a message count; later ones are dropped
// without a word.
const maxEntities = 100

// hush keeps the names in a text from notifying anybody: there is no switch for
// that in the Bot API. They are made code, which can hold no mention
// (core.telegram.org/bots/api#formatting-options) and from which they are copied
// as they are. In code, links and addresses they are no mentions anyway. Names
// beyond what entities there may be get another @.
func hush(text string, entities []markdown.Entity) (string, []markdown.Entity) {
	var b strings.Builder
	done, units := 0, 0
	for _, at := range names.FindAllStringIndex(text, -1) {
		units += len(utf16.Encode([]rune(text[done:at[0]])))
		b.WriteString(text[done:at[0]])
		done = at[0]
		if !mentions(text[:at[0]]) || quiet(units, entities) {
			continue
		}
		if with := asCode(units, at[1]-at[0], entities); len(with) <= maxEntities {
			entities = with
			continue
		}
		b.WriteString(fullAt)
		done, units = at[0]+1, units+1
	}
	b.WriteString(text[done:])
	return b.String(), entities
}

// mentions reports whether a name is read as a mention after what stands before
// it: not within a word, nor within an address.
func mentions(before string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	token := before[strings.LastIndexFunc(before, unicode.IsSpace)+1:]
	return last != '_' && !unicode.IsLetter(last) && !unicode.IsDigit(last) && !links.MatchString(token)
}

// quiet reports whether an offset in UTF-16 lies where nothing is made a
// mention.
func quiet(offset int, entities []markdown.Entity) bool {
	return slices.ContainsFunc(entities, func(e markdown.Entity) bool {
		return (e.Type == "code" || e.Type == "pre" || e.Type == "text_link") && offset >= e.Offset && offset < e.Offset+e.Length
	})
}

// asCode makes a range of a text code. A style around it is left before and
// after it, since code can't be part of one; a quote holds it.
func asCode(offset, length int, entities []markdown.Entity) []markdown.Entity {
	end := offset + length
	made := []markdown.Entity{{Type: "code", Offset: offset, Length: length}}
	for _, e := range entities {
		from, to := e.Offset, e.Offset+e.Length
		if e.Type == "blockquote" || to <= offset || from >= end {
			made = append(made, e)
			continue
		}
		if before := e; from < offset {
			before.Length = offset - from
			made = append(made, before)
		}
		if after := e; to > end {
			after.Offset, after.Length = end, to-end
			made = append(made, after)
		}
	}
	slices.SortStableFunc(made, func(a, b markdown.Entity) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Length, a.Length))
	})
	return made
}
