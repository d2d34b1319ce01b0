package discord

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"talaria/core/chat"

	"github.com/bwmarrin/discordgo"
)

const (
	// callTimeout bounds every call.
	callTimeout = 20 * time.Second
	// maxReply is more than the largest answer: 100 messages.
	maxReply = 16 << 20
)

// client makes the calls of the REST API. discordgo makes the requests; what
// it does beside that is turned off: waiting with a lock held and no context,
// trying again by itself, and errors that hold the address with an
// interaction's token.
type client struct {
	root      string // stands for discordgo.EndpointAPI
	token     string
	transport http.RoundTripper
	session   *discordgo.Session
	pace      *pace
}

func newClient(root, token string, transport http.RoundTripper) (*client, error) {
	if transport == nil {
		transport = newTransport()
	}
	session, err := discordgo.New("Bot " + token)
	if err != nil {
		return nil, err
	}
	session.ShouldRetryOnRateLimit = false
	session.MaxRestRetries = 0
	session.StateEnabled = false
	return &client{root: root + "/", token: token, transport: transport, session: session, pace: newPace(time.Now)}, nil
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

// request is one call.
type request struct {
	op     string // for people and for the rate limit
	method string
	url    string // as discordgo writes it
	scope  string // the channel, server or webhook whose rate limit it shares
	body   any    // JSON; nil for none
	form   *form  // in place of body
}

// interactions is what the addresses of first responses begin with.
var interactions = discordgo.EndpointAPI + "interactions/"

// answers reports whether the call is about an interaction. It is made with
// the interaction's token, whose end says nothing of the bot's, and is not
// counted in the limit of the whole bot
// (discord.com/developers/docs/topics/rate-limits#global-rate-limit).
func (r request) answers() bool {
	return strings.HasPrefix(r.url, discordgo.EndpointWebhooks) || strings.HasPrefix(r.url, interactions)
}

// form is a body that is not JSON.
type form struct {
	contentType string
	data        []byte
}

// exchange is one call's record.
type exchange struct {
	status int
	header http.Header
	body   []byte
	err    error       // of the transport
	sent   atomic.Bool // the request may have reached the server
}

// call makes a call once and puts its result into result, which may be nil.
// Its error is a *chat.Error. A call that Discord would refuse for its rate is
// not made.
func (c *client) call(ctx context.Context, r request, result any) error {
	if err := c.pace.allow(r); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	data, contentType := []byte(nil), "application/json"
	switch {
	case r.form != nil:
		data, contentType = r.form.data, r.form.contentType
	case r.body != nil:
		var err error
		if data, err = json.Marshal(r.body); err != nil {
			return &chat.Error{Kind: chat.Permanent, Op: r.op, Err: err}
		}
	}
	var x exchange
	// A bucket of its own for each call: the library's wait without a context,
	// and overlapping calls would stand in line.
	bucket := discordgo.NewRatelimiter().LockBucket(r.op)
	_, err := c.session.RequestWithLockedBucket(r.method, r.url, contentType, data, bucket, 0,
		discordgo.WithContext(ctx), discordgo.WithClient(c.through(ctx, &x)))
	c.pace.learn(r, &x)
	return c.outcome(r.op, &x, err, result)
}

// through is the HTTP client for one call, which records what comes of it in
// x. Redirects are not followed: they would take the token elsewhere.
func (c *client) through(ctx context.Context, x *exchange) *http.Client {
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:      func(string) { x.sent.Store(false) }, // also when net/http retries what it never wrote
		WroteHeaders: func() { x.sent.Store(true) },
	})
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: roundTripper(func(req *http.Request) (*http.Response, error) {
			req = req.WithContext(ctx)
			if x.err = c.redirect(req); x.err != nil {
				return nil, x.err
			}
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
			return &http.Response{StatusCode: http.StatusNoContent, Header: http.Header{}, Body: http.NoBody, Request: req}, nil
		}),
	}
}

// redirect sends a request of discordgo's, whose addresses are fixed, to the
// configured server.
func (c *client) redirect(req *http.Request) error {
	path, _ := strings.CutPrefix(req.URL.String(), discordgo.EndpointAPI)
	to, err := url.Parse(c.root + path)
	if err != nil {
		return err
	}
	req.URL, req.Host = to, to.Host
	return nil
}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
