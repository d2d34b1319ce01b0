package discord

import (
	"context"
	"net/http"
	"time"
	"unicode/utf8"

	"talaria/core/chat"
	"talaria/core/text"

	"github.com/bwmarrin/discordgo"
)

// doorTime bounds a question to the door: what is left of Discord's three
// seconds is for the response.
const doorTime = time.Second

// UseDoor implements chat.Stateless.
func (a *Adapter) UseDoor(d chat.Door) { a.door = d }

// answer asks the door about a press or a half-typed option, and gives what it
// says as the first response. It reports false where that is nothing: then the
// interaction is acknowledged like any other.
func (in *intake) answer(ctx context.Context, i interaction) bool {
	if in.adapter.door == nil || i.Type != componentInteraction && i.Type != completionInteraction || i.Token.Or() == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin*time.Millisecond)
	defer cancel()
	first, ok := in.ask(ctx, i)
	if !ok {
		return false
	}
	err := in.adapter.client.call(ctx, request{
		op: "createInteractionResponse", method: http.MethodPost, scope: i.ID.String(),
		url: discordgo.EndpointInteractionResponse(i.ID.String(), i.Token.Or()), body: first,
	}, nil)
	if err != nil {
		in.log.Warn("interaction not answered", "platform", Platform, "err", err)
	}
	return err == nil
}

// ask is what the door says to an interaction, as a response.
func (in *intake) ask(ctx context.Context, i interaction) (first any, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, doorTime)
	defer cancel()
	s, err := in.adapter.prepare(ctx, in.self, i.Guild.String(), i.Channel.String(), false)
	if err != nil {
		return nil, false
	}
	item := s.fromInteraction(i)
	if item.Reason != "" {
		return nil, false
	}
	reply, err := in.adapter.door.Answer(ctx, dated(item.Event, in.adapter.timing.now()))
	switch {
	case err != nil:
		in.log.Warn("the door gave no answer", "platform", Platform, "err", err)
		return nil, false
	case item.Event.Kind == chat.Query:
		return response{completionReply, &responseData{Choices: newChoices(reply.Choices)}}, true
	case reply.Form == nil:
		return nil, false
	}
	form := newModal(*reply.Form)
	return formResponse{formsResponse, form}, form != nil
}

// newChoices are completions as Discord takes them: a value that is too long
// for it is left out, since half of one would be another.
func newChoices(all []chat.Choice) *[]optionChoice {
	made := []optionChoice{}
	for _, c := range all {
		if n := utf8.RuneCountInString(c.Value); n == 0 || n > maxChoice || len(made) == maxOptions {
			continue
		}
		label := c.Label
		if label == "" {
			label = c.Value
		}
		made = append(made, optionChoice{text.Clip(label, maxChoice), c.Value})
	}
	return &made
}
