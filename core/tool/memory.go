package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"talaria/core/agent"
	"talaria/core/chat"
)

//go:embed memory.md
var memoryDescription string

// Memory is what one person's turn may change of what is kept for them. The
// handle is bound to the turn's principal and place. Each method returns what
// became of it, in words for the model. With an origin worse than Member,
// nothing may come into force before the person has confirmed it. Doing the
// same again changes nothing.
type Memory interface {
	Add(ctx context.Context, text, kind string, origin chat.Origin) (string, error)
	Replace(ctx context.Context, old, text string, origin chat.Origin) (string, error)
	Remove(ctx context.Context, old string, origin chat.Origin) (string, error)
}

// remember changes the memory.
type remember struct{ memory Memory }

func (t *remember) Spec() agent.Spec {
	return agent.Spec{
		Name: "memory", Description: memoryDescription, Effect: agent.Idempotent, Permission: "memory", Timeout: 10 * time.Second,
		Schema: json.RawMessage(`{"type":"object","required":["action"],"properties":{
			"action":{"type":"string","enum":["add","replace","remove"]},
			"text":{"type":"string","description":"one statement, for add and replace"},
			"old":{"type":"string","description":"the statement as it is kept, or a part of it that no other has; for replace and remove"},
			"kind":{"type":"string","enum":["work","profile"],"description":"for add: profile is about the person, work is everything else"}}}`),
	}
}

func (t *remember) Call(ctx context.Context, in agent.Invocation) (agent.Result, error) {
	args, err := decode[struct{ Action, Text, Old, Kind string }](in)
	if err != nil {
		return agent.Result{}, err
	}
	if args.Kind == "" {
		args.Kind = "work"
	}
	said := ""
	switch {
	case args.Action != "remove" && strings.TrimSpace(args.Text) == "":
		err = errors.New(`"text" is needed to add or replace`)
	case args.Action != "add" && strings.TrimSpace(args.Old) == "":
		err = errors.New(`"old" is needed to replace or remove`)
	case args.Kind != "work" && args.Kind != "profile":
		err = errors.New(`"kind" is either work or profile`)
	case args.Action == "add":
		said, err = t.memory.Add(ctx, args.Text, args.Kind, origin(in, args.Text))
	case args.Action == "replace":
		said, err = t.memory.Replace(ctx, args.Old, args.Text, origin(in, args.Text))
	case args.Action == "remove":
		said, err = t.memory.Remove(ctx, args.Old, origin(in, args.Old))
	default:
		err = fmt.Errorf("there is no action %q", args.Action)
	}
	return agent.Result{Text: said, Origin: chat.Self}, err
}

// origin is that of a text which the model wants kept: the author's if they
// said it themselves in this turn, else the worst that the model has seen.
func origin(in agent.Invocation, text string) chat.Origin {
	if contained(text, in.Spoken) {
		return chat.Member
	}
	return chat.Worst(chat.Member, in.Context)
}

// contained reports whether a text stands in another, word for word, whatever
// the case, spacing and punctuation.
func contained(text, in string) bool {
	text, in = bare(text), bare(in)
	if text == "" {
		return false
	}
	for from := 0; ; {
		n := strings.Index(in[from:], text)
		if n < 0 {
			return false
		}
		at := from + n
		before, _ := utf8.DecodeLastRuneInString(in[:at])
		after, _ := utf8.DecodeRuneInString(in[at+len(text):])
		if parts(before) && parts(after) {
			return true
		}
		_, size := utf8.DecodeRuneInString(in[at:])
		from = at + size
	}
}

// parts reports whether a word may end beside this character: at a blank, at
// the text's border, and in scripts that put no blanks between words.
func parts(c rune) bool {
	return c == ' ' || c == utf8.RuneError || unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// bare keeps the words of a text, in lower case and one blank apart.
func bare(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c)
	})
	return strings.Join(words, " ")
}
