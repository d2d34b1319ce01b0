package command

import (
	"context"
	"strings"

	"talaria/core/chat"
	"talaria/gateway/wording"
)

// purposes say to people what each tool does; its description is for models.
var purposes = map[string]string{
	"time":            "tells the date and time, here or elsewhere",
	"memory":          "remembers what you want remembered, and corrects or forgets it",
	"session_search":  "searches earlier conversations that you can read",
	"files_list":      "lists the files of this conversation",
	"files_read":      "reads a file of this conversation",
	"files_write":     "writes a file, and sends it to you",
	"skill_view":      "reads a skill that fits what you want",
	"skills_search":   "looks for a skill",
	"skill_run":       "runs a script of a skill, shut in",
	"skill_manage":    "drafts a skill, or a change of one, for you to approve",
	"schedule_create": "sets a reminder, or has something done at times",
	"schedule_list":   "lists your reminders and jobs",
	"schedule_cancel": "cancels one of them",
	"fetch":           "reads a public web page",
}

// tools lists what can be used for whoever asks.
func tools(ctx context.Context, names []string) chat.Post {
	lines := make([]string, len(names))
	for n, name := range names {
		lines[n] = wording.Text(ctx, "`%s`: %s.", name, wording.In(ctx).Of(purposes[name]))
	}
	return wording.Say(ctx, "For you I can use:\n\n- %s", strings.Join(lines, "\n- "))
}
