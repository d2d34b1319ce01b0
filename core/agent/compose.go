package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"talaria/core/sleep"
)

const (
	maxCuts     = 2 // further attempts after an answer broke off
	maxContinue = 3 // continuations of an answer that hit the output limit
)

// compose has the model write one whole message: an answer that is too long
// for one call is continued, an empty one asked for once more.
func (r *run) compose(ctx context.Context) (Message, error) {
	var said string
	var more []Message
	for n, nudged := 0, false; ; n++ {
		got, err := r.reply(ctx, more, said)
		if err != nil && said != "" && endsTurn(err) {
			return r.final(said + r.cutMark()), nil
		}
		if err != nil {
			return Message{}, err
		}
		said += got.text
		switch {
		case len(got.calls) > 0:
			return r.asking(said, got), nil
		case got.stop == StopRefused:
			return r.final(r.refusedWords(said)), nil
		case got.stop == StopLength && got.text != "" && n < maxContinue:
			more = append(more, Message{Role: Assistant, Text: got.text, Opaque: got.opaque}, note(continueNote))
		case got.stop == StopLength && said != "", got.stop == stopRunaway:
			return r.final(said + r.cutMark()), nil
		case strings.TrimSpace(r.veil.whole(said)) != "":
			m := r.final(said)
			m.Opaque = got.opaque
			return m, nil
		case nudged:
			return r.final(r.lastWords()), nil
		default:
			said, more, nudged = "", []Message{note(emptyNote)}, true
		}
	}
}

// endsTurn tells errors that end in an answer from those that leave Run.
func endsTurn(err error) bool {
	_, ok := errors.AsType[*broken](err)
	return ok || errors.Is(err, errSpent)
}

// final is a message that ends the turn.
func (r *run) final(text string) Message {
	text = strings.TrimSpace(r.veil.whole(text))
	if text == "" {
		text = r.words(noWords)
	}
	return r.assistant(text)
}

// asking is a message with calls. Their ids are made fit for every provider and
// unique, and their arguments valid JSON, before anything is recorded.
func (r *run) asking(text string, got reply) Message {
	m := r.assistant(strings.TrimSpace(r.veil.whole(text)))
	m.Opaque = got.opaque
	taken := r.callIDs()
	for n, c := range got.calls {
		if n == maxCalls {
			break
		}
		c.Name, c.Args = clean(c.Name), normalArgs(c.Args)
		if !fitID(c.ID) || taken[c.ID] {
			c.ID = r.newID(n)
		}
		taken[c.ID] = true
		m.Calls = append(m.Calls, c)
	}
	return m
}

func (r *run) callIDs() map[string]bool {
	taken := map[string]bool{}
	for _, msgs := range [][]Message{r.history, r.own} {
		for _, m := range msgs {
			for _, c := range m.Calls {
				taken[c.ID] = true
			}
		}
	}
	return taken
}

// newID makes an id that no other turn of the session has.
func (r *run) newID(n int) string {
	sum := sha256.Sum256([]byte(r.turn.ID))
	return fmt.Sprintf("call_%s_%d_%d", hex.EncodeToString(sum[:6]), len(r.own), n)
}

// fitID reports whether an id is one that all providers take back.
func fitID(id string) bool {
	for _, c := range []byte(id) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return id != "" && len(id) <= 64
}

// normalArgs makes arguments a compact JSON object that survives storing
// unchanged. What is none is wrapped, to be told to the model as such.
func normalArgs(raw json.RawMessage) json.RawMessage {
	text := clean(string(raw))
	if strings.TrimSpace(text) == "" {
		return json.RawMessage("{}")
	}
	var object map[string]json.RawMessage
	if len(text) > maxArgs || json.Unmarshal([]byte(text), &object) != nil || object == nil {
		wrapped, _ := json.Marshal(map[string]string{invalidKey: cut(text, 1000)})
		return wrapped
	}
	compact, _ := json.Marshal(json.RawMessage(text))
	return compact
}

// invalidKey is the only member of arguments that were no JSON object.
const invalidKey = "_invalid"

// reply makes model calls until one gives a whole reply. What was shown of a
// call that broke off is shown anew, from the beginning.
func (r *run) reply(ctx context.Context, more []Message, said string) (reply, error) {
	for cuts := 0; ; {
		q, err := r.fitting(ctx, more)
		if err != nil {
			return reply{}, err
		}
		if r.spent() {
			return reply{}, errSpent
		}
		if !r.affords(q, min(r.calls+1, 2)) { // after the first, one is kept for concluding
			return reply{}, errSpent
		}
		got, err := r.stream(ctx, q, r.until, r.show(said))
		switch {
		case err == nil:
			return got, nil
		case ctx.Err() != nil:
			return reply{}, context.Cause(ctx)
		case r.spent():
			return reply{}, errSpent
		}
		e, _ := errors.AsType[*ModelError](err)
		switch {
		case e.Kind == ModelTooLong:
			err = r.shrink(ctx)
		case mayRepeat(err, e) && cuts < maxCuts:
			cuts++
			sleep.For(ctx, time.Duration(cuts)*time.Second)
			err = context.Cause(ctx)
		default:
			err = &broken{r.brokenWords(e), e}
		}
		if err != nil {
			return reply{}, err
		}
	}
}

// mayRepeat: a fault before the first word was tried again by the model, where
// that made sense; one amid the words could only come here.
func mayRepeat(err error, e *ModelError) bool {
	_, partial := errors.AsType[partialError](err)
	return e.Kind == ModelCut || partial && e.Kind == ModelTransient
}
