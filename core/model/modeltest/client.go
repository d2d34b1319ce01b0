package modeltest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
)

// Client is an HTTP client whose connections end with the server.
func (s *Server) Client() *http.Client { return s.http.Client() }

// Standing is a client for which the server stands in for a host: whatever is
// sent there over HTTPS comes here in the clear.
func (s *Server) Standing(host string) *http.Client {
	inner := s.http.Client().Transport
	return &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.URL.Hostname() != host {
			return nil, fmt.Errorf("modeltest: a request to %s, want %s", r.URL.Hostname(), host)
		}
		r = r.Clone(r.Context())
		r.URL.Scheme, r.URL.Host = "http", s.http.Listener.Addr().String()
		return inner.RoundTrip(r)
	})}
}

// Canned is a client that gets the same stream for whatever it asks, without a
// server and so fast enough for fuzzing.
func Canned(stream []byte) *http.Client {
	return &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{
			StatusCode: http.StatusOK,
			Header:     http.Header{"Content-Type": {"text/event-stream"}},
			Body:       io.NopCloser(bytes.NewReader(stream)),
			Request:    r,
		}, nil
	})}
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
