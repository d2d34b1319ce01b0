package app

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/config"
	"talaria/gateway/trigger"
	"talaria/scheduler"
)

// triggers are the webhooks of the configuration, by what stands in their path.
func (a *App) triggers() map[string]http.Handler {
	hooks := map[string]http.Handler{}
	for name, t := range a.o.Config.Scheduler.Triggers {
		hooks["trigger/"+name] = trigger.New(trigger.Config{
			Name: name, Secret: t.Secret.Reveal(), Now: a.store.Now, Log: a.log,
			Fire: func(ctx context.Context, id, body string) error { return a.trigger(ctx, name, *t, id, body) },
		})
	}
	return hooks
}

// trigger has a call run like a job's slot, with what it carried as a quote.
func (a *App) trigger(ctx context.Context, name string, t config.Trigger, id, body string) error {
	who, err := a.actor(ctx, t.Owner.Identity, t.Place.Address)
	if err != nil {
		return fmt.Errorf("trigger %s: %w", name, err)
	}
	now, err := a.store.Now(ctx)
	if err != nil {
		return err
	}
	job := "trigger." + name
	ticket, err := json.Marshal(scheduler.Ticket{Job: job, Say: t.Say != ""})
	if err != nil {
		return fmt.Errorf("trigger %s: %w", name, err)
	}
	e := chat.Event{
		Kind: chat.Tick, Keys: []string{scheduler.KeyPrefix + job + ":" + id + ":0"}, At: now, Address: who.Place, Direct: who.Direct,
		Author: chat.Author{Identity: who.Identity, Name: who.Name}, Origin: chat.Self, Text: t.Prompt + t.Say,
		Tick: &chat.TickData{ID: job, Due: now, Value: ticket},
	}
	if body != "" {
		e.Quoted = &chat.Quote{Name: "webhook " + name, Text: body}
	}
	return a.hand(ctx, e, who)
}

// actor is somebody at a place, or in their direct conversation, with the rights
// that they have there now; ErrRefused where they have none.
func (a *App) actor(ctx context.Context, i chat.Identity, place chat.Address) (person.Principal, error) {
	who, err := a.directory.Resolve(ctx, chat.Author{Identity: i}, place, false)
	if err != nil {
		return who, err
	}
	if place == (chat.Address{}) {
		home, ok, err := a.directory.DirectOf(ctx, who)
		if err != nil {
			return who, err
		}
		if !ok {
			return who, fmt.Errorf("%w: they never wrote to the bot alone", trigger.ErrRefused)
		}
		who = home
	}
	if who, err = a.directory.Present(ctx, who); err != nil {
		return who, err
	}
	if !person.AtLeast(who.Role, person.Member) {
		return who, trigger.ErrRefused
	}
	return who, nil
}
