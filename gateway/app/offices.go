package app

import (
	"slices"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/gateway/daily"
	"talaria/gateway/journey"
	"talaria/gateway/review"
	"talaria/gateway/skills"
	"talaria/storage"
)

// offices are what chat commands and buttons reach. The zero value answers
// nothing, and is enough for the menu.
type offices struct {
	directory *person.Directory
	tell      command.Tell
	consent   command.Consent
	learning  command.Learning
	store     *storage.Store
	searcher  *memory.Searcher
	house     command.House
	rights    command.Rights
	jobs      command.Desk
	skills    *skills.Desk
	review    *review.Desk
	journey   *journey.Desk
	daily     *daily.Desk
}

// table is all chat commands, and what buttons do.
func (o offices) table() *command.Table {
	return command.NewTable(slices.Concat(
		command.ForSession(o.directory.Domain), command.ForPeople(o.directory, o.tell, o.consent, o.learning), command.ForMemory(o.store, o.searcher, o.tell, o.forgot),
		command.ForHouse(o.house), command.ForSelf(o.store, o.directory, o.forgot), command.ForRights(o.rights), command.ForJobs(o.jobs, o.store),
		o.skills.Commands(), o.review.Commands(), o.journey.Commands(), o.daily.Commands(),
	), slices.Concat(
		o.skills.Actions(), o.review.Actions(), o.daily.Actions(), command.ForCards(o.store, o.forgot), command.ForJobCards(o.jobs), command.ForBroughtJobs(o.jobs, o.store),
	)...)
}

// Menu is what platforms show of the chat commands.
func Menu() chat.Menu {
	return offices{skills: &skills.Desk{}, review: &review.Desk{}, journey: &journey.Desk{}, daily: &daily.Desk{}}.table().Menu()
}
