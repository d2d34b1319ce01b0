package lane

import (
	"slices"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/skill"
	"talaria/core/trace"
	"talaria/storage"
)

// stamp notes when entries were recorded, and keeps them for the trace.
func (t *turn) stamp(entries []agent.Entry) {
	now := time.Now().UTC()
	for n := range entries {
		entries[n].At = now
	}
	t.steps = append(t.steps, entries...)
}

// handOver adds to the turn's last batch what is to be observed of it: all
// that was recorded, by an earlier run of the turn too, however it ended.
func (t *turn) handOver(b *storage.Batch, a agent.Answer, x Exchange) {
	if t.l.cfg.Recorder != nil {
		trace.HandOver(b, t.raw(a, x))
	}
}

// midway is a turn as it stands, once every so many calls and whenever history
// made way, which would be lost to what is learned from the conversation. It
// reports false where nothing is to be told.
func (t *turn) midway() (trace.Raw, bool) {
	calls, folds := 0, 0
	for _, e := range t.steps {
		switch {
		case e.Ended != nil:
			calls++
		case e.Folded != nil:
			folds++
		}
	}
	due := calls/t.l.cfg.EveryCalls + folds
	if t.l.cfg.Recorder == nil || due <= t.told {
		return trace.Raw{}, false
	}
	t.told = due
	e := t.task.env.Event
	raw := t.raw(agent.Answer{}, Exchange{Session: transcript(t.ln.key, t.session.state.Generation), Turn: e.Key(), Message: e.Message, Asked: asked(e), At: time.Now().UTC()})
	raw.Midway = true
	return raw, true
}

// raw is the turn as it is handed over.
func (t *turn) raw(a agent.Answer, x Exchange) trace.Raw {
	e, who := t.task.env.Event, t.task.env.Who
	entries, began := slices.Concat(t.resumed, t.steps), t.began
	if len(entries) > 0 && !entries[0].At.IsZero() && entries[0].At.Before(began) {
		began = entries[0].At
	}
	raw := &trace.RawTurn{
		ID: x.Turn, Who: who.Person, Identity: who.Identity, Direct: e.Direct, Scheduled: e.Kind == chat.Tick,
		Message: x.Message, Began: began, Asked: x.Asked, Answered: x.Answered, Ending: a.Ending, Stopped: t.halted,
		Tokens: a.Usage.Input - a.Usage.CacheRead + a.Usage.Output, Steps: trace.Steps(entries, began), Skills: uses(entries),
		Agrees: t.consent.Turn, Question: t.consent.Question,
	}
	if raw.Scheduled {
		raw.Job = e.Text
	}
	if e.Quoted != nil && e.Quoted.Own {
		raw.ReplyTo = e.ReplyTo
	}
	for _, s := range t.drained {
		raw.Steered = append(raw.Steered, spoken(s.env.Event))
	}
	return trace.Raw{Session: x.Session, Place: e.Address, At: x.At, Turn: raw}
}

// uses are the skills whose bodies were in a turn's prompt.
func uses(entries []agent.Entry) []trace.Use {
	var messages []agent.Message
	for _, e := range entries {
		switch {
		case e.Begun != nil:
			messages = append(messages, agent.Message{Role: agent.User, Origin: chat.Self, Text: e.Begun.Block})
		case e.Ended != nil:
			messages = append(messages, agent.Message{Role: agent.ToolRole, Results: []agent.Outcome{*e.Ended}})
		}
	}
	var out []trace.Use
	for _, u := range skill.InPrompt(messages) {
		out = append(out, trace.Use{Skill: u.Name, Revision: u.Number})
	}
	return out
}

// ended adds to b that a session began anew.
func (l *Lanes) ended(b *storage.Batch, session string) {
	if l.cfg.Recorder != nil {
		trace.HandOver(b, trace.Raw{Session: session, At: time.Now().UTC(), Ended: true})
	}
}

// observe has what was handed over looked at.
func (l *Lanes) observe(shard int) {
	if l.cfg.Recorder != nil {
		l.cfg.Recorder.Wake(shard)
	}
}
