package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/scheduler"
	"talaria/storage"
)

// jobsListCommand shows everybody's jobs.
func jobsListCommand() command {
	return command{name: "jobs list", help: "The jobs of everybody, with their owners and next times.", run: func(ctx context.Context, p *process, _ []string) error {
		return p.withJobs(ctx, func(s *scheduler.Scheduler) error { return listJobs(ctx, p.out, s) })
	}}
}

func listJobs(ctx context.Context, out io.Writer, s *scheduler.Scheduler) error {
	all, err := s.All(ctx)
	for _, j := range all {
		whose := j.Owner.Identity.String()
		if name := j.Standing(); name != "" {
			whose += " (" + name + ")"
		}
		// A shell runs what stands in backticks.
		fmt.Fprintf(out, "%s  %s\n", whose, strings.ReplaceAll(j.Line(scheduler.English), "`", ""))
	}
	if err == nil && len(all) == 0 {
		fmt.Fprintln(out, "There are no jobs.")
	}
	return err
}

// jobsShowCommand shows a job with its history.
func jobsShowCommand() command {
	return jobCommand("show", "A job, its rules, and what became of its runs.", func(ctx context.Context, s *scheduler.Scheduler, id string) (string, error) {
		j, err := s.Get(ctx, id)
		return j.Story(scheduler.English), err
	})
}

func jobsPauseCommand() command {
	return jobCommand("pause", "Have a job fire nothing until it is resumed.", changed((*scheduler.Scheduler).Pause))
}

func jobsResumeCommand() command {
	return jobCommand("resume", "Let a paused job fire again, from its next slot on.", changed((*scheduler.Scheduler).Resume))
}

func jobsRunCommand() command {
	return jobCommand("run", "Have the running bot run a job once, at once.", changed((*scheduler.Scheduler).RunNow))
}

func jobsDeleteCommand() command {
	return jobCommand("delete", "Delete a job with its history.", changed((*scheduler.Scheduler).Delete))
}

// jobsSetCommand changes one thing about a job.
func jobsSetCommand() command {
	return command{name: "jobs set", args: "ID RULE VALUE...", help: "Change one thing about a job: " + strings.Join(scheduler.Names(), ", ") + ".",
		run: func(ctx context.Context, p *process, args []string) error {
			return p.withJobs(ctx, func(s *scheduler.Scheduler) error {
				id, err := jobCalled(ctx, s, args[0])
				if err != nil {
					return err
				}
				text, err := s.Set(ctx, id, args[1], strings.Join(args[2:], " "))
				if words := scheduler.Refusal(scheduler.English, err); words != "" {
					return usageError{fmt.Errorf("job %s: %s", args[0], words)}
				}
				if err == nil {
					fmt.Fprintln(p.out, text)
				}
				return err
			})
		}}
}

// changed has a change say what the job is now.
func changed(change func(*scheduler.Scheduler, context.Context, string) (scheduler.Job, error)) func(context.Context, *scheduler.Scheduler, string) (string, error) {
	return func(ctx context.Context, s *scheduler.Scheduler, id string) (string, error) {
		j, err := change(s, ctx, id)
		return j.Line(scheduler.English), err
	}
}

// jobCommand is a command about one job.
func jobCommand(name, help string, do func(context.Context, *scheduler.Scheduler, string) (string, error)) command {
	return command{name: "jobs " + name, args: "ID", help: help, run: func(ctx context.Context, p *process, args []string) error {
		return p.withJobs(ctx, func(s *scheduler.Scheduler) error {
			id, err := jobCalled(ctx, s, args[0])
			if err != nil {
				return err
			}
			text, err := do(ctx, s, id)
			if err != nil {
				return fmt.Errorf("job %s: %w", args[0], err)
			}
			fmt.Fprintln(p.out, text)
			return nil
		})
	}}
}

// jobCalled is the id of the job that has it, or the name in the configuration.
func jobCalled(ctx context.Context, s *scheduler.Scheduler, word string) (string, error) {
	all, err := s.All(ctx)
	if err != nil {
		return "", err
	}
	for _, j := range all {
		if name := j.Standing(); j.ID == word || name != "" && name == word {
			return j.ID, nil
		}
	}
	return "", fmt.Errorf("there is no job %q; talaria jobs list shows them", word)
}

// withJobs opens the store beside a bot that may be running: every change is
// made by compare-and-set, and the bot sees it within seconds.
func (p *process) withJobs(ctx context.Context, use func(*scheduler.Scheduler) error) error {
	return p.withStore(ctx, true, func(_ config.Storage, s *storage.Store) error { return use(app.Jobs(s)) })
}
