package app

import (
	"context"
	"slices"

	"talaria/core/learning"
	"talaria/core/learning/reflect"
	"talaria/core/person"
	"talaria/scheduler"
	"talaria/storage"
)

// exporters tell what domains keep of people outside their own partitions, by
// the name that it has in an export.
func exporters(s *storage.Store) map[string]person.Exporter {
	return map[string]person.Exporter{
		"traces": learning.Exporter{Store: s}, "reports": reflect.Exporter{Store: s}, "jobs": jobsOf{Jobs(s)},
	}
}

// jobsOf exports a person's jobs.
type jobsOf struct{ scheduler *scheduler.Scheduler }

// Export implements person.Exporter.
func (e jobsOf) Export(ctx context.Context, who person.Subject) (any, error) {
	all, err := e.scheduler.All(ctx)
	return slices.DeleteFunc(all, func(j scheduler.Job) bool { return !who.Is(j.Owner.Person) }), err
}
