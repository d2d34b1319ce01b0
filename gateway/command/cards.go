package command

import (
	"context"
	"fmt"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/gateway/wording"
	"talaria/storage"
)

// What the buttons of a card do.
const (
	cardEdit   = "card.edit"
	cardDelete = "card.delete"
)

// CardEntry shows a card of memory on its person's page, with the buttons to
// change it.
func CardEntry(ctx context.Context, c memory.Card) chat.Post {
	id := shortID(c.ID)
	return chat.Post{
		Markdown: fmt.Sprintf("%s%s\n`/memory edit %s TEXT`", plain(c.Text), mark(ctx, c.State), id),
		Buttons:  []chat.Button{{Label: wording.Text(ctx, "Edit"), Action: cardEdit, Token: id}, {Label: wording.Text(ctx, "Forget"), Action: cardDelete, Token: id, Style: "danger"}},
	}
}

// ForCards are what the buttons of cards do: the same as the commands of ForMemory.
func ForCards(s *storage.Store, deleted func(context.Context, person.Principal, memory.Card) error) []Action {
	r := recollection{store: s, deleted: deleted}
	return []Action{
		{Name: cardEdit, Role: person.Guest, Form: r.cardForm, Run: r.pressed("edit")},
		{Name: cardDelete, Role: person.Guest, Run: r.pressed("delete")},
	}
}

// cardForm offers a card's text to be changed.
func (r recollection) cardForm(ctx context.Context, p Press) (*chat.FormSpec, error) {
	card, err := findCard(ctx, memory.For(r.store, p.Who), p.Token)
	if err != nil {
		return nil, nil // the press is answered instead
	}
	return &chat.FormSpec{Title: wording.Text(ctx, "What I remember"), Action: cardEdit, Token: p.Token, Fields: []chat.Field{
		{Name: "text", Label: wording.Text(ctx, "Text"), Value: card.Text, Lines: 4, Required: true},
	}}, nil
}

// pressed carries out a verb of /memory for the card of a button.
func (r recollection) pressed(verb string) func(context.Context, Press) (Reaction, error) {
	return func(ctx context.Context, p Press) (Reaction, error) {
		rest := p.Token
		if p.Values["text"] != "" {
			rest += " " + p.Values["text"]
		}
		post, err := r.carryOut(ctx, Call{Who: p.Who, Event: p.Event, Session: p.Session}, memory.For(r.store, p.Who), verb, rest)
		if known := memoryRefusal(ctx, err); known != "" {
			return Reaction{Say: wording.Say(ctx, "%s", known), Aside: true}, nil
		}
		return Reaction{Say: post}, err
	}
}
