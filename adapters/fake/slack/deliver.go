package slack

import (
	"encoding/json"
	"slices"
	"time"
)

// Delivery tells of one event, command or interaction on its way.
type Delivery struct {
	ID           string // of the envelope
	Channel, TS  string
	Trigger      string // of commands and interactions
	Offered      int
	Acknowledged time.Time
	Dropped      bool // offered as often as Slack does, never acknowledged
}

// delivery is a Delivery with what it takes.
type delivery struct {
	Delivery
	kind    string // events_api, slash_commands or interactive
	payload json.RawMessage
	reason  string // why it comes again
	timer   timer
	at      *socket // that it was last given to
}

// timer is a time.Timer that may not be there.
type timer struct{ t *time.Timer }

func (t timer) stop() {
	if t.t != nil {
		t.t.Stop()
	}
}

// enqueue gives a new delivery out. The lock is held.
func (s *Server) enqueue(d *delivery) {
	d.ID = s.next("envelope-")
	s.deliveries = append(s.deliveries, d)
	s.byID[d.ID] = d
	s.open++
	s.offer(d)
}

// offer gives a delivery to a socket or to the callback. Without a socket it
// waits. The lock is held.
func (s *Server) offer(d *delivery) {
	switch {
	case s.Ending().Err() != nil || !d.Acknowledged.IsZero():
	case s.spent(d):
	case s.opts.Callback != "":
		s.queue(d)
	default:
		s.give(d)
	}
}

// give writes a delivery to one of the sockets, each in its turn.
func (s *Server) give(d *delivery) {
	c := s.pick()
	if c == nil {
		d.at = nil
		s.idle = append(s.idle, d)
		return
	}
	envelope := map[string]any{"envelope_id": d.ID, "type": d.kind, "payload": d.payload, "accepts_response_payload": d.kind != "events_api"}
	if d.kind == "events_api" {
		envelope["retry_attempt"], envelope["retry_reason"] = d.Offered, d.reason
	}
	data, _ := json.Marshal(envelope)
	d.Offered++
	d.at = c
	c.send(data)
	d.timer.stop()
	d.timer = timer{time.AfterFunc(s.opts.AckTime+s.pause(d.Offered), func() { s.late(d) })}
}

// pause is the time before the n-th try is followed by another: none, a
// minute, five minutes (docs.slack.dev/apis/events-api#retries).
func (s *Server) pause(tries int) time.Duration {
	return []time.Duration{0, 0, s.opts.Minute, 5 * s.opts.Minute}[min(tries, 3)]
}

// late offers a delivery again that was not acknowledged in time.
func (s *Server) late(d *delivery) {
	s.mu.Lock()
	d.reason = "timeout"
	s.offer(d)
	s.mu.Unlock()
	s.Raise()
}

func (s *Server) pick() *socket {
	open := slices.DeleteFunc(slices.Clone(s.sockets), func(c *socket) bool { return c.leaving })
	if len(open) == 0 {
		return nil
	}
	s.turn++
	return open[s.turn%len(open)]
}

// acknowledge notes that a delivery was taken. The lock is held.
func (s *Server) acknowledge(id string) {
	d := s.byID[id]
	if d == nil || !d.Acknowledged.IsZero() {
		return
	}
	d.Acknowledged = time.Now()
	d.timer.stop()
	if !d.Dropped {
		s.open--
	}
}

// spent reports whether a delivery was offered as often as Slack does, and
// gives it up. The lock is held.
func (s *Server) spent(d *delivery) bool {
	if s.opts.Tries < 0 || d.Offered < s.opts.Tries {
		return false
	}
	if !d.Dropped {
		d.Dropped = true
		s.open--
	}
	return true
}

// release gives out what waited for a socket. The lock is held.
func (s *Server) release() {
	waiting := s.idle
	s.idle = nil
	for _, d := range waiting {
		s.give(d)
	}
}

// lost gives out again what a socket that ended had not acknowledged. The lock
// is held.
func (s *Server) lost(c *socket) {
	for _, d := range s.deliveries {
		if d.at == c && d.Acknowledged.IsZero() && !d.Dropped {
			d.timer.stop()
			d.at, d.reason = nil, "socket closed"
			s.offer(d)
		}
	}
}
