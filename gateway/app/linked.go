package app

import (
	"log/slog"

	"talaria/core/learning"
	"talaria/core/learning/export"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/brought"
	"talaria/gateway/daily"
	"talaria/storage"
)

// Movers carry over what is kept of a person when accounts are linked, and back.
// What else lies in a person's partition, and why it stays, stands in the test.
func Movers(s *storage.Store, log *slog.Logger) []person.Mover {
	return []person.Mover{
		person.LinkedSettings(s), memory.NewLinked(s), skill.NewLinked(s, log), Jobs(s), daily.NewLinked(s),
		learning.NewLinked(s), export.NewLinked(s), brought.NewLinked(s),
	}
}
