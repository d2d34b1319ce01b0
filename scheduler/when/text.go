package when

import (
	"strings"
	"unicode"
)

// The languages that schedules are said in.
const (
	English = "en"
	Chinese = "zh"
)

// Language tells which of them a phrase is in.
func Language(phrase string) string {
	if strings.ContainsFunc(phrase, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return Chinese
	}
	return English
}

// Text says the schedule in words, in English or Chinese.
func (s Schedule) Text(lang string) string {
	if !s.At.IsZero() {
		return s.At.Format("2006-01-02 15:04")
	}
	return strings.Join(s.Cron, "; ")
}
