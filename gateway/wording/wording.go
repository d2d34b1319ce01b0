package wording

import (
	"context"
	"fmt"
	"strings"

	"talaria/core/chat"
	"talaria/scheduler/when"
)

// Language is one that texts are said in. Its values are those of package when, which says schedules.
type Language string

// The languages.
const (
	English Language = when.English
	Chinese Language = when.Chinese
)

// Code is the language as package when names it.
func (l Language) Code() string { return string(l) }

// Text is an English format of package fmt in the language, with what goes into
// it.
func (l Language) Text(english string, args ...any) string {
	if chinese, ok := catalogue[english]; ok && l == Chinese {
		return fmt.Sprintf(chinese, args...)
	}
	return fmt.Sprintf(english, args...)
}

// Say is Text as a message.
func (l Language) Say(english string, args ...any) chat.Post {
	return chat.Post{Markdown: l.Text(english, args...)}
}

// Of is a whole text in the language that may be one of ours, such as that of
// an error; one that is not stays as it is.
func (l Language) Of(text string) string {
	if chinese, ok := catalogue[text]; ok && l == Chinese {
		return chinese
	}
	return text
}

// Reason is why something was refused: an error in English, else the one that it
// is known by, with what the error adds.
func (l Language) Reason(err, known error) string {
	if l == English {
		return err.Error()
	}
	text := l.Of(known.Error())
	if _, more, ok := strings.Cut(err.Error(), known.Error()+": "); ok {
		text += "：" + more
	}
	return text
}

type spoken struct{} // key of a context

// With has what is said under a context said in a language.
func With(ctx context.Context, l Language) context.Context {
	return context.WithValue(ctx, spoken{}, l)
}

// In is the language of a context, English where it has none.
func In(ctx context.Context) Language {
	if l, ok := ctx.Value(spoken{}).(Language); ok {
		return l
	}
	return English
}

// Text is a format in the context's language, with what goes into it.
func Text(ctx context.Context, english string, args ...any) string {
	return In(ctx).Text(english, args...)
}

// Say is Text as a message.
func Say(ctx context.Context, english string, args ...any) chat.Post {
	return In(ctx).Say(english, args...)
}
