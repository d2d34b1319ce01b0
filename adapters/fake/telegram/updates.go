package telegram

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

func decimal(id int64) string { return strconv.FormatInt(id, 10) }

// firstUpdate is the id of the first update.
const firstUpdate = 1000

// notByDefault are not given out where allowed_updates was never set
// (core.telegram.org/bots/api#getupdates).
var notByDefault = []string{"chat_member", "message_reaction", "message_reaction_count"}

// Inbound is the life of one update.
type Inbound struct {
	ID, Chat, Message int64 // Message is zero where it is about none
	User              int64
	At                time.Time // when it happened
	Offered           int       // times that it was given out
	FirstOffered      time.Time
	Confirmed         time.Time // zero: it would still be given out
}

// pending is an update that is kept until it is confirmed.
type pending struct {
	*Inbound
	raw []byte
}

// updates is the queue of one bot.
type updates struct {
	mu      sync.Mutex
	queue   []pending
	log     []*Inbound // all, by id from firstUpdate
	allowed []string   // nil: never set
	arrived chan struct{}
	poll    int64 // number of the newest poll; older ones are ended

	conflicts atomic.Int64
	unasked   atomic.Int64 // updates of kinds that the bot did not ask for
}

func (u *updates) init() { u.arrived = make(chan struct{}) }

func (u *updates) wants(kind string) bool {
	if len(u.allowed) == 0 {
		return !slices.Contains(notByDefault, kind)
	}
	return slices.Contains(u.allowed, kind)
}

// add queues an update of the kind. One that the bot did not ask for is only
// logged, unless it is forced.
func (u *updates) add(kind string, body any, about Inbound, forced bool) Inbound {
	content, err := json.Marshal(body)
	if err != nil {
		panic(err) // a mistake of the test's
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	about.ID, about.At = firstUpdate+int64(len(u.log)), time.Now()
	entry := &about
	u.log = append(u.log, entry)
	if !forced && !u.wants(kind) {
		u.unasked.Add(1)
		entry.Confirmed = entry.At
		return *entry
	}
	raw := make([]byte, 0, len(content)+64)
	raw = append(strconv.AppendInt(append(raw, `{"update_id":`...), entry.ID, 10), `,"`...)
	raw = append(append(append(raw, kind...), `":`...), content...)
	u.queue = append(u.queue, pending{entry, append(raw, '}')})
	u.wake()
	return *entry
}

// wake ends the waiting of polls. The lock is held.
func (u *updates) wake() {
	close(u.arrived)
	u.arrived = make(chan struct{})
}

// confirm forgets what lies before offset; a negative one keeps only the last
// ones. The lock is held.
func (u *updates) confirm(offset int64) {
	now := time.Now()
	n := 0
	for n < len(u.queue) && (u.queue[n].ID < offset || offset < 0 && int64(len(u.queue)-n) > -offset) {
		u.queue[n].Confirmed = now
		n++
	}
	u.queue = slices.Delete(u.queue, 0, n)
}

// offer gives out up to limit updates as a JSON array. The lock is held.
func (u *updates) offer(limit int) []byte {
	now := time.Now()
	out := []byte{'['}
	for i, p := range u.queue[:min(limit, len(u.queue))] {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, p.raw...)
		p.given(now)
	}
	return append(out, ']')
}

func (in *Inbound) given(now time.Time) {
	if in.Offered++; in.Offered == 1 {
		in.FirstOffered = now
	}
}

func (s *Server) getUpdates(c *call) reply {
	if s.hook.url() != "" {
		return refuse(http.StatusConflict, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first")
	}
	u := &s.updates
	limit := c.params.Limit.v
	if limit < 1 || limit > 100 {
		limit = 100
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if c.params.Allowed.given {
		u.allowed = c.params.Allowed.v
	}
	u.poll++
	mine := u.poll
	u.wake() // an older poll ends with a conflict
	if c.params.Offset.v != 0 {
		u.confirm(c.params.Offset.v)
		s.Raise()
	}
	deadline := time.NewTimer(time.Duration(c.params.Timeout.v) * time.Second)
	defer deadline.Stop()
	for expired := c.params.Timeout.v <= 0; len(u.queue) == 0 && !expired; {
		arrived := u.arrived
		u.mu.Unlock()
		select {
		case <-arrived:
		case <-deadline.C:
			expired = true
		case <-c.ctx.Done():
			expired = true
		}
		u.mu.Lock()
		if u.poll != mine {
			u.conflicts.Add(1)
			return refuse(http.StatusConflict, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running")
		}
	}
	if c.ctx.Err() != nil {
		return yes // nobody listens
	}
	return reply{result: u.offer(limit)}
}

// settle confirms one update, as a webhook does.
func (u *updates) settle(id int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.queue = slices.DeleteFunc(u.queue, func(p pending) bool {
		if p.ID == id {
			p.Confirmed = time.Now()
		}
		return p.ID == id
	})
}
