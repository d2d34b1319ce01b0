package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/storage"
)

// recollection are the commands about what is remembered and was said.
type recollection struct {
	store    *storage.Store
	searcher *memory.Searcher
}

// ForMemory are the commands about memory and earlier conversations.
func ForMemory(s *storage.Store, searcher *memory.Searcher) []Command {
	r := recollection{s, searcher}
	return []Command{
		{Name: "memory", Args: "[WORDS | add TEXT | delete ID | confirm ID | undo]", Summary: "what I remember here: see, change, take back", Now: true, Role: person.Guest, Run: r.memory},
		{Name: "search", Args: "WORDS", Summary: "find what was said before, where you can read", Now: true, Role: person.Guest, Run: r.search},
	}
}

func (r recollection) memory(ctx context.Context, c Call) (chat.Post, error) {
	h := memory.For(r.store, c.Who)
	verb, rest, _ := strings.Cut(c.Args, " ")
	rest = strings.TrimSpace(rest)
	var err error
	var done string
	switch {
	case rest == "" && (verb == "add" || verb == "delete" || verb == "confirm"):
		return say("Usage: `/memory add TEXT`, `/memory delete ID`, `/memory confirm ID`. `/memory` shows the ids."), nil
	case verb == "add" && rest != "":
		_, err = h.Add(ctx, memory.Work, rest, memory.Source{Origin: chat.Member, Spoken: rest, Message: c.Event.Message})
		done = "Noted. `/memory undo` takes it back."
	case verb == "delete" && rest != "":
		done, err = r.adjust(ctx, h, rest, "deleted", memory.Archived)
	case verb == "confirm" && rest != "":
		done, err = r.adjust(ctx, h, rest, "confirmed", memory.Active)
	case verb == "undo" && rest == "":
		done, err = r.undo(ctx, h)
	default:
		return r.list(ctx, h, c.Args)
	}
	if known := memoryRefusal(err); known != "" {
		return say("%s", known), nil
	}
	return chat.Post{Markdown: done}, err
}

// list shows the cards that are used or wait for a yes.
func (r recollection) list(ctx context.Context, h *memory.Handle, words string) (chat.Post, error) {
	cards, err := h.List(ctx)
	if words != "" && err == nil {
		cards, err = h.Search(ctx, words)
	}
	if err != nil {
		return chat.Post{}, err
	}
	var b strings.Builder
	for _, card := range cards {
		if card.State == memory.Archived {
			continue
		}
		fmt.Fprintf(&b, "- `%s` %s%s\n", shortID(card.ID), plain(card.Text), mark(card.State))
	}
	switch {
	case b.Len() > 0:
		return say("What I remember here:\n\n%s\n`/memory delete ID` forgets one, `/memory undo` takes the last change back.", b.String()), nil
	case words != "":
		return say("I remember nothing about that here."), nil
	}
	return say("I remember nothing here yet. Tell me \"remember that ...\", or use `/memory add TEXT`."), nil
}

func mark(s memory.State) string {
	switch s {
	case memory.Emerging:
		return " *(not certain yet)*"
	case memory.Quarantined:
		return " *(from outside; not used until you send `/memory confirm ID`)*"
	}
	return ""
}

const idShown = 6

func shortID(id string) string { return id[:min(idShown, len(id))] }

// plain keeps a card's text from being read as markup of ours.
func plain(s string) string {
	return strings.NewReplacer("`", "'", "\n", " ").Replace(s)
}

var errNoCard = errors.New("no card has that id")

func (r recollection) adjust(ctx context.Context, h *memory.Handle, id, what string, to memory.State) (string, error) {
	cards, err := h.List(ctx)
	if err != nil {
		return "", err
	}
	for _, card := range cards {
		if len(id) < 4 || !strings.HasPrefix(card.ID, id) || card.State == memory.Archived {
			continue
		}
		if _, err := h.Adjust(ctx, card.ID, what, to, card.Confidence); err != nil {
			return "", err
		}
		return fmt.Sprintf("%s: %s\n\n`/memory undo` takes it back.", strings.ToUpper(what[:1])+what[1:], plain(card.Text)), nil
	}
	return "", errNoCard
}

func (r recollection) undo(ctx context.Context, h *memory.Handle) (string, error) {
	changes, err := h.Changes(ctx)
	if err != nil {
		return "", err
	}
	if len(changes) == 0 {
		return "There is nothing to take back.", nil
	}
	last := changes[len(changes)-1]
	if err := h.Undo(ctx, last.Number); err != nil {
		return "", err
	}
	return "Taken back: " + last.What + ". The same command again puts it back.", nil
}

// memoryRefusal is what is to be said of an error that is an answer.
func memoryRefusal(err error) string {
	for _, known := range []error{
		memory.ErrSecret, memory.ErrInvalid, memory.ErrFull, memory.ErrAmbiguous, memory.ErrNotFound,
		memory.ErrNotSaid, memory.ErrForbidden, memory.ErrChanged, errNoCard,
	} {
		if errors.Is(err, known) {
			return "That did not work: " + known.Error() + "."
		}
	}
	return ""
}

func (r recollection) search(ctx context.Context, c Call) (chat.Post, error) {
	if c.Args == "" {
		return say("Usage: `/search WORDS`."), nil
	}
	const most = 8
	hits, err := r.searcher.Search(ctx, c.Who, c.Args, most)
	if err != nil {
		return chat.Post{}, err
	}
	// A turn may be found for what stands around it; here only words count.
	hits = slices.DeleteFunc(hits, func(h memory.Hit) bool { return len(h.Snippet.Marks) == 0 })
	if len(hits) == 0 {
		return say("Nothing was found where you can read."), nil
	}
	var b strings.Builder
	for n, h := range hits {
		name := h.Name
		switch h.Who {
		case "":
			name = "I"
		case c.Who.Person:
			name = "you"
		}
		fmt.Fprintf(&b, "%s. %s, **%s**: %s\n", strconv.Itoa(n+1), h.At.UTC().Format("2 Jan 2006 15:04"), plain(name), plain(h.Snippet.Text))
	}
	return chat.Post{Markdown: b.String()}, nil
}
