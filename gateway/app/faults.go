//go:build !failpoints

package app

import "talaria/core/chat"

// handler is what adapters hand events to.
func (a *App) handler() chat.Handler { return a.inbox }
