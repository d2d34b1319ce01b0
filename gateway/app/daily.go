package app

import (
	"talaria/core/chat"
	"talaria/gateway/daily"
)

// daily is what daily briefings are made from.
func (a *App) daily() daily.Config {
	return daily.Config{
		Store: a.store, Directory: a.directory, Jobs: a.jobs.Desk, Library: a.library, Reader: a.tools.Page, Tell: a.tell,
		Histories: able[chat.Historian](a.adapters), Link: a.link, Log: a.log,
	}
}
