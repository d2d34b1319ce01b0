package slack

import (
	"bytes"
	"context"
	"errors"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"talaria/adapters/wire"

	"github.com/slack-go/slack"
)

const (
	// callTimeout bounds every call but an upload.
	callTimeout = 20 * time.Second
	// uploadTimeout bounds the sending of a file's bytes.
	uploadTimeout = 3 * callTimeout
)

// client makes the calls to the Web API. slack-go speaks it; the transport
// underneath records what it leaves out.
type client struct {
	url, bot, app string // url ends with a slash
	transport     http.RoundTripper
}

func newClient(cfg Config) *client {
	c := &client{url: cfg.APIURL, bot: cfg.BotToken, app: cfg.AppToken, transport: cfg.Transport}
	if c.transport == nil {
		c.transport = wire.NewTransport()
	}
	return c
}

// close lets go of connections that nobody uses.
func (c *client) close() { wire.CloseIdle(c.transport) }

// call makes one call with slack-go. Its error is a *chat.Error. The exchange
// holds the answer as it came, also where slack-go could not decode it.
func (c *client) call(ctx context.Context, op string, f func(context.Context, *slack.Client) error) (*wire.Exchange, error) {
	return c.callWithin(ctx, callTimeout, op, f)
}

func (c *client) callWithin(ctx context.Context, limit time.Duration, op string, f func(context.Context, *slack.Client) error) (*wire.Exchange, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	x := new(wire.Exchange)
	err := f(ctx, slack.New(c.bot,
		slack.OptionAPIURL(c.url), slack.OptionAppLevelToken(c.app), slack.OptionHTTPClient(x.Client(ctx, c.transport, nil))))
	return x, c.outcome(op, x, err)
}

// upload sends a file's bytes to the address that Slack gave for them, which
// needs no token. slack-go ends the form twice, which strict servers refuse.
func (c *client) upload(ctx context.Context, address, name string, data []byte) error {
	const op = "upload"
	ctx, cancel := context.WithTimeout(ctx, uploadTimeout)
	defer cancel()
	x := new(wire.Exchange)
	if !c.trusts(address) {
		return c.failure(op, x, errUntrusted)
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, _ := w.CreateFormFile("file", name) // a bytes.Buffer takes everything
	_, _ = part.Write(data)
	_ = w.Close()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, &form)
	if err != nil {
		return c.failure(op, x, err)
	}
	req.Header.Set("Content-Type", w.FormDataContentType())
	resp, err := x.Client(ctx, c.transport, nil).Do(req)
	if err == nil {
		resp.Body.Close()
	}
	return c.outcome(op, x, err)
}

var errUntrusted = errors.New("the address is none of Slack's")

// trusts reports whether an address that Slack gave is its own, or on the very
// host that calls go to. Nothing else gets a token, a file or a socket.
func (c *client) trusts(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	if (u.Scheme == "https" || u.Scheme == "wss") && (host == "slack.com" || strings.HasSuffix(host, ".slack.com")) {
		return true
	}
	api, err := url.Parse(c.url)
	if err != nil || u.Scheme != api.Scheme && u.Scheme != strings.Replace(api.Scheme, "http", "ws", 1) {
		return false
	}
	return strings.EqualFold(u.Host, api.Host) || loopback(host) && loopback(api.Hostname())
}

// loopback knows this machine, on which a server for tests may call itself by
// another name, or have several ports.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
