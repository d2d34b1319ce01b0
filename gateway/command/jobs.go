package command

import (
	"context"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/wording"
	"talaria/scheduler"
	"talaria/storage"
)

// Desk gives a person the scheduler, bound to them and their time zone.
type Desk func(ctx context.Context, who person.Principal) (scheduler.Desk, error)

// ForJobs are the commands about what is to happen at times.
func ForJobs(desk Desk, store *storage.Store) []Command {
	return []Command{{
		Name: "jobs", Args: "[add WHEN WHAT | show|pause|resume|run|delete ID | set ID RULE VALUE | import [KEY]]",
		Summary: "what I do for you at times, and reminders", Now: true, Lines: true, Role: person.Member, Verbs: jobVerbs(desk),
		Run: func(ctx context.Context, c Call) (chat.Post, error) {
			if verb, rest, _ := strings.Cut(c.Args, " "); verb == "import" {
				return broughtJobs{desk, store}.run(ctx, c.Who, strings.TrimSpace(rest))
			}
			d, err := desk(ctx, c.Who)
			if err != nil {
				return chat.Post{}, err
			}
			text, err := jobs(ctx, d, c)
			if words := scheduler.Refusal(wording.In(ctx), err); words != "" {
				return chat.Post{Markdown: words}, nil
			}
			return chat.Post{Markdown: text}, err
		},
	}}
}

// jobVerbs declares what jobs reads.
func jobVerbs(desk Desk) []Verb {
	id := Option{Name: "id", Summary: "which job", Required: true, Complete: func(ctx context.Context, who person.Principal) ([]chat.Choice, error) {
		d, err := desk(ctx, who)
		if err != nil {
			return nil, err
		}
		list, err := d.List(ctx)
		var all []chat.Choice
		for _, j := range list {
			all = append(all, Labelled(j.ID, j.Text()))
		}
		return all, err
	}}
	return []Verb{
		{Name: "list", Summary: "your jobs", Unsaid: true},
		{Name: "add", Summary: "have something done at times, or be reminded", Options: []Option{
			{Name: "when", Summary: "such as: every Friday at 17:00", Required: true},
			{Name: "what", Summary: "such as: remind me to send the report", Required: true},
		}},
		{Name: "show", Summary: "a job, its rules and its runs", Options: []Option{id}},
		{Name: "pause", Summary: "have a job fire nothing until it is resumed", Options: []Option{id}},
		{Name: "resume", Summary: "let a paused job fire again", Options: []Option{id}},
		{Name: "run", Summary: "run a job once, at once", Options: []Option{id}},
		{Name: "delete", Summary: "delete a job", Options: []Option{id}},
		{Name: "set", Summary: "change one thing about a job", Options: []Option{
			id,
			{Name: "rule", Summary: "what is to change", Required: true, Choices: scheduler.Names()},
			{Name: "value", Summary: "what it is to be", Required: true},
		}},
		{Name: "import", Summary: "jobs that you brought from another assistant", Options: []Option{
			{Name: "key", Summary: "which one; none lists them"}, {Name: "answer", Summary: "yes, drop, or at and a schedule"},
		}},
	}
}

func jobsUsage(ctx context.Context) string {
	return wording.Text(ctx, "- `/jobs` lists your jobs\n"+
		"- `/jobs add every Friday at 17:00 remind me to send the report` makes one\n"+
		"- `/jobs add every weekday at 8 summarise what was decided yesterday` has me work on something\n"+
		"- `/jobs show`, `pause`, `resume`, `run` and `delete` take the job's id\n"+
		"- `/jobs set ID RULE VALUE` changes one of %s\n"+
		"- `/jobs import` offers those that you brought from another assistant", strings.Join(scheduler.Names(), ", "))
}

// which asks for a job's id.
func which(ctx context.Context, d scheduler.Desk, usage string) (string, error) {
	lines, err := d.Lines(ctx)
	return wording.Text(ctx, "Which one? Say `/jobs %s`.\n%s", usage, lines), err
}

func jobs(ctx context.Context, d scheduler.Desk, c Call) (string, error) {
	verb, rest, _ := strings.Cut(c.Args, " ")
	rest = strings.TrimSpace(rest)
	switch verb {
	case "", "list":
		return d.Lines(ctx)
	case "add":
		if rest == "" {
			return jobsUsage(ctx), nil
		}
		return d.Create(ctx, c.Event.Key(), "", rest, false, chat.Member)
	case "set", "edit":
		return setJob(ctx, d, rest)
	}
	id := strings.Trim(rest, "`")
	if id == "" && slices.Contains([]string{"show", "pause", "resume", "run", "delete"}, verb) {
		return which(ctx, d, verb+" ID")
	}
	switch verb {
	case "show":
		j, err := d.Get(ctx, id)
		return j.Story(wording.In(ctx)), err
	case "pause":
		j, err := d.Pause(ctx, id)
		return wording.Text(ctx, "Paused: %s", j.Line(wording.In(ctx))), err
	case "resume":
		j, err := d.Resume(ctx, id)
		return wording.Text(ctx, "On again: %s", j.Line(wording.In(ctx))), err
	case "run":
		j, err := d.RunNow(ctx, id)
		return wording.Text(ctx, "It runs now, beside its schedule: %s", j.Line(wording.In(ctx))), err
	case "delete":
		return d.Cancel(ctx, id)
	}
	return wording.Text(ctx, "I don't know `/jobs %s`.\n%s", Clipped(verb, 40), jobsUsage(ctx)), nil
}

// setJob changes one thing about a job.
func setJob(ctx context.Context, d scheduler.Desk, args string) (string, error) {
	words := strings.SplitN(args, " ", 3)
	if len(words) < 3 {
		return which(ctx, d, "set ID RULE VALUE")
	}
	return d.Set(ctx, strings.Trim(words[0], "`"), words[1], words[2])
}
