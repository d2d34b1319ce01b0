package console

import (
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// Platform is the adapter's name.
const Platform = "console"

// Person is the identity of whoever sits at the console.
func Person() chat.Identity { return chat.Identity{Platform: Platform} }

// Address is the only conversation there is.
func Address() chat.Address { return chat.Address{Platform: Platform, Chat: Platform} }

// typist turns what is typed into events, and gives ids to what is shown.
type typist struct {
	run string // makes ids differ from those of earlier processes
	now func() time.Time

	mu      sync.Mutex // guards the rest
	count   int
	message string        // id of the latest message with choices
	choices []chat.Button // its buttons; typing a number presses one
}

func newTypist() *typist { return &typist{run: rand.Text()[:10], now: time.Now} }

func (t *typist) id() string {
	t.count++
	return fmt.Sprintf("%s-%d", t.run, t.count)
}

// shown gives an id to a message, and makes its buttons, if it has any, the
// current choices.
func (t *typist) shown(buttons []chat.Button) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	id := t.id()
	t.offer(id, buttons)
	return id
}

// edited renews the choices of a message that was replaced.
func (t *typist) edited(id string, buttons []chat.Button) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(buttons) == 0 && t.message == id {
		t.choices = nil
	}
	t.offer(id, buttons)
}

func (t *typist) offer(id string, buttons []chat.Button) {
	if len(buttons) > 0 {
		t.message, t.choices = id, buttons
	}
}

// event makes an event of what was typed.
func (t *typist) event(text string) chat.Event {
	t.mu.Lock()
	defer t.mu.Unlock()
	id := t.id()
	e := chat.Event{
		Kind:      chat.Message,
		Keys:      []string{"console:" + id},
		At:        t.now().UTC(),
		Address:   Address(),
		Direct:    true,
		Message:   id,
		Author:    chat.Author{Identity: Person()},
		Addressed: chat.ByDM,
		Origin:    chat.Member,
	}
	if c, ok := inbound.ParseCommand(text); ok {
		e.Kind, e.Addressed = chat.Command, chat.ByCommand
		e.Command = &chat.CommandCall{Name: c.Name, Args: c.Args}
		return e
	}
	if b, ok := t.choice(text); ok {
		e.Kind, e.Message = chat.Press, t.message
		e.Press = &chat.PressData{Action: b.Action, Token: b.Token}
		return e
	}
	e.Text = text
	return e
}

// choice is the button whose number was typed, if one was.
func (t *typist) choice(text string) (chat.Button, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 1 || n > len(t.choices) {
		return chat.Button{}, false
	}
	return t.choices[n-1], true
}
