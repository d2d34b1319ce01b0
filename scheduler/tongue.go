package scheduler

import (
	"context"
	"fmt"

	"talaria/scheduler/when"
)

// Tongue is a language that people are told things in. What the program says
// stands here in English; the languages have their texts elsewhere.
type Tongue interface {
	// Code is the language as package when names it.
	Code() string
	// Text is an English format of package fmt in the language, with what goes
	// into it.
	Text(english string, args ...any) string
	// Of is a whole text in the language; one that it does not know stays.
	Of(text string) string
}

// English says everything as it stands.
var English Tongue = english{}

type english struct{}

func (english) Code() string { return when.English }

func (english) Text(format string, args ...any) string { return fmt.Sprintf(format, args...) }

func (english) Of(text string) string { return text }

// in is the language of a context.
func (s *Scheduler) in(ctx context.Context) Tongue {
	if s.cfg.In == nil {
		return English
	}
	return s.cfg.In(ctx)
}

// toOwner is a context in which a job's owner is told something unasked.
func (s *Scheduler) toOwner(ctx context.Context, j *Job) context.Context {
	if s.cfg.For == nil {
		return ctx
	}
	return s.cfg.For(ctx, j.Owner.Person)
}
