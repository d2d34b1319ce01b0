package app

import (
	"context"
	"strings"

	"talaria/core/agent"
	"talaria/core/learning/reflect"
	"talaria/core/memory"
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

// Tools implements command.House. A tool's purpose is the first sentence of
// what the model is told of it.
func (h house) Tools(who person.Principal) []string {
	tools, _ := h.tools.Bind(tool.Binding{
		Principal: who, Memory: memory.For(h.store, who), Searcher: noSearch{}, Files: &tool.Files{}, Scripts: h.scripts,
	})
	var out []string
	for _, t := range tools {
		s := t.Spec()
		purpose, _, _ := strings.Cut(strings.TrimSpace(s.Description), ".")
		out = append(out, "`"+s.Name+"` "+strings.Join(strings.Fields(purpose), " "))
	}
	return out
}

// noSearch stands for a search that is listed and not made.
type noSearch struct{}

func (noSearch) Search(context.Context, string, int) ([]tool.Hit, error) { return nil, nil }

// Model implements command.House.
func (h house) Model() string { return h.model.Name() }
