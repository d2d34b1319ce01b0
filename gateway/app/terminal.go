package app

import (
	"context"
	"errors"
	"fmt"

	"talaria/adapters/console"
	"talaria/core/chat"
	"talaria/core/person"
)

// errConsole tells the operator why the terminal is refused, before a person is.
var errConsole = errors.New("the store can be shared, so whoever sits at this terminal has no rights here; " +
	`write admins = ["console"] under [people] (or set TALARIA_PEOPLE_ADMINS=console) to be let in`)

// consoleKnown returns an error where the person at the console may do nothing.
func (a *App) consoleKnown(who person.Principal) error {
	if who.Identity.Platform == consolePlatform && who.Role == person.Nobody {
		return errConsole
	}
	return nil
}

// CheckConsole returns an error where there is a terminal and its person may do
// nothing: no code that they could be shown would lead them in.
func (a *App) CheckConsole(ctx context.Context) error {
	if a.o.Console == nil {
		return nil
	}
	who, err := a.directory.Resolve(ctx, chat.Author{Identity: chat.Identity{Platform: consolePlatform}},
		chat.Address{Platform: consolePlatform, Chat: consolePlatform}, true)
	if err != nil {
		return fmt.Errorf("find out who sits at the terminal: %w", err)
	}
	return a.consoleKnown(who)
}

// consoleEraser removes what the terminal kept in a folder of this machine, also
// where its person is forgotten from another account. It is a person.Eraser.
type consoleEraser struct{ folder string }

// Erase implements person.Eraser.
func (e consoleEraser) Erase(_ context.Context, who person.Subject) error {
	if !who.Has(console.Person()) {
		return nil
	}
	return console.Erase(e.folder)
}
