package scheduler

import (
	"context"
	"errors"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/scheduler/when"
)

// Foreign is a job as another assistant had it.
type Foreign struct {
	Key      string // of the job; the same one again makes no second
	Prompt   string
	Schedule string // as it was written there, or in the person's words
	Skills   []string
	Limit    int // runs that are left of it; zero: any number
	Paused   bool
}

// Adopt makes a foreign job one of the principal's, on their word, and says it
// back. Skills that they do not have here are left out, and the answer says so.
// A schedule that can't be had here is an error that reads as an answer.
func (d Desk) Adopt(ctx context.Context, f Foreign) (string, error) {
	o, lacks, now, err := d.order(ctx, f)
	if err != nil {
		return "", err
	}
	j, err := d.Add(ctx, o)
	if err != nil {
		return "", err
	}
	t := d.s.in(ctx)
	text := readBack(t, j, now)
	if f.Paused {
		if _, err := d.Pause(ctx, j.ID); err != nil && !errors.Is(err, ErrIsOver) {
			return "", err
		}
		text += "\n" + t.Text("It was paused there, and is here: `/jobs resume %s` has it come.", j.ID)
	}
	return strings.TrimSpace(text + "\n" + lacks), nil
}

// Preview says what Adopt would make of a foreign job, or in words why nothing.
func (d Desk) Preview(ctx context.Context, f Foreign) (string, error) {
	o, lacks, now, err := d.order(ctx, f)
	if err != nil {
		return "", err
	}
	j, err := d.job(o, now)
	if err != nil {
		return "", err
	}
	t := d.s.in(ctx)
	return strings.TrimSpace(t.Text("%s. Next: %s.", j.times(t.Code()), Upcoming(t, o.Schedule, now)) + "\n" + lacks), nil
}

// order is what a foreign job would be here, and what would be left out of it, as
// of the store's time.
func (d Desk) order(ctx context.Context, f Foreign) (o Order, lacks string, now time.Time, err error) {
	if now, err = d.s.cfg.Store.Now(ctx); err != nil {
		return o, "", now, err
	}
	o = Order{Key: f.Key, Prompt: f.Prompt, Origin: chat.Member}
	if o.Schedule, err = when.Parse(f.Schedule, d.Zone, now); err != nil {
		return o, "", now, err
	}
	o.Rules = Defaults(o.Schedule.Kind == when.Once)
	o.Rules.Limit = f.Limit
	for _, name := range f.Skills {
		missing, err := d.s.lacks(ctx, &Job{Rules: Rules{Use: Use{Skills: []string{name}}}}, d.who)
		if err != nil {
			return o, "", now, err
		}
		if missing == "" {
			o.Rules.Skills = append(o.Rules.Skills, name)
		}
		lacks = join(lacks, missing)
	}
	return o, lacks, now, nil
}
