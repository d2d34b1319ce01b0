package modeltest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"talaria/core/agent"
)

// Harness lets the suite make models of a provider.
type Harness struct {
	Format Format
	New    func(Endpoint) agent.Model
}

// Endpoint is where a model of the suite finds its server. Zero times are the
// provider's defaults.
type Endpoint struct {
	URL, Key    string
	Client      *http.Client
	First, Idle time.Duration
}

// patience is how long the suite's models wait where nothing will come.
const patience = 150 * time.Millisecond

// Run checks a provider against the contract of agent.Model and against what
// endpoints do on bad days. A fault found in one provider becomes a case for all.
func Run(t *testing.T, h Harness) {
	t.Run("answers", func(t *testing.T) { runAnswers(t, h) })
	t.Run("histories", func(t *testing.T) { runHistories(t, h) })
	t.Run("faults", func(t *testing.T) { runFaults(t, h) })
	t.Run("broken streams", func(t *testing.T) { runBroken(t, h) })
	t.Run("garbage", func(t *testing.T) { runGarbage(t, h) })
	t.Run("leaving", func(t *testing.T) { runLeaving(t, h) })
}

// world is one server and a model that asks it.
type world struct {
	t      *testing.T
	server *Server
	model  agent.Model
}

// testKey is what the suite's models authenticate with; no error may show it.
const testKey = "sk-suite-0123456789abcdef"

func (h Harness) world(t *testing.T, s Script) *world { return h.hasty(t, s, 0, 0) }

// hasty is a world whose model waits no longer than it is told.
func (h Harness) hasty(t *testing.T, s Script, first, idle time.Duration) *world {
	server := Start(s, Options{Key: testKey})
	t.Cleanup(server.Close)
	return &world{t: t, server: server, model: h.New(Endpoint{URL: server.URL(), Key: testKey, Client: server.Client(), First: first, Idle: idle})}
}

// ask asks with a request and checks what holds for every outcome.
func (w *world) ask(ctx context.Context, r agent.Request) Gathered {
	w.t.Helper()
	g := Gather(w.model.Stream(ctx, r))
	if refusals := w.server.Refusals(); len(refusals) > 0 {
		w.t.Errorf("the request was refused: %q", refusals)
	}
	if g.Err != nil && strings.Contains(g.Err.Error(), testKey) {
		w.t.Errorf("the error shows the key: %v", g.Err)
	}
	return g
}

func (w *world) hello() Gathered {
	w.t.Helper()
	return w.ask(w.t.Context(), Hello())
}

// Hello is the least request.
func Hello() agent.Request {
	return agent.Request{Prefix: "Be brief.", Messages: []agent.Message{{Role: agent.User, Text: "Hello"}}}
}

// wantKind checks that an answer failed with a kind.
func wantKind(t *testing.T, g Gathered, want agent.ModelErrorKind) {
	t.Helper()
	fault, ok := errors.AsType[*agent.ModelError](g.Err)
	switch {
	case !ok:
		t.Errorf("got %v (stop %q), want a model error: %s", g.Err, g.Stop, want)
	case fault.Kind != want:
		t.Errorf("got the kind %q, want %q: %v", fault.Kind, want, g.Err)
	case fault.Model == "" || len(fault.Error()) > 1000:
		t.Errorf("an error without the model's name or too long a text: %.2000s", fault.Error())
	}
}

// closedURL is where nobody listens.
func closedURL(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}
