package telegram

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"talaria/adapters/wire"
	"talaria/core/chat"

	tele "gopkg.in/telebot.v3"
)

// Telegram's numbers. It states those about pace only as advice
// (core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this)
// and enforces them by 429; edits count as messages do.
const (
	maxText     = 4096 // UTF-16 code units after entities (core.telegram.org/bots/api#sendmessage)
	maxUpload   = 50 << 20
	perChat     = time.Second
	perBot      = time.Second / 30
	groupMinute = 20
	editPace    = time.Second
)

// Limits implements chat.Adapter.
func (a *Adapter) Limits() chat.Limits {
	return chat.Limits{
		Text: maxText, Unit: chat.UTF16, Upload: maxUpload, Download: maxDownload,
		PerChat: perChat, PerBot: perBot, GroupMinute: groupMinute, EditPace: editPace,
	}
}

// Placeholder implements chat.Placeholder: a message of Telegram's can neither
// carry a key nor be read back.
func (a *Adapter) Placeholder() *chat.Part {
	if a.cfg.Delivery != EditIn {
		return nil
	}
	const text = "…"
	return &chat.Part{Text: text, Payload: encode(payload{Text: text, Preview: &preview{Disabled: true}})}
}

// destination is where a call goes.
type destination struct {
	Chat   string      `json:"chat_id"`
	Thread json.Number `json:"message_thread_id,omitempty"`
}

// destinationOf leaves the General topic out. What only one person may see
// goes to their direct chat, whose id is the person's: there are no private
// messages in a group.
func destinationOf(d chat.Delivery) destination {
	if d.Private != nil && d.Private.ID != d.Address.Chat {
		return destination{Chat: d.Private.ID}
	}
	return to(d.Address)
}

func to(a chat.Address) destination {
	if a.Thread == generalTopic {
		return destination{Chat: a.Chat}
	}
	return destination{Chat: a.Chat, Thread: json.Number(a.Thread)}
}

// replyParams are ReplyParameters. A question that was deleted meanwhile still
// gets its answer.
type replyParams struct {
	Message    json.Number `json:"message_id"`
	WithoutToo bool        `json:"allow_sending_without_reply"`
}

type sendParams struct {
	destination
	payload
	Reply  *replyParams `json:"reply_parameters,omitempty"`
	Silent bool         `json:"disable_notification,omitempty"`
}

// sent is what a receipt needs of a Message.
type sent struct {
	ID   int64 `json:"message_id"`
	Date int64 `json:"date"`
	Edit int64 `json:"edit_date"`
}

func (s sent) receipt() chat.Receipt {
	return chat.Receipt{Message: idString(s.ID), At: time.Unix(max(s.Date, s.Edit), 0).UTC()}
}

// Send implements chat.Adapter.
func (a *Adapter) Send(ctx context.Context, d chat.Delivery) (chat.Receipt, error) {
	params, err := a.params("sendMessage", d)
	if err != nil {
		return chat.Receipt{}, err
	}
	if r, done, err := a.notify(ctx, d, params); done {
		return r, err
	}
	var s sent
	if params.Document != nil {
		err = a.sendDocument(ctx, d.Address, params, &s)
	} else {
		err = a.client.call(ctx, "sendMessage", params, &s)
	}
	if err != nil {
		return chat.Receipt{}, err
	}
	return s.receipt(), nil
}

func (a *Adapter) params(op string, d chat.Delivery) (sendParams, error) {
	p := sendParams{destination: destinationOf(d), Silent: d.Silent}
	if err := json.Unmarshal(d.Payload, &p.payload); err != nil {
		return p, &chat.Error{Kind: chat.Permanent, Op: op, Err: fmt.Errorf("read payload: %w", err)}
	}
	if d.ReplyTo != "" && p.Chat == d.Address.Chat {
		p.Reply = &replyParams{Message: json.Number(d.ReplyTo), WithoutToo: true}
	}
	return p, nil
}

// sendDocument sends a file in a form, in which every other field is text.
func (a *Adapter) sendDocument(ctx context.Context, place chat.Address, p sendParams, s *sent) error {
	const op = "sendDocument"
	data, err := a.cfg.OpenBlob.Content(ctx, place, p.Document.Data, p.Document.Blob, maxUpload)
	if err != nil {
		return &chat.Error{Kind: chat.Permanent, Op: op, Err: err}
	}
	fields := map[string]string{"chat_id": p.Chat}
	if p.Thread != "" {
		fields["message_thread_id"] = p.Thread.String()
	}
	if p.Silent {
		fields["disable_notification"] = "true"
	}
	for name, value := range map[string]any{"reply_parameters": p.Reply, "reply_markup": p.Keyboard} {
		if text, _ := json.Marshal(value); string(text) != "null" {
			fields[name] = string(text)
		}
	}
	return a.client.upload(ctx, op, fields, "document", cmp.Or(p.Document.Name, "file"), data, s)
}

// editParams has no thread: a message is found by chat and id alone.
type editParams struct {
	Chat    string      `json:"chat_id"`
	Message json.Number `json:"message_id"`
	payload
}

// Edit implements chat.Editor.
func (a *Adapter) Edit(ctx context.Context, d chat.Delivery) (chat.Receipt, error) {
	const op = "editMessageText"
	p, err := a.params(op, d)
	if err != nil {
		return chat.Receipt{}, err
	}
	if p.Document != nil {
		return chat.Receipt{}, &chat.Error{Kind: chat.Permanent, Op: op, Err: errors.New("a file can't be put in by an edit")}
	}
	if d.Interaction != nil {
		a.press.release(d.Interaction.ID, false) // its person sees the change
	}
	var s sent
	err = a.client.call(ctx, op, editParams{p.Chat, json.Number(d.Message), p.payload}, &s)
	if saysText(err, notModified) {
		return chat.Receipt{Message: d.Message, At: time.Now().UTC()}, nil
	}
	if err != nil {
		return chat.Receipt{}, err
	}
	return s.receipt(), nil
}

// Remove implements chat.Remover.
func (a *Adapter) Remove(ctx context.Context, place chat.Address, message string) error {
	return a.client.call(ctx, "deleteMessage", editParams{Chat: place.Chat, Message: json.Number(message)}, nil)
}

// Typing implements chat.Typer.
func (a *Adapter) Typing(ctx context.Context, place chat.Address) error {
	a.press.begun(place.Chat)
	return a.client.call(ctx, "sendChatAction", struct {
		destination
		Action tele.ChatAction `json:"action"`
	}{to(place), tele.Typing}, nil)
}

// Member implements chat.Inviter: who is restricted in a group is no full
// member of it.
func (a *Adapter) Member(ctx context.Context, place chat.Address, who chat.Identity) (bool, error) {
	var m struct {
		Status tele.MemberStatus `json:"status"`
	}
	err := a.client.call(ctx, "getChatMember", map[string]string{"chat_id": place.Chat, "user_id": who.ID}, &m)
	switch m.Status {
	case tele.Creator, tele.Administrator, tele.Member:
		return err == nil, err
	}
	return false, err
}

// Download implements chat.Downloader.
func (a *Adapter) Download(ctx context.Context, at chat.Attachment) (io.ReadCloser, error) {
	if at.Size > maxDownload {
		return nil, &chat.Error{Kind: chat.Permanent, Op: "getFile", Err: errors.New(wire.TooLarge)}
	}
	var f tele.File
	if err := a.client.call(ctx, "getFile", map[string]string{"file_id": at.Ref}, &f); err != nil {
		return nil, err
	}
	body, err := a.client.download(ctx, f.FilePath)
	if err != nil {
		return nil, err
	}
	return wire.Limit(body, maxDownload), nil
}
