//go:build !failpoints

package app

import (
	"talaria/core/chat"
	"talaria/storage"
)

// handler is what adapters hand events to.
func (a *App) handler() chat.Handler { return a.inbox }

// underFault is the driver that a store is made of.
func underFault(d storage.Driver) storage.Driver { return d }
