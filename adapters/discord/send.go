package discord

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"time"

	"talaria/adapters/inbound"
	"talaria/adapters/markdown"
	"talaria/adapters/wire"
	"talaria/core/chat"

	"github.com/bwmarrin/discordgo"
)

// Discord's numbers. Rates are told in every answer and not fixed; these two
// are the usual bucket of a channel and the limit of a whole bot
// (discord.com/developers/docs/topics/rate-limits).
const (
	maxUpload = 10 << 20 // discord.com/developers/docs/reference#uploading-files
	perBot    = time.Second / 50
	editPace  = time.Second
	// nonceLife is how long a repeated nonce is recognised. Discord says "a few
	// minutes".
	nonceLife = 2 * time.Minute
)

// Limits implements chat.Adapter.
func (a *Adapter) Limits() chat.Limits {
	return chat.Limits{
		Text: markdown.DiscordLimit, Unit: chat.CodePoints, Upload: maxUpload, Download: maxDownload,
		PerBot: perBot, EditPace: editPace, Idempotent: nonceLife,
	}
}

// nonce makes an idempotency key of Discord's of one of ours: 25 characters at
// most (discord.com/developers/docs/resources/message#create-message).
func nonce(key string) string {
	sum := sha256.Sum256([]byte(key))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:15]))
}

// create is the body of a new message.
type create struct {
	payload
	File    *struct{} `json:"file,omitempty"` // hides that of the payload
	Nonce   string    `json:"nonce,omitempty"`
	Enforce bool      `json:"enforce_nonce,omitempty"`
	Reply   *replyTo  `json:"message_reference,omitempty"`
}

// replyTo is a message_reference. A question that was deleted meanwhile still
// gets its answer.
type replyTo struct {
	Message string `json:"message_id"`
	Fail    bool   `json:"fail_if_not_exists"`
}

// sent is what a receipt needs of a Message.
type sent struct {
	ID     snowflake          `json:"id"`
	At     wire.Maybe[string] `json:"timestamp"`
	Edited wire.Maybe[string] `json:"edited_timestamp"`
	Flags  int                `json:"flags"`
	Text   wire.Maybe[string] `json:"content"`
}

// says reports whether a message has the content of p. Discord trims it.
func says(text string, p payload) bool {
	return p.Content != "" && strings.TrimSpace(text) == strings.TrimSpace(p.Content)
}

func (s sent) receipt() chat.Receipt {
	at := instant(s.Edited.Or())
	if at.IsZero() {
		at = instant(s.At.Or())
	}
	return chat.Receipt{Message: s.ID.String(), At: at}
}

// target is the channel that an address means: a thread is one of its own.
func target(a chat.Address) string {
	if a.Thread != "" {
		return a.Thread
	}
	return a.Chat
}

// Send implements chat.Adapter. While an interaction can be answered, its
// answer goes there; then, and for everything else, it is a message.
func (a *Adapter) Send(ctx context.Context, d chat.Delivery) (chat.Receipt, error) {
	const op = "createMessage"
	p, err := readPayload(op, d)
	if err != nil {
		return chat.Receipt{}, err
	}
	if a.answerable(d) {
		r, done, err := a.respond(ctx, d, p)
		if done || err != nil {
			return r, err
		}
	}
	channel, err := a.destination(ctx, d)
	if err != nil {
		return chat.Receipt{}, err
	}
	body := create{payload: p, Nonce: nonce(d.Key), Enforce: true}
	if d.Silent {
		body.Flags |= suppressNotifications
	}
	if d.ReplyTo != "" && channel == target(d.Address) {
		body.Reply = &replyTo{Message: d.ReplyTo}
	}
	return a.post(ctx, op, discordgo.EndpointChannelMessages(channel), channel, d.Address, body)
}

// post sends a new message, with its file if it has one.
func (a *Adapter) post(ctx context.Context, op, url, scope string, place chat.Address, body create) (chat.Receipt, error) {
	r := request{op: op, method: http.MethodPost, url: url, scope: scope, body: body}
	if f := body.payload.File; f != nil {
		var err error
		if r.form, err = a.multipart(ctx, place, f, body); err != nil {
			return chat.Receipt{}, &chat.Error{Kind: chat.Permanent, Op: op, Err: err}
		}
	}
	var s sent
	if err := a.client.call(ctx, r, &s); err != nil {
		return chat.Receipt{}, threadGone(err, place)
	}
	return s.receipt(), nil
}

// threadGone marks an error that says that the thread, and not its channel, is
// gone.
func threadGone(err error, place chat.Address) error {
	e, ok := errors.AsType[*chat.Error](err)
	if ok && place.Thread != "" && (codeOf(err) == unknownChannel || codeOf(err) == threadLocked) {
		e.Kind, e.Thread = chat.Gone, true
	}
	return err
}

func readPayload(op string, d chat.Delivery) (payload, error) {
	var p payload
	if err := json.Unmarshal(d.Payload, &p); err != nil {
		return p, &chat.Error{Kind: chat.Permanent, Op: op, Err: fmt.Errorf("read payload: %w", err)}
	}
	p.Flags |= suppressEmbeds
	p.Mentions = mentions{[]string{}}
	if p.Components == nil {
		p.Components = []row{}
	}
	return p, nil
}

// destination is the channel that a message goes to. What only one person may
// see goes to their direct conversation: only the answer to an interaction can
// be private in a server.
func (a *Adapter) destination(ctx context.Context, d chat.Delivery) (string, error) {
	if d.Private == nil || d.Address.Workspace == "" {
		return target(d.Address), nil
	}
	var c channel
	err := a.client.call(ctx, request{
		op: "createDM", method: http.MethodPost, url: discordgo.EndpointUserChannels("@me"),
		body: map[string]string{"recipient_id": d.Private.ID},
	}, &c)
	return c.ID.String(), err
}

// multipart is a form with a file.
func (a *Adapter) multipart(ctx context.Context, place chat.Address, f *file, body create) (*form, error) {
	data, err := a.cfg.OpenBlob.Content(ctx, place, f.Data, f.Blob, maxUpload)
	if err != nil {
		return nil, err
	}
	kind, encoded, err := discordgo.MultipartBodyWithJSON(body, []*discordgo.File{{
		Name: f.safeName(), ContentType: f.safeMIME(), Reader: bytes.NewReader(data),
	}})
	if err != nil {
		return nil, fmt.Errorf("write form: %w", err)
	}
	return &form{kind, encoded}, nil
}

// safeName and safeMIME hold nothing that ends a header: the library writes
// them as they are.
func (f *file) safeName() string { return cmp.Or(inbound.Label(f.Name), "file") }

func (f *file) safeMIME() string {
	kind, params, err := mime.ParseMediaType(f.MIME)
	if err != nil {
		return ""
	}
	return mime.FormatMediaType(kind, params)
}

// Edit implements chat.Editor.
func (a *Adapter) Edit(ctx context.Context, d chat.Delivery) (chat.Receipt, error) {
	const op = "editMessage"
	p, err := readPayload(op, d)
	if err != nil {
		return chat.Receipt{}, err
	}
	if p.File != nil {
		return chat.Receipt{}, &chat.Error{Kind: chat.Permanent, Op: op, Err: errors.New("a file can't be put in by an edit")}
	}
	if a.answerable(d) { // a message that one person sees is edited there alone
		r, err := a.editAnswer(ctx, d, d.Message, p)
		if chat.KindOf(err) != chat.Gone || err == nil {
			return r, err
		}
	}
	channel, err := a.destination(ctx, d)
	if err != nil {
		return chat.Receipt{}, err
	}
	var s sent
	err = a.client.call(ctx, request{
		op: op, method: http.MethodPatch, url: discordgo.EndpointChannelMessage(channel, d.Message), scope: channel, body: create{payload: p},
	}, &s)
	if codeOf(err) == unknownMessage {
		return chat.Receipt{}, lostMessage(err)
	}
	if err != nil {
		return chat.Receipt{}, threadGone(err, d.Address)
	}
	return s.receipt(), nil
}

// lostMessage marks an error that says that the message to be edited is gone,
// which says nothing of its place: another one can be sent there.
func lostMessage(err error) error {
	if e, ok := errors.AsType[*chat.Error](err); ok {
		e.Kind = chat.Permanent
	}
	return err
}

// Remove implements chat.Remover.
func (a *Adapter) Remove(ctx context.Context, place chat.Address, message string) error {
	channel := target(place)
	return a.client.call(ctx, request{
		op: "deleteMessage", method: http.MethodDelete, url: discordgo.EndpointChannelMessage(channel, message), scope: channel,
	}, nil)
}

// Typing implements chat.Typer. Discord shows it for ten seconds.
func (a *Adapter) Typing(ctx context.Context, place chat.Address) error {
	channel := target(place)
	return a.client.call(ctx, request{
		op: "triggerTyping", method: http.MethodPost, url: discordgo.EndpointChannelTyping(channel), scope: channel,
	}, nil)
}
