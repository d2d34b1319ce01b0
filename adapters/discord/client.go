package discord

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"talaria/adapters/wire"
	"talaria/core/chat"

	"github.com/bwmarrin/discordgo"
)

const (
	// callTimeout bounds every call.
	callTimeout = 20 * time.Second
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
		transport = wire.NewTransport()
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

// close lets go of connections that nobody uses.
func (c *client) close() { wire.CloseIdle(c.transport) }

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
	var x wire.Exchange
	// A bucket of its own for each call: the library's wait without a context,
	// and overlapping calls would stand in line.
	bucket := discordgo.NewRatelimiter().LockBucket(r.op)
	_, err := c.session.RequestWithLockedBucket(r.method, r.url, contentType, data, bucket, 0,
		discordgo.WithContext(ctx), discordgo.WithClient(c.through(ctx, &x)))
	c.pace.learn(r, &x)
	return c.outcome(r.op, &x, err, result)
}

// through is the HTTP client for one call, which records what comes of it in x.
func (c *client) through(ctx context.Context, x *wire.Exchange) *http.Client {
	return x.Client(ctx, redirected{c}, func(r *http.Response) {
		r.StatusCode, r.Header, r.Body = http.StatusNoContent, http.Header{}, http.NoBody
	})
}

// redirected is the client's transport to the configured server.
type redirected struct{ *client }

// RoundTrip implements http.RoundTripper.
func (r redirected) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := r.redirect(req); err != nil {
		return nil, err
	}
	return r.transport.RoundTrip(req)
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
