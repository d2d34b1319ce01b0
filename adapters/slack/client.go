package slack

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/slack-go/slack"
)

const (
	// callTimeout bounds every call but an upload.
	callTimeout = 20 * time.Second
	// uploadTimeout bounds the sending of a file's bytes.
	uploadTimeout = 3 * callTimeout
	// maxReply is more than the largest answer: a page of messages with blocks.
	maxReply = 16 << 20
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
		c.transport = newTransport()
	}
	return c
}

func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
		IdleConnTimeout:       90 * time.Second,
		MaxIdleConns:          256,
		MaxIdleConnsPerHost:   256, // one host: without this, keep-alive ends at two connections
		ForceAttemptHTTP2:     true,
	}
}

// close lets go of connections that nobody uses.
func (c *client) close() { (&http.Client{Transport: c.transport}).CloseIdleConnections() }

// exchange is the record of a call.
type exchange struct {
	status int
	header http.Header
	body   []byte
	err    error       // of the transport
	sent   atomic.Bool // the request may have reached the server
}

// call makes one call with slack-go. Its error is a *chat.Error. The exchange
// holds the answer as it came, also where slack-go could not decode it.
func (c *client) call(ctx context.Context, op string, f func(context.Context, *slack.Client) error) (*exchange, error) {
	return c.callWithin(ctx, callTimeout, op, f)
}

func (c *client) callWithin(ctx context.Context, limit time.Duration, op string, f func(context.Context, *slack.Client) error) (*exchange, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	x := new(exchange)
	err := f(x.trace(ctx), slack.New(c.bot,
		slack.OptionAPIURL(c.url), slack.OptionAppLevelToken(c.app), slack.OptionHTTPClient(c.through(x))))
	return x, c.outcome(op, x, err)
}

// upload sends a file's bytes to the address that Slack gave for them, which
// needs no token. slack-go ends the form twice, which strict servers refuse.
func (c *client) upload(ctx context.Context, address, name string, data []byte) error {
	const op = "upload"
	ctx, cancel := context.WithTimeout(ctx, uploadTimeout)
	defer cancel()
	x := new(exchange)
	if !c.trusts(address) {
		return c.failure(op, x, errUntrusted)
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, _ := w.CreateFormFile("file", name) // a bytes.Buffer takes everything
	_, _ = part.Write(data)
	_ = w.Close()
	req, err := http.NewRequestWithContext(x.trace(ctx), http.MethodPost, address, &form)
	if err != nil {
		return c.failure(op, x, err)
	}
	req.Header.Set("Content-Type", w.FormDataContentType())
	resp, err := c.through(x).Do(req)
	if err == nil {
		resp.Body.Close()
	}
	return c.outcome(op, x, err)
}

// trace notes whether the request got as far as the wire.
func (x *exchange) trace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:      func(string) { x.sent.Store(false) }, // also when net/http retries what it never wrote
		WroteHeaders: func() { x.sent.Store(true) },
	})
}

// through is the HTTP client for one call. Redirects are not followed: they
// would take the token elsewhere.
func (c *client) through(x *exchange) *http.Client {
	return &http.Client{CheckRedirect: stay, Transport: roundTripper(func(req *http.Request) (*http.Response, error) {
		resp, err := c.transport.RoundTrip(req)
		if err != nil {
			x.err = err
			return nil, err
		}
		defer resp.Body.Close()
		x.status, x.header = resp.StatusCode, resp.Header
		if x.body, x.err = io.ReadAll(io.LimitReader(resp.Body, maxReply)); x.err != nil {
			return nil, x.err
		}
		resp.Body = io.NopCloser(bytes.NewReader(x.body))
		return resp, nil
	})}
}

func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

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
