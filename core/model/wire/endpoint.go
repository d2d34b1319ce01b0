package wire

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"net/http"
	"time"

	"talaria/core/agent"
)

const (
	defaultFirst = 90 * time.Second // a reasoning model is silent for long before its first token
	defaultIdle  = 60 * time.Second // once it has begun, pieces come every few seconds at most

	maxDocument = 1 << 20 // of an error or of another answer that is no stream
)

// Config describes an endpoint.
type Config struct {
	Model  string        // the model's name, for errors
	Secret string        // the key; cut out of every error
	Client *http.Client  // nil: http.DefaultClient
	First  time.Duration // longest wait for the first byte of an answer; zero: 90 seconds
	Idle   time.Duration // longest silence after it; zero: 1 minute
}

// Endpoint does the HTTP exchanges of one model. It is safe for concurrent use.
type Endpoint struct {
	model, secret string
	client        *http.Client
	first, idle   time.Duration
}

// NewEndpoint makes an Endpoint.
func NewEndpoint(c Config) *Endpoint {
	client := *cmp.Or(c.Client, http.DefaultClient)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Endpoint{
		model:  c.Model,
		secret: c.Secret,
		client: &client,
		first:  cmp.Or(c.First, defaultFirst),
		idle:   cmp.Or(c.Idle, defaultIdle),
	}
}

// Do sends a request and returns the answer if it is a stream of events; it is
// what both SDKs ask of an HTTP client. Every other outcome is an error: a
// *agent.ModelError, or the context's own if r's context ended. The same holds
// for errors that reading the body gives.
func (e *Endpoint) Do(r *http.Request) (*http.Response, error) {
	watch, ctx := e.watch(r.Context())
	resp, err := e.client.Do(r.WithContext(ctx))
	if err != nil {
		defer watch.stop()
		return nil, e.explain(watch, agent.ModelTransient, e.first, err)
	}
	body := &body{source: resp.Body, watch: watch, endpoint: e}
	events := bufio.NewReader(body)
	if err := e.check(resp, events); err != nil {
		body.Close() // the answer is refused already; there is nothing more to say about it
		return nil, err
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{events, body}
	return resp, nil
}

// check accepts what looks like a stream of events. Content types are not
// asked: some endpoints send events under a wrong one, some proxies a page
// under the right one.
func (e *Endpoint) check(resp *http.Response, r *bufio.Reader) error {
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		document, _ := io.ReadAll(io.LimitReader(r, maxDocument)) // half an error body still tells something
		fault := e.Fault(resp.StatusCode, document)
		fault.RetryAfter = retryAfter(resp.Header, time.Now())
		return fault
	}
	switch first, err := firstByte(r); {
	case err == io.EOF:
		return e.Error(agent.ModelCut, errors.New("an empty answer"))
	case err != nil:
		return err
	case first == '<':
		return e.Error(agent.ModelSetUp, errors.New("a web page in place of an answer; is the base URL right?"))
	case first == '{', first == '[':
		document, err := io.ReadAll(io.LimitReader(r, maxDocument))
		if err != nil {
			return err
		}
		if _, ok := parseFault(document); ok {
			return e.Fault(resp.StatusCode, document)
		}
		return e.Error(agent.ModelSetUp, errors.New("a JSON document in place of a stream of events"))
	}
	return nil
}

// firstByte looks at the first byte that is not white space.
func firstByte(r *bufio.Reader) (byte, error) {
	for {
		c, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		switch c {
		case ' ', '\t', '\r', '\n':
		default:
			return c, r.UnreadByte()
		}
	}
}

// Error makes an error of the endpoint's model. The text of err is cleaned.
func (e *Endpoint) Error(kind agent.ModelErrorKind, err error) *agent.ModelError {
	return &agent.ModelError{Kind: kind, Model: e.model, Err: errors.New(clean(err.Error(), e.secret))}
}
