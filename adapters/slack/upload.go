package slack

import (
	"context"
	"errors"
	"fmt"
	"io"

	"talaria/adapters/inbound"
	"talaria/core/chat"

	"github.com/slack-go/slack"
)

// maxUpload bounds a file sent. Slack takes 1 GB; ours are held in memory.
const maxUpload = 50 << 20

// upload sends a file in Slack's three steps
// (docs.slack.dev/messaging/working-with-files#upload). Nothing is to be seen
// before the last, so a failure before it has no effect.
func (a *Adapter) upload(ctx context.Context, to chat.Address, f *attachedTo) (chat.Receipt, error) {
	data, err := a.content(ctx, to, f)
	if err != nil {
		return chat.Receipt{}, &chat.Error{Kind: chat.Permanent, Op: "files.getUploadURLExternal", Err: err}
	}
	name := first(inbound.Label(f.Name), "file")
	var slot *slack.GetUploadURLExternalResponse
	_, err = a.client.call(ctx, "files.getUploadURLExternal", func(ctx context.Context, api *slack.Client) (err error) {
		slot, err = api.GetUploadURLExternalContext(ctx, slack.GetUploadURLExternalParameters{FileName: name, FileSize: len(data)})
		return err
	})
	if err != nil {
		return chat.Receipt{}, unseen(err)
	}
	if err := a.client.upload(ctx, slot.UploadURL, name, data); err != nil {
		return chat.Receipt{}, unseen(err)
	}
	_, err = a.client.call(ctx, "files.completeUploadExternal", func(ctx context.Context, api *slack.Client) error {
		_, err := api.CompleteUploadExternalContext(ctx, slack.CompleteUploadExternalParameters{
			Files: []slack.FileSummary{{ID: slot.FileID, Title: name}}, Channel: to.Chat, ThreadTimestamp: to.Thread,
		})
		return err
	})
	if err != nil {
		return chat.Receipt{}, err
	}
	return receipt(slot.FileID), nil
}

// unseen makes an unknown outcome one without effect.
func unseen(err error) error {
	if e, ok := errors.AsType[*chat.Error](err); ok && e.Kind == chat.UnknownOutcome {
		e.Kind = chat.Transient
	}
	return err
}

// content reads what is to be uploaded.
func (a *Adapter) content(ctx context.Context, place chat.Address, f *attachedTo) ([]byte, error) {
	data := f.Data
	if f.Blob != "" {
		if a.cfg.OpenBlob == nil {
			return nil, errors.New("stored files can't be sent here")
		}
		r, err := a.cfg.OpenBlob(ctx, place, f.Blob)
		if err != nil {
			return nil, fmt.Errorf("open stored file: %w", err)
		}
		defer r.Close()
		if data, err = io.ReadAll(io.LimitReader(r, maxUpload+1)); err != nil {
			return nil, fmt.Errorf("read stored file: %w", err)
		}
	}
	switch {
	case len(data) == 0:
		return nil, errors.New("the file is empty, which Slack does not take")
	case len(data) > maxUpload:
		return nil, errors.New("the file is larger than is sent")
	}
	return data, nil
}
