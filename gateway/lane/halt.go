package lane

import (
	"context"
	"encoding/json"
	"fmt"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

const haltTopic = "lane.halt"

// halt tells the other replicas that everything within a domain is stopped.
type halt struct {
	From   string        `json:"from"` // the replica, which has done its part
	Domain person.Domain `json:"domain"`
}

// Run stops what another replica was told to stop, until ctx ends. That comes
// by the bus, so a replica that is cut off from it at the moment hears nothing.
func (l *Lanes) Run(ctx context.Context) error {
	halts, err := l.cfg.Store.Subscribe(ctx, haltTopic)
	if err != nil {
		return fmt.Errorf("listen for what is to be stopped: %w", err)
	}
	for m := range halts {
		var h halt
		if err := json.Unmarshal(m.Payload, &h); err == nil && h.From != l.name {
			l.halt(ctx, within(h.Domain))
		}
	}
	return nil
}

// Stop implements command.Session.
func (c control) Stop(ctx context.Context, whose person.ID) int {
	return c.l.halt(ctx, func(key string, t *task) bool { return key == c.key && t.env.Who.Person == whose })
}

// StopAll implements command.Session.
func (c control) StopAll(ctx context.Context, in person.Domain) int {
	data, err := json.Marshal(halt{From: c.l.name, Domain: in})
	if err == nil {
		err = c.l.cfg.Store.Publish(ctx, haltTopic, data)
	}
	if err != nil {
		c.l.cfg.Log.Warn("other replicas were not told to stop", "err", err)
	}
	return c.l.halt(ctx, within(in))
}

func within(d person.Domain) func(string, *task) bool {
	return func(_ string, t *task) bool { return d.Covers(t.env.Who) }
}

// halt ends the turns and drops the waiting requests that match, by their lane
// and task, and returns how many, once they have ended.
func (l *Lanes) halt(ctx context.Context, match func(key string, t *task) bool) (stopped int) {
	type victim struct {
		w       *work
		ended   <-chan struct{} // nil where no turn of it was stopped
		dropped []*task
	}
	var victims []victim
	l.mu.Lock()
	for key, ln := range l.lanes {
		v := victim{w: ln.work}
		v.dropped, ln.queue = split(ln.queue, func(t *task) bool { return request(t) && match(key, t) })
		if run := ln.running; run != nil && match(key, ln.current) {
			v.dropped = append(v.dropped, run.steer...)
			v.ended, run.steer = run.ended, nil
			run.cancel(errStopped)
		}
		victims = append(victims, v)
	}
	l.mu.Unlock()
	for _, v := range victims {
		if v.ended != nil {
			stopped++
			wait(ctx, v.ended)
		}
		if len(v.dropped) > 0 {
			stopped += len(v.dropped)
			l.drop(v.w, v.dropped)
		}
	}
	return stopped
}

// drop takes waiting requests out of the inbox. A job's run that never began is
// over with nothing to tell, so that the next one is not held up by it.
func (l *Lanes) drop(w *work, tasks []*task) {
	l.doneWith(w, func(b *storage.Batch) {
		for _, t := range tasks {
			keepRan(b, t.env.Event, t.env.Who.Person, agent.Answer{Ending: agent.Answered}, false)
		}
	}, tasks...)
}

// request reports whether a task is something that a person asked for: a
// message, a yes to a question, or the run of a job of theirs.
func request(t *task) bool {
	e := t.env.Event
	return t.do == nil && (e.Kind == chat.Message || e.Kind == chat.Tick || consents(e))
}

// split takes the tasks that match out of a queue.
func split(queue []*task, match func(*task) bool) (matching, rest []*task) {
	for _, t := range queue {
		if match(t) {
			matching = append(matching, t)
		} else {
			rest = append(rest, t)
		}
	}
	return matching, rest
}
