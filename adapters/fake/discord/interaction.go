package discord

import (
	"net/http"
	"time"
)

// interaction is a command, press or form of a person's.
type interaction struct {
	id, token string
	place     *place
	user      string
	at        time.Time
	answered  time.Time
	original  *Message // the deferred or first answer; of a press its card
	card      bool
	submits   bool // it is a submitted form
	asks      bool // for completions
	choices   []map[string]any
	form      *Form // that was shown as the first response
}

// The types of responses.
const (
	deferAnswer = 5
	deferUpdate = 6
	choices     = 8
	showForm    = 9
)

// createResponse takes the first response to an interaction
// (discord.com/developers/docs/interactions/receiving-and-responding).
func (s *Server) createResponse(c *call) reply {
	i := s.interactions[c.PathValue("token")]
	switch {
	case i == nil || i.id != c.PathValue("id") || time.Since(i.at) > s.opts.AnswerTime:
		return refuse(http.StatusNotFound, 10062, "Unknown interaction")
	case !i.answered.IsZero():
		return refuse(http.StatusBadRequest, 40060, "Interaction has already been acknowledged.")
	case i.asks && c.body.Type != choices:
		return invalidForm("type")
	}
	switch c.body.Type {
	case deferAnswer:
		now := time.Now()
		m := &Message{ID: s.id(), User: BotID, Flags: loading, At: now, History: []Version{{"", now}}}
		if c.body.Data != nil && c.body.Data.Flags&ephemeral != 0 {
			m.Flags |= ephemeral
			m.Private = i.user
		}
		i.original = m
		m.Channel = i.place.id
		i.place.messages = append(i.place.messages, m)
	case deferUpdate:
	case choices:
		// At most 25, and nothing but choices may answer what asks for them.
		if !i.asks || c.body.Data == nil || c.body.Data.Choices == nil || len(*c.body.Data.Choices) > maxOptions || !validChoices(*c.body.Data.Choices) {
			return invalidForm("data.choices")
		}
		i.choices = *c.body.Data.Choices
	case showForm:
		if bad := s.showForm(i, c); bad != nil {
			return *bad
		}
	default:
		return invalidForm("type")
	}
	i.answered = time.Now()
	return reply{}
}

// live is the interaction of a token that still answers. The lock is held.
func (s *Server) live(c *call) (*interaction, *reply) {
	i := s.interactions[c.PathValue("token")]
	var bad reply
	switch {
	case i == nil || i.answered.IsZero():
		bad = refuse(http.StatusNotFound, 10015, "Unknown Webhook")
	case time.Since(i.at) > s.opts.TokenLife:
		bad = refuse(http.StatusUnauthorized, 50027, "Invalid Webhook Token")
	default:
		return i, nil
	}
	return nil, &bad
}

// createFollowup takes a further answer; the first one after a deferral takes
// its place, and is seen by whoever that was to be seen by.
func (s *Server) createFollowup(c *call) reply {
	i, bad := s.live(c)
	if bad != nil {
		return *bad
	}
	if bad := c.body.check(); bad != nil {
		return *bad
	}
	s.quiet(c)
	if o := i.original; o != nil && !i.card && o.Flags&loading != 0 {
		s.edit(o, c)
		return ok(s.wire(i.place, o, true))
	}
	m := s.newMessage(c)
	if m.Flags&ephemeral != 0 {
		m.Private = i.user
	}
	s.show(i.place, m)
	return ok(s.wire(i.place, m, true))
}

// answerOf finds an answer of an interaction.
func (s *Server) answerOf(c *call) (*interaction, *Message, *reply) {
	i, bad := s.live(c)
	if bad != nil {
		return nil, nil, bad
	}
	id := c.PathValue("message")
	if id == "@original" && i.original != nil && !i.original.Deleted {
		return i, i.original, nil
	}
	for _, m := range i.place.messages {
		if m.ID == id && !m.Deleted && m.User == BotID && (m.Private == i.user || m == i.original) {
			return i, m, nil
		}
	}
	r := noMessage()
	return nil, nil, &r
}

func (s *Server) getAnswer(c *call) reply {
	i, m, bad := s.answerOf(c)
	if bad != nil {
		return *bad
	}
	return ok(s.wire(i.place, m, true))
}

func (s *Server) editAnswer(c *call) reply {
	i, m, bad := s.answerOf(c)
	if bad != nil {
		return *bad
	}
	if bad := c.body.check(); bad != nil {
		return *bad
	}
	s.quiet(c)
	s.edit(m, c)
	return ok(s.wire(i.place, m, true))
}

func (s *Server) deleteAnswer(c *call) reply {
	i, m, bad := s.answerOf(c)
	if bad != nil {
		return *bad
	}
	s.remove(i.place, m)
	return reply{}
}
