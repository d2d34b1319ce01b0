package telegram

import (
	"slices"
	"time"
)

// Draft is what a person saw of a message while the bot was writing it.
type Draft struct {
	ID, Thread int64
	Texts      []string // as it grew
	At         time.Time
}

// draftLife is how long a draft is shown after its last change
// (core.telegram.org/bots/api#sendmessagedraft).
const draftLife = 30 * time.Second

// sendMessageDraft shows the beginning of a message in a private chat; it stays
// until the message is sent, or for a while.
func (s *Server) sendMessageDraft(c *call) reply {
	if c.params.Draft.v == 0 {
		return badRequest("DRAFT_ID_INVALID")
	}
	if units(c.params.Text) > maxText {
		return badRequest("message is too long")
	}
	entities, why := checkEntities(c.params.Text, c.params.Entities.v)
	if why != "" {
		return badRequest(why)
	}
	s.judge(c, c.params.Text, entities)
	p, refusal := s.target(c)
	if refusal.code != 0 {
		return refusal
	}
	defer p.mu.Unlock()
	switch {
	case p.kind != "private":
		return badRequest("TEXTDRAFT_PEER_INVALID")
	case c.params.Thread.v != 0 && !p.topics[c.params.Thread.v]:
		return badRequest("message thread not found")
	}
	d := p.draft()
	if d == nil || d.ID != c.params.Draft.v {
		p.drafts = append(p.drafts, Draft{ID: c.params.Draft.v, Thread: c.params.Thread.v})
		d = &p.drafts[len(p.drafts)-1]
	}
	d.Texts, d.At = append(d.Texts, c.params.Text), time.Now()
	p.drafting = true
	return yes
}

// draft is what is shown now, nil where nothing is. The lock is held.
func (p *place) draft() *Draft {
	if !p.drafting || time.Since(p.drafts[len(p.drafts)-1].At) > draftLife {
		return nil
	}
	return &p.drafts[len(p.drafts)-1]
}

// Drafts are all drafts of a chat, in order.
func (s *Server) Drafts(chat int64) []Draft {
	p := s.places.find(chat)
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.drafts)
}

// Drafting is the text of the draft that a chat shows now, false where it shows
// none.
func (s *Server) Drafting(chat int64) (string, bool) {
	p := s.places.find(chat)
	if p == nil {
		return "", false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.draft()
	if d == nil {
		return "", false
	}
	return d.Texts[len(d.Texts)-1], true
}
