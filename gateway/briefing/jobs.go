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
func schedules(d scheduler.Desk, e chat.Event) tool.Schedules {
	if e.Kind == chat.Tick {
		return nil
	}
	return d
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
