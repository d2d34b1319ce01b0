package wire

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"talaria/core/chat"
)

// maxReply is more than the largest answer: a page of messages, or of updates.
const maxReply = 16 << 20

// NewTransport is the transport to one platform. Its timeouts are about
// connections: each call is bounded by its own context.
func NewTransport() *http.Transport {
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

// CloseIdle lets go of a transport's connections that nobody uses.
func CloseIdle(t http.RoundTripper) { (&http.Client{Transport: t}).CloseIdleConnections() }

// Exchange is the record of one call. Status is zero until an answer began.
type Exchange struct {
	Status int
	Header http.Header
	Body   []byte
	Err    error // of the transport

	sent atomic.Bool // the request may have reached the server
}

// Client is an HTTP client for this one call, under ctx whatever context the
// library gives its request. It reads the answer into x and gives the library a
// copy, or what shown makes of it; shown may be nil. Redirects are not
// followed: they would take the token elsewhere.
func (x *Exchange) Client(ctx context.Context, transport http.RoundTripper, shown func(*http.Response)) *http.Client {
	ctx = x.Trace(ctx)
	return &http.Client{CheckRedirect: Stay, Transport: roundTripper(func(req *http.Request) (*http.Response, error) {
		resp, err := transport.RoundTrip(req.WithContext(ctx))
		if err != nil {
			x.Err = err
			return nil, err
		}
		defer resp.Body.Close()
		x.Status, x.Header = resp.StatusCode, resp.Header
		if x.Body, x.Err = io.ReadAll(io.LimitReader(resp.Body, maxReply)); x.Err != nil {
			return nil, x.Err
		}
		resp.Body = io.NopCloser(bytes.NewReader(x.Body))
		if shown != nil {
			shown(resp)
		}
		return resp, nil
	})}
}

// Trace notes in x whether a request under the context that it returns got as
// far as the wire.
func (x *Exchange) Trace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:      func(string) { x.sent.Store(false) }, // also when net/http retries what it never wrote
		WroteHeaders: func() { x.sent.Store(true) },
	})
}

// Failure is the error of a call that got no answer. Without an error of the
// transport the request could not even be made, and err says why.
func (x *Exchange) Failure(op string, err error, secrets ...string) *chat.Error {
	kind := chat.Transient
	switch {
	case x.sent.Load():
		kind = chat.UnknownOutcome
	case x.Err == nil:
		kind = chat.Permanent
	}
	return &chat.Error{Kind: kind, Op: op, Err: Redact(cmp.Or(x.Err, err), secrets...)}
}

// Redact takes the address out of an error, which may hold a token or a ticket,
// and the secrets wherever they stand.
func Redact(err error, secrets ...string) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if err == nil {
		return nil
	}
	text := err.Error()
	for _, secret := range secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[token]")
		}
	}
	if text != err.Error() {
		return errors.New(text)
	}
	return err
}

// Stay is a CheckRedirect that follows none.
func Stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
