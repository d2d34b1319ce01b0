package daily

import (
	"context"
	"fmt"
	"slices"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/gateway/command"
	"talaria/gateway/lane"
	"talaria/gateway/wording"
	"talaria/scheduler"
)

// here are the places that the briefing may speak of.
func (r *gathering) here(ctx context.Context) ([]chat.Address, error) {
	if r.spec.team() {
		return []chat.Address{r.spec.Space.Place()}, nil
	}
	return r.Directory.Readable(ctx, r.who)
}

// requests are those that wait, are under way or failed: the owner's own, or
// everybody's in the space.
func (r *gathering) requests(ctx context.Context) ([]item, error) {
	places, err := r.here(ctx)
	if err != nil {
		return nil, err
	}
	of := r.who.Person
	if r.spec.team() {
		of = ""
	}
	all, err := lane.RequestsAt(ctx, r.Store, places, of)
	if err != nil {
		return nil, err
	}
	var out []item
	for _, q := range all {
		out = append(out, r.request(q))
	}
	failed, err := r.failedRuns(ctx)
	return append(out, failed...), err
}

func (r *gathering) request(q lane.Request) item {
	text := fmt.Sprintf("%s: %s", r.spec.Lang.Of(string(q.State)), command.Clipped(q.Text, maxText))
	if r.spec.team() && q.Name != "" {
		text += r.spec.Lang.Text(", of %s", command.Clipped(q.Name, maxText))
	}
	return item{"request " + string(q.State) + " " + q.Key, linked(text, r.Link(q.Place, q.Message))}
}

// jobs are the owner's, but for the briefing itself.
func (r *gathering) jobs(ctx context.Context) ([]scheduler.Job, error) {
	at := r.who
	if r.spec.team() {
		at.Place, at.Direct = r.spec.Space, false
	}
	desk, err := r.Jobs(ctx, at)
	if err != nil {
		return nil, err
	}
	all, err := desk.List(ctx)
	return slices.DeleteFunc(all, func(j scheduler.Job) bool { return j.ID == r.job }), err
}

// failedRuns are runs of jobs that broke off, or could not be delivered.
func (r *gathering) failedRuns(ctx context.Context) ([]item, error) {
	all, err := r.jobs(ctx)
	if err != nil {
		return nil, err
	}
	var out []item
	for _, j := range all {
		for _, run := range j.History {
			if run.At.After(r.before.At) && (run.State == scheduler.Failed || run.State == scheduler.Refused) {
				text := r.spec.Lang.Text("%s: job `%s`, %s", r.spec.Lang.Of(string(run.State)), j.ID, command.Clipped(j.Text(), maxText))
				out = append(out, item{fmt.Sprint("run ", j.ID, run.At.UnixMilli()), text})
			}
		}
	}
	return out, nil
}

// ahead is how far schedules are looked into.
const ahead = 24 * time.Hour

// schedules are the jobs that are due within a day.
func (r *gathering) schedules(ctx context.Context) ([]item, error) {
	all, err := r.jobs(ctx)
	if err != nil {
		return nil, err
	}
	var out []item
	for _, j := range all {
		if j.Next.IsZero() || j.Next.After(r.now.Add(ahead)) {
			continue
		}
		at := j.Next
		if zone, err := time.LoadLocation(j.Schedule.Zone); err == nil {
			at = at.In(zone)
		}
		text := fmt.Sprintf("%s: %s", hourOf(r.spec.Lang, at), command.Clipped(j.Text(), maxText))
		out = append(out, item{fmt.Sprint("slot ", j.ID, j.Next.UnixMilli()), text})
	}
	return out, nil
}

// hourOf is a time within a week.
func hourOf(l wording.Language, t time.Time) string {
	if l == wording.Chinese {
		return "周" + string([]rune("日一二三四五六")[t.Weekday()]) + t.Format(" 15:04")
	}
	return t.Format("Mon 15:04")
}

// approvals are the drafts that the owner may decide on.
func (r *gathering) approvals(ctx context.Context) ([]item, error) {
	at := r.who
	if r.spec.team() {
		at.Place, at.Direct = r.spec.Space, false
	}
	drafts, err := r.Library.Pending(ctx, at)
	if err != nil {
		return nil, err
	}
	var out []item
	for _, d := range drafts {
		if d.Scope.Kind != skill.Person && !person.AtLeast(at.Role, person.Approver) {
			continue
		}
		text := r.spec.Lang.Text("skill `%s`: %s (`/skills pending`)", command.Clipped(d.Name, maxText), command.Clipped(d.Description, maxText))
		out = append(out, item{"draft " + d.Ref.String() + d.Hash, text})
	}
	return out, nil
}
