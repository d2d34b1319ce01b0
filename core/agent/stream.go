package agent

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// Bounds on what one model call may give.
const (
	maxReply = 256 << 10 // bytes of text; past it the stream is dropped and the text marked as cut
	maxCalls = 32        // calls in one message; those beyond are told off
	maxArgs  = 128 << 10 // bytes of one call's arguments
)

// stopRunaway: the text outgrew maxReply, which no real answer does.
const stopRunaway Stop = "runaway"

// reply is what one model call gave, whole.
type reply struct {
	text   string
	calls  []Call
	stop   Stop
	opaque json.RawMessage
}

// partialError is a failed model call of which something had been shown, so
// that nobody further down could try it again.
type partialError struct{ error }

func (p partialError) Unwrap() error { return p.error }

func (r *run) request(more []Message, tools []Spec) Request {
	msgs := make([]Message, 0, len(r.history)+len(r.own)+len(more))
	msgs = append(append(append(msgs, r.history...), r.own...), more...)
	return r.bounded(Request{
		Prefix: r.turn.Prefix, Tools: tools, Messages: msgs,
		MaxTokens: r.l.cfg.Answer, Session: r.turn.Session,
	})
}

// stream makes one model call and shows its text as it comes. It ends by the
// given time, or when the model falls silent.
func (r *run) stream(ctx context.Context, q Request, by time.Time, show func(string)) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, by.Sub(r.l.cfg.Now()))
	defer cancel()
	idle := time.AfterFunc(r.l.cfg.Budgets.Idle, cancel)
	defer idle.Stop()

	var got reply
	var usage Usage
	var text strings.Builder
	r.calls++
	defer func() { r.pay(q, usage, text.Len()) }()
	for d, err := range r.model.Stream(ctx, q) {
		if err != nil {
			return reply{}, r.failure(err, text.Len() > 0 || len(got.calls) > 0)
		}
		idle.Reset(r.l.cfg.Budgets.Idle)
		if d.Usage != nil {
			usage = *d.Usage
		}
		if d.Text != "" {
			text.WriteString(clean(d.Text))
			show(text.String())
		}
		if d.Call != nil {
			got.calls = append(got.calls, *d.Call)
		}
		if len(d.Opaque) > 0 && json.Valid(d.Opaque) {
			got.opaque = d.Opaque
		}
		if text.Len() > maxReply {
			d.Stop = stopRunaway
		}
		if d.Stop != "" {
			got.stop, got.text = d.Stop, text.String()
			return got, nil
		}
	}
	return reply{}, r.failure(errors.New("the stream ended without a stop"), true)
}

// failure makes every fault of a stream a *ModelError, as the interface has it.
func (r *run) failure(err error, partial bool) error {
	e, ok := errors.AsType[*ModelError](err)
	if !ok {
		e = &ModelError{Kind: ModelCut, Model: r.model.Name(), Err: err}
	}
	if partial {
		return partialError{e}
	}
	return e
}

// show lets people see a text that goes on behind what was said before.
func (r *run) show(said string) func(string) {
	return func(text string) {
		if r.hooks.Show != nil {
			r.hooks.Show(r.guardedSoFar(r.veil.sofar(said + text)))
		}
	}
}

// unseen is for calls that are nobody's to watch.
func unseen(string) {}

// pay books a model call and learns from it how the provider counts. Where it
// did not count, a turn with tokens of its own is charged what was likely used.
func (r *run) pay(q Request, u Usage, said int) {
	if u == (Usage{}) && r.turn.Tokens > 0 {
		u = Usage{Input: r.l.scale.tokens(estimate(q)), Output: said / 4}
	}
	r.usage, r.step = r.usage.Plus(u), r.step.Plus(u)
	if u.Input > 0 && r.model == r.l.cfg.Model {
		r.l.scale.learn(u.Input, estimate(q))
	}
}
