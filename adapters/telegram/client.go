package telegram

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"talaria/adapters/wire"

	tele "gopkg.in/telebot.v3"
)

const (
	// callTimeout bounds every call but the long poll.
	callTimeout = 20 * time.Second
)

// client makes the calls to the Bot API. telebot speaks it; the transport
// underneath does what telebot leaves out: a context for each call, whether
// the request was on the wire when it failed, the answer as it came, and no
// URL (which holds the token) in any error.
type client struct {
	url, token string
	transport  http.RoundTripper
}

func newClient(url, token string, transport http.RoundTripper) *client {
	if transport == nil {
		transport = wire.NewTransport()
	}
	return &client{url: url, token: token, transport: transport}
}

// close lets go of connections that nobody uses.
func (c *client) close() { wire.CloseIdle(c.transport) }

// call makes a call in JSON and puts its result into result, which may be nil.
// Its error is a *chat.Error.
func (c *client) call(ctx context.Context, method string, params, result any) error {
	return c.callWithin(ctx, callTimeout, method, params, result)
}

func (c *client) callWithin(ctx context.Context, limit time.Duration, method string, params, result any) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var x wire.Exchange
	bot, err := tele.NewBot(tele.Settings{
		URL: c.url, Token: c.token, Client: c.through(ctx, &x), Offline: true, Updates: 1,
	})
	if err != nil {
		return c.failure(method, &x, err)
	}
	_, err = bot.Raw(method, params)
	return c.outcome(method, &x, err, result)
}

// upload makes a call with a file. telebot's own never writes
// SendOptions.ReplyParams, so the form is made here.
func (c *client) upload(ctx context.Context, method string, fields map[string]string, field, name string, data []byte, result any) error {
	ctx, cancel := context.WithTimeout(ctx, 3*callTimeout)
	defer cancel()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for key, value := range fields {
		_ = w.WriteField(key, value) // a bytes.Buffer takes everything
	}
	part, _ := w.CreateFormFile(field, name)
	_, _ = part.Write(data)
	_ = w.Close()
	var x wire.Exchange
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/bot"+c.token+"/"+method, &form)
	if err != nil {
		return c.failure(method, &x, err)
	}
	req.Header.Set("Content-Type", w.FormDataContentType())
	resp, err := c.through(ctx, &x).Do(req)
	if err == nil {
		resp.Body.Close()
	}
	return c.outcome(method, &x, err, result)
}

// download opens the file at path, as getFile names it. The caller closes it.
func (c *client) download(ctx context.Context, path string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+"/file/bot"+c.token+"/"+path, nil)
	var x wire.Exchange
	if err != nil {
		return nil, c.failure("file", &x, err)
	}
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		x.Err = err
		return nil, c.failure("file", &x, nil)
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, c.failure("file", &x, fmt.Errorf("the server answered %s", resp.Status))
	}
	return resp.Body, nil
}

// through is the HTTP client for one call. It carries the context, which
// telebot's calls don't take, and records what comes of it in x.
func (c *client) through(ctx context.Context, x *wire.Exchange) *http.Client {
	return x.Client(ctx, c.transport, func(r *http.Response) { r.Body = io.NopCloser(strings.NewReader(taken)) })
}

// taken is what telebot gets to read in place of the answer, which is read
// here: its own reading loses the status and most parameters of an error.
const taken = `{"ok":true}`
