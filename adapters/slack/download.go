package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"talaria/adapters/wire"
	"talaria/core/chat"

	"github.com/slack-go/slack"
)

const opDownload = "download"

// Download implements chat.Downloader. The token goes to Slack's own hosts
// alone, and a page is not taken for a file: without the right to read one,
// Slack shows the page to sign in on.
func (a *Adapter) Download(ctx context.Context, at chat.Attachment) (io.ReadCloser, error) {
	f, err := a.fileInfo(ctx, at.Ref)
	if err != nil {
		return nil, err
	}
	address := cmp.Or(f.Download, f.Private)
	switch {
	case f.Size > maxFile:
		return nil, &chat.Error{Kind: chat.Permanent, Op: opDownload, Err: errors.New(wire.TooLarge)}
	case f.External || !a.client.trusts(address):
		return nil, &chat.Error{Kind: chat.Permanent, Op: opDownload, Err: errors.New("the file lies with another service")}
	}
	var x wire.Exchange
	req, err := http.NewRequestWithContext(x.Trace(ctx), http.MethodGet, address, nil)
	if err != nil {
		return nil, a.client.failure(opDownload, &x, err)
	}
	req.Header.Set("Authorization", "Bearer "+a.cfg.BotToken)
	resp, err := (&http.Client{Transport: a.client.transport, CheckRedirect: wire.Stay}).Do(req)
	if err != nil {
		x.Err = err
		return nil, unseen(a.client.failure(opDownload, &x, nil))
	}
	if err := checkFile(resp, f); err != nil {
		resp.Body.Close()
		return nil, err
	}
	return wire.Limit(resp.Body, maxFile), nil
}

func (a *Adapter) fileInfo(ctx context.Context, id string) (file, error) {
	x, err := a.client.call(ctx, "files.info", func(ctx context.Context, api *slack.Client) error {
		_, _, _, err := api.GetFileInfoContext(ctx, id, 0, 0)
		return err
	})
	if err != nil {
		return file{}, unseen(err)
	}
	var info struct {
		File file `json:"file"`
	}
	if err := json.Unmarshal(x.Body, &info); err != nil {
		return file{}, &chat.Error{Kind: chat.Permanent, Op: "files.info", Err: fmt.Errorf("read result: %w", err)}
	}
	return info.File, nil
}

// checkFile refuses what is no file.
func checkFile(resp *http.Response, f file) error {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	page := kind == "text/html" && f.MIME != "text/html"
	switch {
	case resp.StatusCode == http.StatusTooManyRequests:
		return limited(opDownload, resp.Header)
	case page, resp.StatusCode/100 == 3, resp.StatusCode == http.StatusForbidden, resp.StatusCode == http.StatusUnauthorized:
		return &chat.Error{Kind: chat.NotAllowed, Op: opDownload, Err: errors.New("a page to sign in came in place of the file; the bot needs the scope files:read")}
	case resp.StatusCode >= http.StatusInternalServerError:
		return &chat.Error{Kind: chat.Transient, Op: opDownload, Err: fmt.Errorf("the server answered %s", resp.Status)}
	case resp.StatusCode != http.StatusOK:
		return &chat.Error{Kind: chat.Permanent, Op: opDownload, Err: fmt.Errorf("the server answered %s", resp.Status)}
	}
	return nil
}
