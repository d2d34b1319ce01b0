package app

import (
	"context"
	"errors"
	"time"

	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/memory"
	"talaria/gateway/inbox"
)

// tell says something at a place that nobody asked at. It goes through that
// place's inbox, so it is kept, and comes once, like everything else.
func (a *App) tell(ctx context.Context, key string, to chat.Address, post chat.Post) error {
	e := chat.Event{Kind: chat.Message, Keys: []string{key}, At: time.Now().UTC(), Address: to, Direct: true, Author: chat.Author{Self: true}}
	return a.inbox.Keep(ctx, inbox.Envelope{Event: e, Say: &post})
}

// upkeep has directory and jobs take note of places that moved and people who
// left, and shows people what they open.
func (a *App) upkeep(ctx context.Context, e chat.Event) error {
	switch {
	case e.Migrate != nil:
		return a.migrated(ctx, *e.Migrate)
	case e.Kind == chat.Delete:
		return a.deleted(ctx, e.Address, e.Message)
	case e.Kind == chat.Opened:
		return a.home.Opened(ctx, e)
	case e.Kind == chat.Reaction:
		return a.recorder.Reacted(ctx, e)
	case e.Kind == chat.Leave && !e.Author.Self:
		return a.directory.Left(ctx, e.Author.Identity, e.Address)
	case e.Kind == chat.Leave || e.Kind == chat.Join && e.Author.Self:
		return a.jobs.Away(ctx, e.Address, e.Kind == chat.Join)
	}
	return nil
}

// migrated has what belongs to a place follow it to its new address: its team
// first, for its skills are the team's. The lanes have its conversations follow.
func (a *App) migrated(ctx context.Context, m chat.Migration) error {
	if err := a.directory.Migrated(ctx, m); err != nil {
		return err
	}
	return errors.Join(
		memory.Migrated(ctx, a.store, m), a.library.Migrated(ctx, m), learning.Migrated(ctx, a.store, m), a.jobs.Migrated(ctx, m),
	)
}
