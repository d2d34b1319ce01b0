package telegram

import (
	"slices"
	"sync"
	"time"
)

const (
	// maxNotice is how long an answer to a press is at most
	// (core.telegram.org/bots/api#answercallbackquery).
	maxNotice = 200
	// pressLife is how long a press can be answered. It is not documented; this is
	// what bots have seen (github.com/telegraf/telegraf/issues/1719).
	pressLife = 15 * time.Second
)

// Notice is what a press was answered with, which only its person sees.
type Notice struct {
	User, Chat int64
	Text       string
	Alert      bool
	At         time.Time
}

// press is a pressed button.
type press struct {
	user, chat int64
	until      time.Time

	mu     sync.Mutex
	notice *Notice // nil until it is answered
}

var tooOld = badRequest("query is too old and response timeout expired or query ID is invalid")

func (p *press) answer(n Notice) reply {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.notice != nil || time.Now().After(p.until) {
		return tooOld
	}
	n.User, n.Chat, n.At = p.user, p.chat, time.Now()
	p.notice = &n
	return yes
}

func (p *press) answered() *Notice {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.notice
}

// Answered reports whether a press was answered.
func (s *Server) Answered(query string) bool {
	open, known := s.presses.Load(query)
	return known && open.(*press).answered() != nil
}

// Notices are the answers with words to presses in a chat, in their order.
func (s *Server) Notices(chat int64) (all []Notice) {
	s.presses.Range(func(_, open any) bool {
		if n := open.(*press).answered(); n != nil && n.Chat == chat && n.Text != "" {
			all = append(all, *n)
		}
		return true
	})
	slices.SortFunc(all, func(a, b Notice) int { return a.At.Compare(b.At) })
	return all
}
