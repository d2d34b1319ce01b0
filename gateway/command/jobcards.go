package command

import (
	"context"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/wording"
	"talaria/scheduler"
)

// What the buttons of a job do.
const (
	jobPause  = "job.pause"
	jobResume = "job.resume"
	jobRun    = "job.run"
)

// JobEntry shows a job on its owner's page, with the buttons to hold it up, have
// it go on, or run it now.
func JobEntry(ctx context.Context, j scheduler.Job) chat.Post {
	post := chat.Post{Markdown: j.Line(wording.In(ctx))}
	switch {
	case j.Over:
		return post
	case j.Paused:
		post.Buttons = []chat.Button{{Label: wording.Text(ctx, "Resume"), Action: jobResume, Token: j.ID}}
	default:
		post.Buttons = []chat.Button{{Label: wording.Text(ctx, "Pause"), Action: jobPause, Token: j.ID}}
	}
	post.Buttons = append(post.Buttons, chat.Button{Label: wording.Text(ctx, "Run now"), Action: jobRun, Token: j.ID})
	return post
}

// ForJobCards are what the buttons of jobs do: the same as the commands of ForJobs.
func ForJobCards(desk Desk) []Action {
	pressed := func(verb string) func(context.Context, Press) (Reaction, error) {
		return func(ctx context.Context, p Press) (Reaction, error) {
			d, err := desk(ctx, p.Who)
			if err != nil {
				return Reaction{}, err
			}
			text, err := jobs(ctx, d, Call{Who: p.Who, Event: p.Event, Session: p.Session, Args: verb + " " + p.Token})
			if words := scheduler.Refusal(wording.In(ctx), err); words != "" {
				return Reaction{Say: chat.Post{Markdown: words}, Aside: true}, nil
			}
			return Reaction{Say: chat.Post{Markdown: text}}, err
		}
	}
	return []Action{
		{Name: jobPause, Role: person.Member, Run: pressed("pause")},
		{Name: jobResume, Role: person.Member, Run: pressed("resume")},
		{Name: jobRun, Role: person.Member, Run: pressed("run")},
	}
}
