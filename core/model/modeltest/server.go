package modeltest

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"time"

	"talaria/core/sleep"
)

// Options change a server. The zero value is fine.
type Options struct {
	Key  string // the only key that is let in; empty: no key is asked for
	Keep int    // how many of the newest requests to remember; zero: 256; negative: none
}

// Server is a scripted model endpoint on a loopback port.
type Server struct {
	script Script
	key    string
	keep   int
	http   *httptest.Server

	mu       sync.Mutex
	count    int
	open     int
	refusals []string
	requests []Request
	changed  chan struct{} // closed and replaced when one of the above changes
}

// Start runs a server until Close.
func Start(script Script, o Options) *Server {
	s := &Server{script: script, key: o.Key, keep: o.Keep, changed: make(chan struct{})}
	if s.keep == 0 {
		s.keep = 256
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, openaiFormat{}) })
	mux.HandleFunc("POST /v1/messages", func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, anthropicFormat{}) })
	s.http = httptest.NewServer(mux)
	return s
}

// URL is the server's address without a path. The base URL of an OpenAI client
// is URL() + "/v1".
func (s *Server) URL() string { return s.http.URL }

// Close cuts what is still open and stops the server.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Requests are the valid requests so far, as many as are kept.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Refusals are the reasons why requests were found to be malformed.
func (s *Server) Refusals() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.refusals)
}

// Count is the number of valid requests so far.
func (s *Server) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

// AwaitCount waits until there were n valid requests.
func (s *Server) AwaitCount(ctx context.Context, n int) error {
	return s.await(ctx, func() bool { return s.count >= n })
}

// AwaitIdle waits until no exchange is open: each client has its answer or
// has left.
func (s *Server) AwaitIdle(ctx context.Context) error {
	return s.await(ctx, func() bool { return s.open == 0 })
}

func (s *Server) await(ctx context.Context, done func() bool) error {
	for {
		s.mu.Lock()
		ok, changed := done(), s.changed
		s.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// change runs f under the lock and wakes who waits.
func (s *Server) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
}

// format is one vendor's way to ask, to answer and to refuse.
type format interface {
	parse(h http.Header, body []byte, key string) (Request, *refusal)
	events(r Request, a Answer) *eventList
	document(r Request, a Answer) []byte
	fault(f Fault) *refusal
	errorEvent() []byte
	refuse(w http.ResponseWriter, f *refusal)
}

// refusal is an error status with the vendor's words.
type refusal struct {
	status              int
	kind, code, message string
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request, f format) {
	s.change(func() { s.open++ })
	defer s.change(func() { s.open-- })
	var buffer bytes.Buffer
	buffer.Grow(int(max(r.ContentLength, 0)) + bytes.MinRead)
	if _, err := buffer.ReadFrom(r.Body); err != nil {
		return // the client has left
	}
	body := buffer.Bytes()
	request, refused := f.parse(r.Header, body, s.key)
	if refused != nil {
		s.change(func() { s.refusals = append(s.refusals, refused.message) })
		f.refuse(w, refused)
		return
	}
	request.Header, request.Body = r.Header, body
	s.change(func() {
		s.count++
		request.N = s.count
		if s.keep > 0 {
			s.requests = append(s.requests[max(0, len(s.requests)-s.keep+1):], request)
		}
	})
	s.answer(w, r, f, request)
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, f format, request Request) {
	a := s.script(request)
	if !sleep.For(r.Context(), a.Delay) {
		return
	}
	if a.Fault != "" {
		if a.RetryAfter != "" {
			w.Header().Set("Retry-After", a.RetryAfter)
		}
		f.refuse(w, f.fault(a.Fault))
		return
	}
	if a.Raw != nil {
		sendRaw(w, a)
		return
	}
	a.Calls = slices.Clone(a.Calls)
	for i := range a.Calls {
		if a.Calls[i].ID == "" {
			a.Calls[i].ID = callID(request, i)
		}
	}
	if !request.Stream {
		w.Header().Set("Content-Type", "application/json")
		w.Write(f.document(request, a)) // the client may have left; that is its business
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	play(w, r, f, a, f.events(request, a))
}

func sendRaw(w http.ResponseWriter, a Answer) {
	w.Header().Set("Content-Type", "text/event-stream")
	if a.Type != "" {
		w.Header().Set("Content-Type", a.Type)
	}
	w.Write(a.Raw)
	if a.Break == Cut {
		cut(w)
	}
}

// play sends events at the answer's pace, up to where it breaks.
func play(w http.ResponseWriter, r *http.Request, f format, a Answer, events *eventList) {
	n := events.len()
	if a.Break != "" {
		n = min(a.After, n)
	}
	if a.Gap == 0 {
		w.Write(events.upTo(n))
	} else if !trickle(w, r, a.Gap, events, n) {
		return
	}
	switch a.Break {
	case Cut:
		cut(w)
	case Stall:
		flush(w)
		<-r.Context().Done()
	case Event:
		w.Write(f.errorEvent())
	}
}

func trickle(w http.ResponseWriter, r *http.Request, gap time.Duration, events *eventList, n int) bool {
	for i := range n {
		if i > 0 && !sleep.For(r.Context(), gap) {
			return false
		}
		w.Write(events.at(i))
		flush(w)
	}
	return true
}

// cut closes the connection after what was written.
func cut(w http.ResponseWriter) {
	flush(w)
	panic(http.ErrAbortHandler)
}

func flush(w http.ResponseWriter) {
	http.NewResponseController(w).Flush() // an error means that the client has left
}
