package modeltest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/agent"
)

func runAnswers(t *testing.T, h Harness) {
	t.Run("text comes in the pieces it was sent in", func(t *testing.T) {
		w := h.world(t, Always(Answer{Text: []string{"One ", "two\n", "三 \"3\" \u2028"}, Usage: Usage{Input: 100, CacheRead: 64, Output: 7}}))
		g := w.hello()
		if diff := cmp.Diff([]string{"One ", "two\n", "三 \"3\" \u2028"}, g.Pieces); diff != "" || g.Err != nil {
			t.Errorf("pieces (-want +got), error %v:\n%s", g.Err, diff)
		}
		if want := (agent.Usage{Input: 100, CacheRead: 64, Output: 7}); g.Usage != want || g.Stop != agent.StopEnd {
			t.Errorf("got usage %+v and stop %q, want %+v and end", g.Usage, g.Stop, want)
		}
	})
	t.Run("reasons", func(t *testing.T) {
		for stop, want := range map[Stop]agent.Stop{Done: agent.StopEnd, Length: agent.StopLength, Refused: agent.StopRefused} {
			g := h.world(t, Always(Answer{Text: []string{"Well"}, Stop: stop})).hello()
			if g.Stop != want || g.Err != nil {
				t.Errorf("%s: got %q, %v, want %q", stop, g.Stop, g.Err, want)
			}
		}
	})
	t.Run("an answer without text is an answer", func(t *testing.T) {
		g := h.world(t, Always(Answer{})).hello()
		if g.Err != nil || g.Stop != agent.StopEnd || g.Text != "" {
			t.Errorf("got %q, stop %q, %v", g.Text, g.Stop, g.Err)
		}
	})
	t.Run("the model's name is what is asked for", func(t *testing.T) {
		w := h.world(t, Echo())
		g := w.hello()
		if got := w.server.Requests()[0].Model; got != w.model.Name() || g.Text != "echo: Hello" {
			t.Errorf("asked for %q, named %q, answered %q", got, w.model.Name(), g.Text)
		}
	})
	t.Run("calls come whole however they are cut", func(t *testing.T) {
		calls := []Call{
			{ID: "c_1", Name: "note", Args: `{"text":"早上好 \"quoted\" \\ \n","n":12.50}`},
			{ID: "c_2", Name: "time", Args: `{}`},
			{ID: "c_3", Name: "note", Args: `{"text":""}`},
		}
		for _, split := range []int{0, 1, 2, 3, 7} {
			w := h.world(t, Always(Answer{Text: []string{"Let me see."}, Calls: calls, Split: split}))
			g := w.ask(t.Context(), withTools())
			want := []agent.Call{
				{ID: "c_1", Name: "note", Args: []byte(calls[0].Args)},
				{ID: "c_2", Name: "time", Args: []byte(`{}`)},
				{ID: "c_3", Name: "note", Args: []byte(`{"text":""}`)},
			}
			if diff := cmp.Diff(want, g.Calls); diff != "" || g.Stop != agent.StopCalls || g.Text != "Let me see." {
				t.Errorf("split by %d: stop %q, text %q, %v, calls (-want +got):\n%s", split, g.Stop, g.Text, g.Err, diff)
			}
		}
	})
	t.Run("arguments that are no JSON come as they are", func(t *testing.T) {
		g := h.world(t, Always(Use(Call{ID: "c_1", Name: "note", Args: `{"text": oops`}))).ask(t.Context(), withTools())
		if len(g.Calls) != 1 || string(g.Calls[0].Args) != `{"text": oops` {
			t.Errorf("got %+v, %v", g.Calls, g.Err)
		}
	})
	t.Run("no arguments are an empty object", func(t *testing.T) {
		g := h.world(t, Always(Use(Call{ID: "c_1", Name: "time", Args: ""}))).ask(t.Context(), withTools())
		if len(g.Calls) != 1 || string(g.Calls[0].Args) != `{}` {
			t.Errorf("got %+v, %v", g.Calls, g.Err)
		}
	})
	t.Run("a call that the length limit cut is no call", func(t *testing.T) {
		a := Answer{Calls: []Call{{ID: "c_1", Name: "time", Args: `{}`}, {ID: "c_2", Name: "note", Args: `{"text":"delete a`}}, Stop: Length}
		g := h.world(t, Always(a)).ask(t.Context(), withTools())
		if len(g.Calls) != 1 || g.Calls[0].ID != "c_1" || g.Stop != agent.StopLength {
			t.Errorf("got %+v, stop %q, %v", g.Calls, g.Stop, g.Err)
		}
	})
}

// withTools is a request that offers two tools.
func withTools() agent.Request {
	r := Hello()
	r.MaxTokens = 1000
	r.Session = "session-1"
	r.Tools = []agent.Spec{
		{Name: "note", Description: "Writes a note.", Schema: []byte(`{"type":"object","properties":{"text":{"type":"string"},"b":{},"a":{}},"required":["text"]}`)},
		{Name: "time", Description: "Tells the time.", Schema: []byte(`{"type":"object","properties":{}}`)},
	}
	return r
}
