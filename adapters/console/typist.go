package console

import (
	"crypto/rand"
	"fmt"
	"slices"
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
	run      string // makes ids differ from those of earlier processes
	language string // of whoever types, in BCP 47; empty: unknown
	now      func() time.Time

	mu     sync.Mutex // guards the rest
	count  int
	latest string  // id of what was shown last
	offers []offer // those whose numbers can be typed, the latest last
}

// maxOffers is how many messages with buttons can still be answered by typing a
// number. What scrolled away long ago is forgotten.
const maxOffers = 12

// offer is a message's buttons: typing first presses the first of them.
type offer struct {
	message string
	first   int
	buttons []chat.Button
}

func (o offer) end() int { return o.first + len(o.buttons) }

func (o offer) has(n int) bool { return n >= o.first && n < o.end() }

func newTypist(language string) *typist {
	return &typist{run: rand.Text()[:10], language: language, now: time.Now}
}

func (t *typist) id() string {
	t.count++
	return fmt.Sprintf("%s-%d", t.run, t.count)
}

// shown gives an id to a message, and the number from which its buttons, if it
// has any, are counted.
func (t *typist) shown(buttons []chat.Button) (id string, first int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	id = t.id()
	return id, t.offer(id, buttons)
}

// edited renews the choices of a message that was replaced.
func (t *typist) edited(id string, buttons []chat.Button) (first int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.offer(id, buttons)
}

// offer numbers buttons. Numbers run on, so that those of earlier messages
// stay true; a message that is replaced keeps its own where there is room.
func (t *typist) offer(id string, buttons []chat.Button) (first int) {
	t.latest = id
	had := offer{}
	if i := slices.IndexFunc(t.offers, func(o offer) bool { return o.message == id }); i >= 0 {
		had = t.offers[i]
		t.offers = slices.Delete(t.offers, i, i+1)
	}
	if len(buttons) == 0 {
		return 0
	}
	first = 1
	for _, o := range t.offers {
		first = max(first, o.end())
	}
	if had.first > 0 && (len(buttons) <= len(had.buttons) || had.end() > first) {
		first = had.first
	}
	t.offers = append(t.offers, offer{id, first, buttons})
	t.offers = t.offers[max(0, len(t.offers)-maxOffers):]
	return first
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
		Author:    chat.Author{Identity: Person(), Language: t.language},
		Addressed: chat.ByDM,
		Origin:    chat.Member,
	}
	if c, ok := inbound.ParseCommand(text); ok {
		e.Kind, e.Addressed = chat.Command, chat.ByCommand
		e.Command = &chat.CommandCall{Name: c.Name, Args: c.Args}
		return e
	}
	if b, message, ok := t.choice(text); ok {
		e.Kind, e.Message = chat.Press, message
		e.Press = &chat.PressData{Action: b.Action, Token: b.Token}
		return e
	}
	e.Text = text
	return e
}

// choice is the button whose number was typed, or its label while nothing else was
// shown since, if one was, and its message.
func (t *typist) choice(text string) (b chat.Button, message string, ok bool) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return t.labelled(strings.TrimSpace(text))
	}
	for _, o := range t.offers {
		if o.has(n) {
			return o.buttons[n-o.first], o.message, true
		}
	}
	return b, "", false
}

// noButton reports whether what was shown last asks with buttons, and text is a
// number that none has, and tells the numbers of what was shown last.
func (t *typist) noButton(text string) (first, last int, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || !t.asks() || slices.ContainsFunc(t.offers, func(o offer) bool { return o.has(n) }) {
		return 0, 0, false
	}
	o := t.offers[len(t.offers)-1]
	return o.first, o.end() - 1, true
}

// asks reports whether what was shown last has buttons.
func (t *typist) asks() bool {
	return len(t.offers) > 0 && t.offers[len(t.offers)-1].message == t.latest
}

// labelled is the button of what was shown last that has a label.
func (t *typist) labelled(label string) (b chat.Button, message string, ok bool) {
	if !t.asks() {
		return b, "", false
	}
	o := t.offers[len(t.offers)-1]
	n := slices.IndexFunc(o.buttons, func(b chat.Button) bool { return strings.EqualFold(b.Label, label) })
	if n < 0 {
		return b, "", false
	}
	return o.buttons[n], o.message, true
}
