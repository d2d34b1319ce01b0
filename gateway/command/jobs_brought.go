package command

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill/brought"
	"talaria/gateway/wording"
	"talaria/scheduler"
	"talaria/storage"
)

// broughtJobs offers the jobs that a person brought from another assistant.
type broughtJobs struct {
	desk  Desk
	store *storage.Store
}

// The actions of their buttons, whose token is the job's key.
const (
	adoptAction = "jobs.adopt"
	leaveAction = "jobs.leave"
)

// ForBroughtJobs are the buttons of jobs that were brought from elsewhere.
func ForBroughtJobs(desk Desk, store *storage.Store) []Action {
	b := broughtJobs{desk, store}
	press := func(name, verb string) Action {
		return Action{Name: name, Role: person.Member, Run: func(ctx context.Context, p Press) (Reaction, error) {
			post, err := b.decide(ctx, p.Who, p.Token, verb)
			if r, ok := errors.AsType[*Refusal](err); ok {
				return Reaction{Say: r.Post, Aside: true}, nil
			}
			return Reaction{Card: &post}, err
		}}
	}
	return []Action{press(adoptAction, "yes"), press(leaveAction, "drop")}
}

// run answers jobs import.
func (b broughtJobs) run(ctx context.Context, who person.Principal, args string) (chat.Post, error) {
	if !who.Direct {
		return Refuse(ctx, "What you brought is yours alone: say that in our direct conversation.")
	}
	name, verb, _ := strings.Cut(args, " ")
	if name = strings.Trim(name, "`"); name == "" {
		return b.list(ctx, who)
	}
	return b.decide(ctx, who, name, strings.TrimSpace(verb))
}

// list says each job that waits with the schedule that it would have.
func (b broughtJobs) list(ctx context.Context, who person.Principal) (chat.Post, error) {
	all, err := brought.Of(b.store, who.Person).Jobs(ctx)
	if err != nil {
		return chat.Post{}, err
	}
	if len(all) == 0 {
		return wording.Say(ctx, "No job of another assistant's waits for you. `/skills import` with its home finds them."), nil
	}
	d, err := b.desk(ctx, who)
	if err != nil {
		return chat.Post{}, err
	}
	var text strings.Builder
	text.WriteString(wording.Text(ctx, "Jobs that you brought; none of them runs. `/jobs import KEY` shows one and asks.") + "\n")
	for _, j := range all {
		says, err := d.Preview(ctx, foreignJob(j))
		if words := scheduler.Refusal(wording.In(ctx), err); words != "" {
			says, err = wording.Text(ctx, "can't be taken over as it is: %s", words), nil
		}
		if err != nil {
			return chat.Post{}, err
		}
		first, _, _ := strings.Cut(says, "\n")
		text.WriteString(wording.Text(ctx, "\n- `%s` %s (%s): %s", short(j.Key), Clipped(j.Name, 60), Clipped(j.Schedule, 60), first))
	}
	return chat.Post{Markdown: text.String()}, nil
}

// decide shows a job and asks, or does what was decided.
func (b broughtJobs) decide(ctx context.Context, who person.Principal, key, verb string) (chat.Post, error) {
	box := brought.Of(b.store, who.Person)
	all, err := box.Jobs(ctx)
	if err != nil {
		return chat.Post{}, err
	}
	n := slices.IndexFunc(all, func(j brought.Job) bool { return len(key) >= shortKey && strings.HasPrefix(j.Key, key) })
	if n < 0 {
		return Refuse(ctx, "No job `%s` waits for you. `/jobs import` lists those that do.", Clipped(key, 40))
	}
	key = all[n].Key
	f := foreignJob(all[n])
	verb, schedule, _ := strings.Cut(verb, " ")
	if verb == "at" {
		f.Schedule = schedule
	}
	switch verb {
	case "":
		return b.ask(ctx, who, all[n], f)
	case "yes", "at":
		d, err := b.desk(ctx, who)
		if err != nil {
			return chat.Post{}, err
		}
		text, err := d.Adopt(ctx, f)
		if words := scheduler.Refusal(wording.In(ctx), err); words != "" {
			return Refuse(ctx, "%s\n\n%s", words, otherwise(ctx, key))
		}
		if err == nil {
			err = box.Settle(ctx, brought.Jobs, key, "taken over")
		}
		return chat.Post{Markdown: text}, err
	case "drop":
		return wording.Say(ctx, "Dropped: %s. It is not offered any more.", Clipped(all[n].Name, 60)), box.Settle(ctx, brought.Jobs, key, "dropped")
	}
	return Misused(ctx, "`/jobs import %s` is followed by `yes`, `drop`, or `at` and a schedule.", short(key))
}

// shortKey is how many characters of a key people see and type: one person's
// jobs differ in them.
const shortKey = 6

func short(key string) string { return key[:min(len(key), shortKey)] }

func otherwise(ctx context.Context, key string) string {
	return wording.Text(ctx, "`/jobs import %s at every day at 9:00` takes it over with a schedule of your own; until then it is kept.", short(key))
}

// ask shows the whole of a job, with what it would be here.
func (b broughtJobs) ask(ctx context.Context, who person.Principal, j brought.Job, f scheduler.Foreign) (chat.Post, error) {
	d, err := b.desk(ctx, who)
	if err != nil {
		return chat.Post{}, err
	}
	says, err := d.Preview(ctx, f)
	how := wording.Text(ctx, "`/jobs import %s yes` takes it over, `drop` has it offered no more.", short(j.Key))
	buttons := []chat.Button{
		{Label: wording.Text(ctx, "Take over"), Action: adoptAction, Token: j.Key, Style: "primary"}, {Label: wording.Text(ctx, "Drop"), Action: leaveAction, Token: j.Key, Style: "danger"},
	}
	if words := scheduler.Refusal(wording.In(ctx), err); words != "" {
		says, how, err, buttons = words, otherwise(ctx, j.Key)+" "+wording.Text(ctx, "`drop` has it offered no more."), nil, buttons[1:]
	}
	if err != nil {
		return chat.Post{}, err
	}
	text := wording.Text(ctx, "**%s**, there %s\n\n%s\n\nIt would work on this here, with your rights:\n\n```\n%s\n```\n%s\n%s",
		Clipped(j.Name, 60), Clipped(j.Schedule, 60), says, strings.ReplaceAll(f.Prompt, "```", "'''"), leftBehind(ctx, j), how)
	return chat.Post{Markdown: text, Buttons: buttons}, nil
}

// foreignJob is a brought job as the scheduler takes it.
func foreignJob(j brought.Job) scheduler.Foreign {
	f := scheduler.Foreign{Key: "brought:" + j.Key, Prompt: j.Prompt, Schedule: j.Schedule, Skills: j.Skills, Paused: !j.Enabled}
	var record struct {
		Repeat struct{ Times, Completed int }
	}
	if json.Unmarshal(j.Record, &record) == nil && record.Repeat.Times > 0 {
		f.Limit = max(record.Repeat.Times-record.Repeat.Completed, 1)
	}
	return f
}

// carried are the fields of a record that are taken along, or tell only of its
// past there.
var carried = []string{
	"id", "name", "prompt", "schedule", "schedule_display", "skill", "skills", "enabled", "deliver", "repeat", "state", "origin",
	"created_at", "next_run_at", "last_run_at", "last_status", "last_error", "last_delivery_error", "paused_at", "paused_reason",
}

// leftBehind says what of a job does not come along.
func leftBehind(ctx context.Context, j brought.Job) string {
	var fields map[string]any
	if json.Unmarshal(j.Record, &fields) != nil {
		return ""
	}
	var left []string
	for name, value := range fields {
		if !slices.Contains(carried, name) && value != nil && value != "" && value != false {
			left = append(left, "`"+Clipped(name, 40)+"`")
		}
	}
	slices.Sort(left)
	text := ""
	if j.Deliver != "" {
		text = wording.Text(ctx, "There its answers went to %s; here they come to you, until `/jobs set` says otherwise.", Clipped(j.Deliver, 60)) + "\n"
	}
	if len(left) > 0 {
		text += wording.Text(ctx, "Not taken along: %s.", strings.Join(left, ", ")) + "\n"
	}
	return text
}
