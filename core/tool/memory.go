package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/memory"
)

//go:embed memory.md
var memoryDescription string

// Memory is what a turn may change of what is kept; *memory.Handle, bound to
// the turn's principal and place, is one. It decides itself what of a statement
// is in force and what waits for the person. Doing the same again is harmless.
type Memory interface {
	Add(ctx context.Context, k memory.Kind, statement string, src memory.Source) (memory.Added, error)
	Replace(ctx context.Context, old, statement string, src memory.Source) (memory.Added, error)
	Remove(ctx context.Context, text string, src memory.Source) (memory.Card, error)
}

// remember changes the memory.
type remember struct {
	memory  Memory
	message string
}

func (t *remember) Spec() agent.Spec {
	return agent.Spec{
		Name: memoryTool, Description: memoryDescription, Effect: agent.Idempotent, Permission: "memory", Timeout: 10 * time.Second,
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
		args.Kind = string(memory.Work)
	}
	src := memory.Source{Origin: chat.Worst(chat.Member, in.Context), Spoken: in.Spoken, Message: t.message}
	var done memory.Added
	switch {
	case args.Action != "remove" && strings.TrimSpace(args.Text) == "":
		err = errors.New(`"text" is needed to add or replace`)
	case args.Action != "add" && strings.TrimSpace(args.Old) == "":
		err = errors.New(`"old" is needed to replace or remove`)
	case args.Action == "add":
		done, err = t.memory.Add(ctx, memory.Kind(args.Kind), args.Text, src)
	case args.Action == "replace":
		done, err = t.memory.Replace(ctx, args.Old, args.Text, src)
	case args.Action == "remove":
		_, err = t.memory.Remove(ctx, args.Old, src)
	default:
		err = fmt.Errorf("there is no action %q", args.Action)
	}
	if err != nil {
		return agent.Result{}, err
	}
	return agent.Result{Text: became(args.Action, done), Origin: chat.Self}, nil
}

// became tells the model what came of its wish.
func became(action string, done memory.Added) string {
	switch {
	case action == "remove":
		return "Removed."
	case done.Card.State == memory.Quarantined:
		return "Noted, but not in force: the person has not said this themselves. It waits until they confirm it, so do not call it remembered."
	case done.Known:
		return "This was known already."
	}
	return "Kept."
}
