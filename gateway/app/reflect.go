package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/learning/propose"
	"talaria/core/learning/reflect"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/tool"
	"talaria/gateway/command"
	"talaria/gateway/config"
	"talaria/gateway/review"
	"talaria/gateway/wording"
	"talaria/storage"
)

// newReviewer makes the background review.
func (a *App) newReviewer(c config.Learning) *reflect.Reviewer {
	remembered := func(p person.Principal) *memory.Handle { return memory.For(a.store, p) }
	r, log := c.Reflection, c.ReflectionLog
	cfg := reflect.Config{
		Enabled: c.Enabled && r.Enabled, Trigger: reflect.Trigger(r.Trigger), Depth: reflect.Depth(r.Depth),
		MaxTokens: r.MaxTokens, MaxIterations: r.MaxIterations, MaxInputTokens: r.MaxInputTokens, MaxDuration: r.MaxDuration.Duration,
		DailyTokens: r.DailyTokens, LookBack: r.LookBack, WholeSteps: r.WholeSteps, SkillSteps: c.Proposals.Steps,
		Yield: r.YieldWithin.Duration, Reports: log.Enabled, Keep: time.Duration(log.RetentionDays) * 24 * time.Hour, Path: log.Path,
		Store: a.store, Model: a.background, People: a.directory, Library: a.library, Memory: remembered,
		Skills: func(p person.Principal) tool.Skills { return a.briefing.Skills(p) },
		Proposer: propose.New(propose.Config{
			Store: a.store, Library: a.library, Memory: remembered, Announce: a.skills.Announce, Limits: a.o.Config.ProposalLimits(), Log: a.log,
			Tool: a.toolSpec, Zone: Zone(a.o.Config.Scheduler), In: a.tongueOf,
		}),
		Spent: a.meter.Reviewed, Log: a.log,
	}
	if r.Notices {
		cfg.Learned = func(ctx context.Context, who person.Principal, rep reflect.Report) error {
			return a.review.Learned(ctx, who, rep)
		}
	}
	return reflect.New(cfg)
}

// tongueOf is how a person is told what they did not ask for; in English where
// their language can't be looked up now.
func (a *App) tongueOf(ctx context.Context, who person.ID) propose.Tongue {
	told, err := wording.ForUnasked(ctx, a.store, who)
	if err != nil {
		a.log.WarnContext(ctx, "a person's language is not known", "err", err)
	}
	return wording.In(told).Text
}

// learningBudget is what learning may use of a day in one place or for one
// person, the zero one where nothing is reviewed.
func learningBudget(s *storage.Store, c config.Learning) reflect.Budget {
	if !c.Enabled || !c.Reflection.Enabled {
		return reflect.Budget{}
	}
	return reflect.Budget{Store: s, Daily: c.Reflection.DailyTokens}
}

// newReviewDesk makes what people steer the review by.
func (a *App) newReviewDesk(depth string) *review.Desk {
	return review.New(review.Config{
		Store: a.store, Directory: a.directory, Tell: a.tell, Depth: reflect.Depth(depth), Log: a.log,
		Review: func(ctx context.Context, at chat.Address, task string, d reflect.Depth) (reflect.Report, error) {
			return a.reviewer.Review(ctx, at, task, d)
		},
		Catch: func(ctx context.Context, shard int) error {
			_, err := a.recorder.Catch(ctx, shard)
			for errors.Is(err, storage.ErrConflict) && ctx.Err() == nil {
				_, err = a.recorder.Catch(ctx, shard) // the recorder itself was at it
			}
			return err
		},
		Run: a.runAs,
	})
}

// runAs runs a chat command on somebody's press.
func (a *App) runAs(ctx context.Context, who person.Principal, line string) (chat.Post, error) {
	return a.commands.Run(ctx, callAs(who, line))
}

// callAs is a chat command as if somebody had sent it.
func callAs(who person.Principal, line string) command.Call {
	name, args, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	return command.Call{Who: who, Event: chat.Event{
		Kind: chat.Command, At: time.Now().UTC(), Address: who.Place, Direct: who.Direct, Origin: chat.Member,
		Author: chat.Author{Identity: who.Identity, Name: who.Name}, Command: &chat.CommandCall{Name: name, Args: args},
	}}
}
