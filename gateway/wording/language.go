package wording

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// For is a context in which somebody is answered in their language. The language
// is kept where it is news, for what they are told unasked. The context is of use
// also with an error: then the language is the one that the event alone tells.
func For(ctx context.Context, s *storage.Store, who person.Principal, e chat.Event) (context.Context, error) {
	told, err := person.ReadSettings(ctx, s, who)
	l := decided(told, written(e), e.Author.Language)
	if err == nil && who.Person != "" && l != decided(told, "", "") {
		err = note(ctx, s, who, l)
	}
	return With(ctx, l), err
}

// ForStranger is For somebody of whom nothing is kept.
func ForStranger(ctx context.Context, e chat.Event) context.Context {
	return With(ctx, decided(person.Settings{}, written(e), e.Author.Language))
}

// ForUnasked is For somebody who said nothing just now.
func ForUnasked(ctx context.Context, s *storage.Store, who person.ID) (context.Context, error) {
	return For(ctx, s, person.Principal{Person: who}, chat.Event{})
}

// note keeps somebody's language.
func note(ctx context.Context, s *storage.Store, who person.Principal, l Language) error {
	err := person.ChangeSettings(ctx, s, who, func(v *person.Settings) { v.Seen = string(l) })
	if err != nil {
		return fmt.Errorf("keep a person's language: %w", err)
	}
	return nil
}

// ForLocale is the language of a locale, in BCP 47.
func ForLocale(locale string) Language { return decided(person.Settings{}, "", locale) }

// decided is the language of somebody with these settings, who writes in one
// now, empty for unknown, and whose platform says another.
func decided(told person.Settings, now Language, platform string) Language {
	switch {
	case told.Language != "":
		return chineseIf(named(told.Language))
	case now != "":
		return now
	case told.Seen != "":
		return Language(told.Seen)
	}
	return chineseIf(strings.HasPrefix(strings.ToLower(platform), "zh"))
}

func chineseIf(is bool) Language {
	if is {
		return Chinese
	}
	return English
}

// Speaks reports whether the product's own texts are there in a language that
// somebody named; others are what the model answers in alone.
func Speaks(name string) bool {
	english := []string{"english", "en", "英语", "英文", "英語"}
	return named(name) || slices.Contains(english, strings.ToLower(strings.TrimSpace(name)))
}

// named reports whether people mean Chinese by a language's name.
func named(name string) bool {
	name = strings.ToLower(name)
	for _, n := range []string{"chinese", "mandarin", "中文", "汉语", "漢語", "普通话", "华语"} {
		if strings.Contains(name, n) {
			return true
		}
	}
	return strings.HasPrefix(name, "zh")
}

// LanguageOf is the language of a text in which somebody was answered: that of most
// of its letters.
func LanguageOf(text string) Language {
	han, latin := 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.Is(unicode.Latin, r):
			latin++
		}
	}
	const letters = 3 // of a word of Latin ones, to one of the others
	return chineseIf(han*letters > latin)
}

// written is the language of an event's own words, empty where they don't tell.
func written(e chat.Event) Language {
	words, typed := e.Text, e.Kind == chat.Message && !e.Forwarded && e.Origin <= chat.Member
	if e.Command != nil {
		words = e.Command.Args
	}
	han, kana, latin := 0, 0, 0
	for _, r := range words {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Latin, r):
			latin++
		}
	}
	const sentence = 12 // letters that are more than a name or a link's host
	switch {
	case e.Command == nil && !typed:
		return ""
	case han > 0 && kana == 0:
		return Chinese
	case typed && kana == 0 && (latin >= sentence || isEnglish(words)):
		return English
	}
	return ""
}

// isEnglish reports whether there is a word in it that English is full of and
// that nobody mixes into another language, as names and an "ok" are.
func isEnglish(words string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(words), notLetter), func(w string) bool {
		return slices.Contains(function, w)
	})
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }

var function = strings.Fields("a an the is are am was were be do does did have has can could will would should i i'm me my we our you your it its " +
	"it's this that these those what what's when where which who why how and or but if not no to of in on at for from with about by " +
	"please show list give tell make find")
