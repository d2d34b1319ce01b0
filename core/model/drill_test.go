package model_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"talaria/core/agent"
	"talaria/core/model"
	"talaria/core/model/anthropic"
	"talaria/core/model/modeltest"
	"talaria/core/model/openai"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// quick is a policy for real sockets.
var quick = model.Policy{Backoff: time.Millisecond, Longest: 50 * time.Millisecond, Patience: 10 * time.Minute}

// drill is one bad day of the preferred endpoint; the other one is well.
type drill struct {
	name   string
	script modeltest.Script
	// What the person is left with: the preferred endpoint's answer, the
	// other's, or an error of a kind.
	want string
	kind agent.ModelErrorKind
	// asked is how often the preferred endpoint is asked, whether or not it has
	// noticed before the model gave up.
	asked int
	// How long its model waits; zero is long enough for all that comes.
	firstWait, idleWait time.Duration
}

func day(name string, s modeltest.Script, want string, k agent.ModelErrorKind, asked int) drill {
	return drill{name: name, script: s, want: want, kind: k, asked: asked}
}

func (d drill) first(wait time.Duration) drill { d.firstWait = wait; return d }
func (d drill) idle(wait time.Duration) drill  { d.idleWait = wait; return d }

const (
	preferred = "preferred"
	other     = "other"
	failed    = "failed"
)

func drills() []drill {
	good := modeltest.Text("pre", "ferred")
	fault := func(f modeltest.Fault) modeltest.Answer { return modeltest.Answer{Fault: f} }
	broken := func(b modeltest.Break, after int) modeltest.Answer {
		return modeltest.Answer{Text: strings.Split("preferred", ""), Break: b, After: after}
	}
	limited := func(after string) modeltest.Answer {
		return modeltest.Answer{Fault: modeltest.RateLimited, RetryAfter: after}
	}
	page := modeltest.Answer{Raw: []byte("<html>log in</html>"), Type: "text/html"}
	always, steps := modeltest.Always, modeltest.Steps
	// Words that are there may not look like silence on a busy machine. Where
	// nothing comes, it may end early.
	const hasty, patient = 100 * time.Millisecond, 5 * time.Second
	return []drill{
		day("all is well", always(good), preferred, 0, 1),
		day("no rights", always(fault(modeltest.Unauthorized)), other, 0, 1),
		day("no funds", always(fault(modeltest.OutOfQuota)), other, 0, 1),
		day("overloaded", always(fault(modeltest.Overloaded)), other, 0, 3),
		day("overloaded once", steps(fault(modeltest.Overloaded), good), preferred, 0, 2),
		day("overloaded twice", steps(fault(modeltest.Overloaded), fault(modeltest.ServerError), good), preferred, 0, 3),
		day("server error", always(fault(modeltest.ServerError)), other, 0, 3),
		day("limited", always(limited("")), other, 0, 3),
		day("limited for a moment", steps(limited("0.02"), good), preferred, 0, 2),
		day("limited for an hour", always(limited("3600")), other, 0, 1),
		day("too long", always(fault(modeltest.TooLong)), failed, agent.ModelTooLong, 1),
		day("refused", always(fault(modeltest.Invalid)), failed, agent.ModelInvalid, 1),
		day("silent", always(modeltest.Answer{Delay: time.Hour}), other, 0, 3).first(hasty),
		day("silent after the headers", always(broken(modeltest.Stall, 0)), other, 0, 3).first(hasty),
		day("cut at once", always(broken(modeltest.Cut, 0)), other, 0, 3),
		day("cut before the first word", always(broken(modeltest.Cut, 1)), other, 0, 3),
		day("cut before the first word, once", steps(broken(modeltest.Cut, 1), good), preferred, 0, 2),
		day("ended before the first word", always(broken(modeltest.End, 1)), other, 0, 3),
		day("an error event before the first word", always(broken(modeltest.Event, 1)), other, 0, 3),
		day("cut amid the words", always(broken(modeltest.Cut, 5)), failed, agent.ModelCut, 1),
		day("ended amid the words", always(broken(modeltest.End, 5)), failed, agent.ModelCut, 1),
		day("silent amid the words", always(broken(modeltest.Stall, 5)), failed, agent.ModelCut, 1).idle(patient),
		day("an error event amid the words", always(broken(modeltest.Event, 5)), failed, agent.ModelTransient, 1),
		day("a login page", always(page), other, 0, 1),
		day("an empty answer", always(modeltest.Answer{Raw: []byte{}}), other, 0, 3),
		day("bytes", always(modeltest.Answer{Raw: []byte("\x00\x01\x02\n\n")}), other, 0, 1),
		day("an endless line", always(modeltest.Answer{Raw: []byte("data: " + strings.Repeat("x", 11<<20))}), failed, agent.ModelInvalid, 1),
		day("11 MB of text", always(modeltest.Huge(11<<20)), failed, agent.ModelInvalid, 1),
		day("a slow but steady answer", always(modeltest.Answer{Text: []string{"p", "r", "e", "f", "e", "r", "r", "e", "d"}, Gap: 20 * time.Millisecond}), preferred, 0, 1),
		day("the script is over", steps(), failed, agent.ModelInvalid, 1),
	}
}

// TestDrills has each provider fail in each way with a healthy one of the
// other format behind it. However the day goes, the turn ends, soon, and no
// half answer passes for a whole one.
func TestDrills(t *testing.T) {
	makers := map[modeltest.Format]func(string, *http.Client, drill) agent.Model{
		modeltest.OpenAI: func(url string, c *http.Client, d drill) agent.Model {
			return openai.New(openai.Config{Name: "o", BaseURL: url + "/v1", Client: c, First: d.firstWait, Idle: d.idleWait})
		},
		modeltest.Anthropic: func(url string, c *http.Client, d drill) agent.Model {
			return anthropic.New(anthropic.Config{Name: "a", BaseURL: url, Client: c, First: d.firstWait, Idle: d.idleWait})
		},
	}
	behind := map[modeltest.Format]modeltest.Format{modeltest.OpenAI: modeltest.Anthropic, modeltest.Anthropic: modeltest.OpenAI}
	for format, second := range behind {
		for _, d := range drills() {
			t.Run(fmt.Sprintf("%s/%s", format, d.name), func(t *testing.T) {
				t.Parallel()
				bad := modeltest.Start(d.script, modeltest.Options{Keep: -1})
				defer bad.Close()
				good := modeltest.Start(modeltest.Always(modeltest.Text(other)), modeltest.Options{})
				defer good.Close()
				asks := &counter{RoundTripper: bad.Client().Transport}
				preferred := makers[format](bad.URL(), &http.Client{Transport: asks}, d)
				d.run(t, model.NewChain(slog.New(slog.DiscardHandler), quick, preferred, makers[second](good.URL(), good.Client(), drill{})), asks)
			})
		}
	}
}

// counter counts requests.
type counter struct {
	http.RoundTripper
	made atomic.Int64
}

func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	c.made.Add(1)
	return c.RoundTripper.RoundTrip(r)
}

func (d drill) run(t *testing.T, chain *model.Chain, asks *counter) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	g := modeltest.Gather(chain.Stream(ctx, modeltest.Hello()))
	got := g.Text
	if g.Err != nil {
		got = failed
		if fault, ok := errors.AsType[*agent.ModelError](g.Err); !ok || fault.Kind != d.kind {
			t.Errorf("got the error %v, want %s", g.Err, d.kind)
		}
	}
	if got != d.want {
		t.Errorf("got %.100q (%v), want %s", got, g.Err, d.want)
	}
	if n := asks.made.Load(); n != int64(d.asked) {
		t.Errorf("the preferred endpoint was asked %d times, want %d", n, d.asked)
	}
}
