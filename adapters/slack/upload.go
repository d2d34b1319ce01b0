package slack

import (
	"cmp"
	"context"
	"errors"

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
	data, err := a.cfg.OpenBlob.Content(ctx, to, f.Data, f.Blob, maxUpload)
	if err != nil {
		return chat.Receipt{}, &chat.Error{Kind: chat.Permanent, Op: "files.getUploadURLExternal", Err: err}
	}
	name := cmp.Or(inbound.Label(f.Name), "file")
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
