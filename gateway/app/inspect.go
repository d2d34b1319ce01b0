package app

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/config"
	"talaria/storage"
)

// Adapters makes the adapters of the configured platforms to be looked at,
// sorted by name. They are not run.
func Adapters(c config.Config, log *slog.Logger) ([]chat.Adapter, error) {
	a := &App{log: log, adapters: map[string]chat.Adapter{}}
	err := a.connect(c)
	var out []chat.Adapter
	for _, ad := range a.adapters {
		out = append(out, ad)
	}
	slices.SortFunc(out, func(x, y chat.Adapter) int { return strings.Compare(x.Platform(), y.Platform()) })
	return out, err
}

// Model makes the model of one endpoint to be looked at. The key of its table
// is for the error.
func Model(key string, e config.Endpoint) (agent.Model, error) { return newEndpoint(key, e) }

// FirstAdminCode makes the code with which the first admin is named, and
// returns "" where there is an admin already.
func FirstAdminCode(ctx context.Context, s *storage.Store, c config.Config, log *slog.Logger) (string, error) {
	d, err := person.Open(ctx, s, peopleConfig(c), log)
	if err != nil {
		return "", err
	}
	code, err := d.FirstAdminCode(ctx)
	if errors.Is(err, person.ErrForbidden) {
		return "", nil
	}
	return code, err
}
