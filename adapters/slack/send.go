package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"talaria/adapters/markdown"
	"talaria/core/chat"

	"github.com/slack-go/slack"
)

// The methods that say something.
const (
	opPost      = "chat.postMessage"
	opEphemeral = "chat.postEphemeral"
	opUpdate    = "chat.update"
	opDelete    = "chat.delete"
	opResponse  = "response_url"
)

// Slack's numbers about pace (docs.slack.dev/apis/web-api/rate-limits):
// posting has a limit of its own, an edit is of tier 3, 50 a minute.
const (
	perChat  = time.Second
	editPace = 1200 * time.Millisecond
)

// Limits implements chat.Adapter.
func (a *Adapter) Limits() chat.Limits {
	return chat.Limits{
		Text: markdown.SlackLimit, Unit: chat.Characters, Upload: maxUpload, Download: maxFile,
		PerChat: perChat, EditPace: editPace,
	}
}

// metadataType names the metadata that carries a delivery's key, and
// metadataKey where in it the key stands.
const (
	metadataType = "talaria_outbox"
	metadataKey  = "outbox_id"
)

// options are what every message is sent and edited with: no previews, which
// would make Slack fetch an address that a model chose, and no looking for
// names in the text, which chat.update does unless it is told not to.
func (p payload) options() []slack.MsgOption {
	return []slack.MsgOption{
		slack.MsgOptionText(p.Text, false), slack.MsgOptionBlocks(p.blocks()...),
		slack.MsgOptionDisableLinkUnfurl(), slack.MsgOptionDisableMediaUnfurl(),
		slack.MsgOptionLinkNames(false), slack.MsgOptionParse(false),
	}
}

func (p payload) threaded(thread string) []slack.MsgOption {
	if thread == "" {
		return p.options()
	}
	return append(p.options(), slack.MsgOptionTS(thread))
}

func readPayload(op string, data json.RawMessage) (payload, error) {
	var p payload
	if err := json.Unmarshal(data, &p); err != nil {
		return p, &chat.Error{Kind: chat.Permanent, Op: op, Err: fmt.Errorf("read payload: %w", err)}
	}
	return p, nil
}

// Send implements chat.Adapter.
func (a *Adapter) Send(ctx context.Context, d chat.Delivery) (chat.Receipt, error) {
	p, err := readPayload(opPost, d.Payload)
	if err != nil {
		return chat.Receipt{}, err
	}
	if d.Private != nil && !isDirect(d.Address.Chat) {
		return a.sendPrivately(ctx, d, p)
	}
	if p.File != nil {
		return a.upload(ctx, d.Address, p.File)
	}
	if r, done, err := a.startStream(ctx, d, p); done {
		return r, err
	}
	a.statuses.replied(d.Address)
	r, err := a.post(ctx, d.Address, d.Key, p)
	if refusedWith(err, "channel_not_found") && a.answerable(d) {
		return a.respond(ctx, d, p) // a command in a conversation of people without the bot
	}
	return r, err
}

// answerable reports whether what somebody did can still be answered by its handle.
func (a *Adapter) answerable(d chat.Delivery) bool {
	return d.Interaction != nil && a.client.trusts(d.Interaction.Token) && time.Now().Before(d.Interaction.Expires)
}

// keyed has a message carry the key of its delivery.
func keyed(key string) slack.MsgOption {
	return slack.MsgOptionMetadata(slack.SlackMetadata{EventType: metadataType, EventPayload: map[string]any{metadataKey: key}})
}

func (a *Adapter) post(ctx context.Context, to chat.Address, key string, p payload) (chat.Receipt, error) {
	options := append(p.threaded(to.Thread), keyed(key))
	return a.say(ctx, opPost, func(ctx context.Context, api *slack.Client) error {
		_, _, err := api.PostMessageContext(ctx, to.Chat, options...)
		return err
	})
}

// say makes a call that answers with the ts of a message.
func (a *Adapter) say(ctx context.Context, op string, f func(context.Context, *slack.Client) error) (chat.Receipt, error) {
	x, err := a.client.call(ctx, op, f)
	if err != nil {
		return chat.Receipt{}, err
	}
	var said struct {
		TS      string `json:"ts"`
		Private string `json:"message_ts"`
	}
	if err := json.Unmarshal(x.Body, &said); err != nil {
		return chat.Receipt{}, &chat.Error{Kind: chat.UnknownOutcome, Op: op, Err: fmt.Errorf("read result: %w", err)}
	}
	return receipt(cmp.Or(said.TS, said.Private)), nil
}

func receipt(ts string) chat.Receipt {
	r := chat.Receipt{Message: ts, At: instant(ts)}
	if r.At.IsZero() {
		r.At = time.Now().UTC()
	}
	return r
}

// sendPrivately shows a message to one person: by the handle of what they did
// while it lasts, else as an ephemeral message in the place, else, where the
// bot or the person is not in it, in their direct conversation.
func (a *Adapter) sendPrivately(ctx context.Context, d chat.Delivery, p payload) (chat.Receipt, error) {
	if p.File == nil && a.answerable(d) {
		r, err := a.respond(ctx, d, p)
		if err == nil || chat.KindOf(err) != chat.Permanent && chat.KindOf(err) != chat.Gone {
			return r, err
		}
	}
	if p.File == nil {
		r, err := a.say(ctx, opEphemeral, func(ctx context.Context, api *slack.Client) error {
			_, err := api.PostEphemeralContext(ctx, d.Address.Chat, d.Private.ID, p.threaded(d.Address.Thread)...)
			return err
		})
		if !refusedWith(err, "user_not_in_channel", "not_in_channel", "channel_not_found", "is_archived") {
			return r, err
		}
	}
	channel, err := a.openDirect(ctx, d.Private.ID)
	if err != nil {
		return chat.Receipt{}, err
	}
	d.Address.Chat, d.Address.Thread, d.Private = channel, "", nil
	return a.Send(ctx, d)
}

// respond answers by the response_url, which works also where the bot is not
// in the channel. Such a message has no id.
func (a *Adapter) respond(ctx context.Context, d chat.Delivery, p payload) (chat.Receipt, error) {
	_, err := a.client.call(ctx, opResponse, func(ctx context.Context, api *slack.Client) error {
		options := append(p.threaded(d.Address.Thread), slack.MsgOptionResponseURL(d.Interaction.Token, slack.ResponseTypeEphemeral))
		_, _, _, err := api.SendMessageContext(ctx, d.Address.Chat, options...)
		return err
	})
	return chat.Receipt{Message: "response:" + d.Interaction.ID, At: time.Now().UTC()}, err
}

// openDirect returns the direct conversation with a person.
func (a *Adapter) openDirect(ctx context.Context, person string) (string, error) {
	var channel string
	_, err := a.client.call(ctx, "conversations.open", func(ctx context.Context, api *slack.Client) error {
		c, _, _, err := api.OpenConversationContext(ctx, &slack.OpenConversationParameters{Users: []string{person}})
		if c != nil {
			channel = c.ID
		}
		return err
	})
	if err == nil && channel == "" {
		err = &chat.Error{Kind: chat.Permanent, Op: "conversations.open", Err: errors.New("no conversation came back")}
	}
	return channel, err
}

// Edit implements chat.Editor. Blocks are always given: left out, those that
// were there would stay.
func (a *Adapter) Edit(ctx context.Context, d chat.Delivery) (chat.Receipt, error) {
	p, err := readPayload(opUpdate, d.Payload)
	if err != nil {
		return chat.Receipt{}, err
	}
	if p.File != nil {
		return chat.Receipt{}, &chat.Error{Kind: chat.Permanent, Op: opUpdate, Err: errors.New("a file can't be put in by an edit")}
	}
	switch {
	case d.Growth == nil:
		return a.update(ctx, d, p)
	case d.Growth.Whole:
		return a.finish(ctx, d, p)
	}
	return a.grow(ctx, d, p)
}

func (a *Adapter) update(ctx context.Context, d chat.Delivery, p payload, more ...slack.MsgOption) (chat.Receipt, error) {
	return a.say(ctx, opUpdate, func(ctx context.Context, api *slack.Client) error {
		_, _, _, err := api.UpdateMessageContext(ctx, d.Address.Chat, d.Message, append(p.options(), more...)...)
		return err
	})
}

// Remove implements chat.Remover. A sent file is known by its own id. That it
// is gone already is no error.
func (a *Adapter) Remove(ctx context.Context, place chat.Address, message string) error {
	var err error
	if hasPrefix(message, "F") {
		_, err = a.client.call(ctx, "files.delete", func(ctx context.Context, api *slack.Client) error {
			return api.DeleteFileContext(ctx, message)
		})
	} else {
		_, err = a.client.call(ctx, opDelete, func(ctx context.Context, api *slack.Client) error {
			_, _, err := api.DeleteMessageContext(ctx, place.Chat, message)
			return err
		})
	}
	if refusedWith(err, "message_not_found", "file_not_found", "file_deleted") {
		return nil
	}
	return err
}
