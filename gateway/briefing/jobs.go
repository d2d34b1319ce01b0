package briefing

import (
	"context"
	"errors"
	"slices"
	"strings"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/tool"
	"talaria/gateway/lane"
	"talaria/gateway/wording"
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

// Create implements tool.Schedules. A refusal is whole sentences, with phrases
// that would do.
func (j jobs) Create(ctx context.Context, key, phrase, text string, say bool, origin chat.Origin) (string, error) {
	made, err := j.Desk.Create(ctx, key, phrase, text, say, origin)
	return made, told(ctx, err)
}

// told makes an error of a refusal's words, for the model to pass on.
func told(ctx context.Context, err error) error {
	if words := scheduler.Refusal(wording.In(ctx), err); words != "" {
		return errors.New(words)
	}
	return err
}

// Remind implements tool.Schedules.
func (j jobs) Remind(ctx context.Context) (string, bool, error) {
	e := j.event
	if e.Quoted == nil || e.Forwarded || e.Origin >= chat.External {
		return "", false, nil
	}
	text, ok, err := j.Desk.Remind(ctx, e.Key(), e.Text, *e.Quoted, j.link)
	return text, ok, told(ctx, err)
}

// Models are the models that jobs may name.
type Models interface {
	// Model is the model of a name, false where somebody may not have it.
	Model(who person.Principal, name string) (agent.Model, bool)
}

// forJob leaves a job's run the tools that the job names, and gives it the model
// and the tokens of the job. Any other turn's kit stays as it is.
func (b *Briefing) forJob(ctx context.Context, kit lane.Kit, s lane.Setting) lane.Kit {
	ticket, ok := scheduler.TicketOf(s.Event)
	if !ok {
		return kit
	}
	if ticket.Tools != nil {
		kit.Tools = slices.DeleteFunc(kit.Tools, func(t agent.Tool) bool { return !slices.Contains(ticket.Tools, t.Spec().Name) })
	}
	kit.Tokens = ticket.Tokens
	if ticket.Model == "" {
		return kit
	}
	if kit.Model, ok = b.models.Model(s.Who, ticket.Model); !ok {
		kit.Refusal = wording.Text(ctx, "So this run did not take place. `/jobs set %s model none` has the job use the usual model.", ticket.Job)
	}
	return kit
}

// named are the blocks of the skills that a job names. One that is not in force
// for its owner any more is left out; the run's note tells of it.
func (s *skills) named(ctx context.Context, who person.Principal, names []string) (string, error) {
	visible, err := s.library.Visible(ctx, who)
	if err != nil {
		return "", err
	}
	var blocks []string
	for _, name := range names {
		if !slices.ContainsFunc(visible, func(v skill.Skill) bool { return v.Name == name }) {
			continue
		}
		block, err := s.called(ctx, who, name)
		if err != nil {
			return "", err
		}
		blocks = append(blocks, block)
	}
	return strings.Join(blocks, "\n"), nil
}
