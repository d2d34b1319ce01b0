package modeltest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"talaria/core/agent"
)

func runFaults(t *testing.T, h Harness) {
	kinds := map[Fault]agent.ModelErrorKind{
		Unauthorized: agent.ModelAuth,
		OutOfQuota:   agent.ModelUnpaid,
		RateLimited:  agent.ModelRateLimited,
		Overloaded:   agent.ModelTransient,
		ServerError:  agent.ModelTransient,
		TooLong:      agent.ModelTooLong,
		Invalid:      agent.ModelInvalid,
	}
	for fault, want := range kinds {
		t.Run(string(fault), func(t *testing.T) {
			w := h.world(t, Always(Answer{Fault: fault}))
			wantKind(t, w.hello(), want)
			if n := w.server.Count(); n != 1 {
				t.Errorf("asked %d times; trying again is not the provider's business", n)
			}
		})
	}
	t.Run("a wrong key", func(t *testing.T) {
		server := Start(Echo(), Options{Key: "another"})
		defer server.Close()
		g := Gather(h.New(Endpoint{URL: server.URL(), Key: testKey, Client: server.Client()}).Stream(t.Context(), Hello()))
		wantKind(t, g, agent.ModelAuth)
		if strings.Contains(g.Err.Error(), testKey) {
			t.Errorf("the error shows the key: %v", g.Err)
		}
	})
	t.Run("Retry-After is passed on", func(t *testing.T) {
		later := time.Now().Add(90 * time.Second).UTC().Format(http.TimeFormat)
		for header, least := range map[string]time.Duration{"7": 7 * time.Second, "0.5": 500 * time.Millisecond, later: 60 * time.Second, "-3": 0, "soon": 0} {
			g := h.world(t, Always(Answer{Fault: RateLimited, RetryAfter: header})).hello()
			fault, ok := errors.AsType[*agent.ModelError](g.Err)
			if !ok || fault.RetryAfter < least || fault.RetryAfter > least+40*time.Second {
				t.Errorf("Retry-After %q: got %v", header, g.Err)
			}
		}
	})
	t.Run("nobody listens", func(t *testing.T) {
		g := Gather(h.New(Endpoint{URL: closedURL(t), Key: testKey}).Stream(t.Context(), Hello()))
		wantKind(t, g, agent.ModelTransient)
	})
	t.Run("no answer at all", func(t *testing.T) {
		w := h.hasty(t, Always(Answer{Delay: time.Hour}), patience, 0)
		wantKind(t, w.hello(), agent.ModelTransient)
	})
}

func runBroken(t *testing.T, h Harness) {
	answer := Answer{Text: []string{"The sum ", "is not"}, Calls: []Call{{Name: "note", Args: `{"text":"abcdef"}`}}, Split: 5}
	for _, how := range []Break{Cut, End} {
		t.Run(string(how)+" after each event", func(t *testing.T) {
			cutEverywhere(t, h, answer, how)
		})
	}
	for _, after := range []int{0, 3} {
		t.Run(fmt.Sprintf("silence after %d events", after), func(t *testing.T) {
			a := answer
			a.Break, a.After = Stall, after
			want, first, idle := agent.ModelCut, time.Duration(0), patience
			if after == 0 {
				want, first, idle = agent.ModelTransient, patience, 0
			}
			g := h.hasty(t, Always(a), first, idle).ask(t.Context(), withTools())
			wantKind(t, g, want)
			if len(g.Calls) > 0 {
				t.Errorf("calls of half an answer: %+v", g.Calls)
			}
		})
	}
	t.Run("a slow answer is not a silent one", func(t *testing.T) {
		t.Parallel() // it takes longer than a silence may, which has to be long for a busy machine
		a := Answer{Text: []string{"a", "b", "c", "d", "e", "f", "g", "h"}, Gap: 800 * time.Millisecond}
		if g := h.hasty(t, Always(a), 0, 6*time.Second).hello(); g.Text != "abcdefgh" {
			t.Errorf("got %q, %v", g.Text, g.Err)
		}
	})
	t.Run("an error event", func(t *testing.T) {
		a := answer
		a.Break, a.After = Event, 4
		wantKind(t, h.world(t, Always(a)).ask(t.Context(), withTools()), agent.ModelTransient)
	})
}

// cutEverywhere breaks an answer after each of its events. Only once its
// reason has come the answer is whole, and then it has its calls.
func cutEverywhere(t *testing.T, h Harness, a Answer, how Break) {
	t.Helper()
	a.Break = how
	whole, cut := 0, 0
	for whole == 0 {
		g := h.world(t, Always(a)).ask(t.Context(), withTools())
		if g.Err == nil {
			whole++
			if g.Stop != agent.StopCalls || len(g.Calls) != 1 || string(g.Calls[0].Args) != `{"text":"abcdef"}` {
				t.Errorf("after %d events: stop %q, calls %+v", a.After, g.Stop, g.Calls)
			}
			continue
		}
		cut++
		wantKind(t, g, agent.ModelCut)
		if len(g.Calls) > 0 {
			t.Errorf("after %d events: calls of half an answer: %+v", a.After, g.Calls)
		}
		if a.After++; a.After > 100 {
			t.Fatal("never whole")
		}
	}
	if cut < 6 {
		t.Errorf("only %d cuts were seen as such", cut)
	}
}

func runGarbage(t *testing.T, h Harness) {
	page := "<!DOCTYPE html><html><body>Please log in" + strings.Repeat(".", 100_000)
	cases := []struct {
		name string
		raw  Answer
		want agent.ModelErrorKind
	}{
		{"a login page", Answer{Raw: []byte(page), Type: "text/html"}, agent.ModelSetUp},
		{"a login page that says it is a stream", Answer{Raw: []byte("\r\n\n" + page)}, agent.ModelSetUp},
		{"a JSON document", Answer{Raw: []byte(`{"hello":"world"}`), Type: "application/json"}, agent.ModelSetUp},
		{"an error under status 200", Answer{Raw: []byte(`{"error":{"message":"overloaded","code":503}}`)}, agent.ModelTransient},
		{"plain text", Answer{Raw: []byte("it works!\n\n")}, agent.ModelSetUp},
		{"bytes", Answer{Raw: []byte("\x00\xff\xfe\x01\n\n\x00")}, agent.ModelSetUp},
		{"an event that is no JSON", Answer{Raw: []byte("event: message_start\ndata: {oops\n\n")}, agent.ModelInvalid},
		{"nothing", Answer{Raw: []byte{}}, agent.ModelCut},
		{"white space", Answer{Raw: []byte("\n\n \n")}, agent.ModelCut},
		{"an endless line", Answer{Raw: []byte("data: " + strings.Repeat("x", 12<<20))}, agent.ModelInvalid},
		{"12 MB of text", Huge(12 << 20), agent.ModelInvalid},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { wantKind(t, h.world(t, Always(c.raw)).hello(), c.want) })
	}
	t.Run("an event of wrong types", func(t *testing.T) {
		g := h.world(t, Always(Answer{Raw: []byte("event: message_start\ndata: [1,2]\n\n")})).hello()
		fault, ok := errors.AsType[*agent.ModelError](g.Err) // unreadable, or no event at all
		if !ok || fault.Kind != agent.ModelInvalid && fault.Kind != agent.ModelSetUp {
			t.Errorf("got %v", g.Err)
		}
	})
	t.Run("9 MB of text are read", func(t *testing.T) {
		if g := h.world(t, Always(Huge(9<<20))).hello(); g.Err != nil || len(g.Text) != 9<<20 {
			t.Errorf("got %d bytes, %v", len(g.Text), g.Err)
		}
	})
}

func runLeaving(t *testing.T, h Harness) {
	a := Answer{Text: []string{"a", "b", "c"}, Break: Stall, After: 100}
	gone := func(t *testing.T, w *world) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if err := w.server.AwaitIdle(ctx); err != nil {
			t.Errorf("the connection is still open: %v", err)
		}
	}
	t.Run("stopping early lets go of the connection", func(t *testing.T) {
		w := h.world(t, Always(a))
		for range w.model.Stream(t.Context(), Hello()) {
			break
		}
		gone(t, w)
	})
	t.Run("a cancelled context ends the stream with its cause", func(t *testing.T) {
		w := h.world(t, Always(Answer{Text: []string{"a", "b", "c", "d", "e", "f"}, Break: Stall, After: 5}))
		cause := errors.New("the user said stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		var last error
		for d, err := range w.model.Stream(ctx, Hello()) {
			last = err
			if d.Text != "" {
				cancel(cause)
			}
		}
		cancel(nil)
		if !errors.Is(last, cause) {
			t.Errorf("got %v, want the cause", last)
		}
		gone(t, w)
	})
	t.Run("a context that has ended asks nobody", func(t *testing.T) {
		w := h.world(t, Echo())
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if g := w.ask(ctx, Hello()); !errors.Is(g.Err, context.Canceled) || w.server.Count() != 0 {
			t.Errorf("got %v after %d requests", g.Err, w.server.Count())
		}
	})
}
