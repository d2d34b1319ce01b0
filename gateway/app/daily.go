package app

import (
	"talaria/core/chat"
	"talaria/core/tool"
	"talaria/gateway/daily"
)

// daily is what daily briefings are made from.
func (a *App) daily(tools *tool.Set) daily.Config {
	histories := map[string]chat.Historian{}
	for name, ad := range a.adapters {
		if h, ok := ad.(chat.Historian); ok {
			histories[name] = h
		}
	}
	return daily.Config{
		Store: a.store, Directory: a.directory, Jobs: a.jobs.Desk, Library: a.library, Reader: tools.Page, Tell: a.tell,
		Histories: histories, Link: a.link, Log: a.log,
	}
}
