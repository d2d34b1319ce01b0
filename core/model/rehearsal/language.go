package rehearsal

import (
	"fmt"
	"unicode"
)

// language is one that rehearsal speaks.
type language int

const (
	english language = iota
	chinese
)

// languageOf is the language of a text: Chinese if a good part of its letters
// is Han, for names and addresses in Latin letters stand in many a Chinese
// sentence.
func languageOf(text string) language {
	han, other := 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.IsLetter(r):
			other++
		}
	}
	if han > 0 && 5*han >= other {
		return chinese
	}
	return english
}

// words is one saying in each language, a format for fmt.
type words struct{ en, zh string }

func (w words) in(l language, args ...any) string {
	form := w.en
	if l == chinese {
		form = w.zh
	}
	if len(args) == 0 {
		return form
	}
	return fmt.Sprintf(form, args...)
}
