package briefing

import (
	"context"
	"slices"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/tool"
	"talaria/scheduler"
)

// Desk gives a principal the scheduler, bound to them and their time zone.
type Desk func(ctx context.Context, who person.Principal) (scheduler.Desk, error)

// schedules is what a turn may do with jobs: nothing within a run of one.
func (b *Briefing) schedules(d scheduler.Desk, e chat.Event) tool.Schedules {
	if e.Kind == chat.Tick {
		return nil
	}
	link := ""
	if e.ReplyTo != "" && b.link != nil {
		link = b.link(e.Address, e.ReplyTo)
	}
	return jobs{d, e, link}
}

// jobs are the jobs of whoever an event is from.
type jobs struct {
	scheduler.Desk
	event chat.Event
	link  string // to the message that it replies to
}

// Remind implements tool.Schedules.
func (j jobs) Remind(ctx context.Context) (string, bool, error) {
	e := j.event
	if e.Quoted == nil || e.Forwarded || e.Origin >= chat.External {
		return "", false, nil
	}
	return j.Desk.Remind(ctx, e.Key(), e.Text, *e.Quoted, j.link)
}

// permitted leaves a job's run the tools that the job names, and any other
// turn all of them.
func permitted(tools []agent.Tool, e chat.Event) []agent.Tool {
	ticket, ok := scheduler.TicketOf(e)
	if !ok || ticket.Tools == nil {
		return tools
	}
	return slices.DeleteFunc(tools, func(t agent.Tool) bool { return !slices.Contains(ticket.Tools, t.Spec().Name) })
}
