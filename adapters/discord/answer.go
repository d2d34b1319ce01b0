package discord

import (
	"context"
	"net/http"
	"time"

	"talaria/core/chat"

	"github.com/bwmarrin/discordgo"
)

const (
	// tokenLife is how long an interaction's token can be used
	// (discord.com/developers/docs/interactions/receiving-and-responding#followup-messages).
	tokenLife = 15 * time.Minute
	// tokenMargin is kept away from its end.
	tokenMargin = 30 * time.Second
)

// The types of responses
// (discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object).
const (
	deferAnswer     = 5 // "is thinking…"
	deferUpdate     = 6 // nothing is shown
	completionReply = 8
)

// response is the first response to an interaction.
type response struct {
	Type int           `json:"type"`
	Data *responseData `json:"data,omitempty"`
}

type responseData struct {
	Flags   int             `json:"flags,omitempty"`
	Choices *[]optionChoice `json:"choices,omitempty"`
}

// deferral is the response that gives time. In a server a command's answer is
// for its author alone.
func (i interaction) deferral() response {
	switch {
	case i.Type == completionInteraction:
		return response{completionReply, &responseData{Choices: &[]optionChoice{}}}
	case i.Type == componentInteraction, i.Type == formInteraction && i.Message.Is != nil:
		return response{Type: deferUpdate}
	case i.Guild != "":
		return response{deferAnswer, &responseData{Flags: ephemeral}}
	}
	return response{Type: deferAnswer}
}

// acknowledge responds to an interaction, within three seconds of it or never.
// That it came too late, or twice, is no harm.
func (a *Adapter) acknowledge(ctx context.Context, i interaction) {
	if i.ID == "" || i.Token.Or() == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin*time.Millisecond)
	defer cancel()
	err := a.client.call(ctx, request{
		op: "createInteractionResponse", method: http.MethodPost, scope: i.ID.String(),
		url: discordgo.EndpointInteractionResponse(i.ID.String(), i.Token.Or()), body: i.deferral(),
	}, nil)
	if err != nil && ctx.Err() == nil {
		a.log.Debug("interaction not answered", "platform", Platform, "err", err)
	}
}

// answerable reports whether d can still go out as an interaction's answer.
func (a *Adapter) answerable(d chat.Delivery) bool {
	return d.Interaction != nil && d.Interaction.Token != "" && a.timing.now().Before(d.Interaction.Expires.Add(-tokenMargin))
}

// respond answers an interaction. It reports false where the answer is to be a
// plain message after all: the token is void, or was only acknowledged. The
// deferred answer is put in by an edit, which can be repeated; what follows
// has no idempotency key.
func (a *Adapter) respond(ctx context.Context, d chat.Delivery, p payload) (chat.Receipt, bool, error) {
	app, err := a.application(ctx)
	if err != nil {
		return chat.Receipt{}, false, err
	}
	original, err := a.original(ctx, app, d.Interaction)
	switch {
	case chat.KindOf(err) == chat.Gone && err != nil:
		return chat.Receipt{}, false, nil
	case err != nil:
		return chat.Receipt{}, false, err
	case original.Flags&loading != 0 && p.File == nil:
		r, err := a.editAnswer(ctx, d, "@original", p)
		return r, true, err
	case says(original.Text.Or(), p): // an earlier attempt
		return original.receipt(), true, nil
	}
	if original.Flags&ephemeral == 0 && d.Private == nil {
		return chat.Receipt{}, false, nil
	}
	p.Flags |= ephemeral
	r, err := a.post(ctx, "createFollowup", discordgo.EndpointWebhookToken(app, d.Interaction.Token)+"?wait=true",
		d.Interaction.ID, d.Address, create{payload: p})
	return r, true, err
}

// original is the first response to an interaction as it is shown now.
func (a *Adapter) original(ctx context.Context, app string, i *chat.Interaction) (s sent, err error) {
	err = a.client.call(ctx, request{
		op: "getInteractionResponse", method: http.MethodGet, scope: i.ID, url: discordgo.EndpointWebhookMessage(app, i.Token, "@original"),
	}, &s)
	return s, err
}

// editAnswer replaces an answer of an interaction.
func (a *Adapter) editAnswer(ctx context.Context, d chat.Delivery, message string, p payload) (chat.Receipt, error) {
	app, err := a.application(ctx)
	if err != nil {
		return chat.Receipt{}, err
	}
	var s sent
	err = a.client.call(ctx, request{
		op: "editInteractionResponse", method: http.MethodPatch, scope: d.Interaction.ID,
		url: discordgo.EndpointWebhookMessage(app, d.Interaction.Token, message), body: create{payload: p},
	}, &s)
	if err != nil {
		return chat.Receipt{}, err
	}
	return s.receipt(), nil
}
