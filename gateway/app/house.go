package app

import (
	"context"

	"talaria/core/agent"
	"talaria/core/learning/reflect"
	"talaria/core/person"
	"talaria/core/tool"
	"talaria/core/trace"
	"talaria/gateway/briefing"
	"talaria/gateway/command"
	"talaria/storage"
)

// house tells chat commands about the installation.
type house struct {
	store   *storage.Store
	meter   *briefing.Meter
	tools   *tool.Set
	scripts tool.Scripts
	model   agent.Model
	learns  reflect.Budget // zero: nothing is reviewed
}

var _ command.House = house{}

// Use implements command.House.
func (h house) Use(ctx context.Context, who person.Principal) (command.Use, error) {
	d, err := h.meter.Today(ctx, who.Person)
	use := command.Use{Turns: d.Turns, Input: d.Input, Cached: d.Cached, Output: d.Output, Learning: d.Learning, Limit: h.meter.Limit()}
	if err != nil || h.learns.Daily == 0 {
		return use, err
	}
	use.LearningLimit = h.learns.Daily
	use.LearnedHere, err = h.learns.Used(ctx, who.Place, trace.Task{Direct: who.Direct, Person: who.Person, Place: who.Place}.Scope())
	return use, err
}

// Tools implements command.House.
func (h house) Tools(who person.Principal) []string {
	var names []string
	for _, s := range toolsOf(h.tools, h.scripts, who) {
		names = append(names, s.Name)
	}
	return names
}

// Model implements command.House.
func (h house) Model() string { return h.model.Name() }
