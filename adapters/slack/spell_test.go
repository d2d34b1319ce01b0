package slack_test

import (
	"encoding/json"
	"testing"

	"talaria/core/chat"
)

func TestOwnCommandsAreWrittenAsTheyAreTypedOnSlack(t *testing.T) {
	r := newRig(t, setup{})
	for _, c := range []struct {
		name, text, want string
		free             bool
		thread           string
	}{
		{"a command", "Say `/help`, or `/pair CODE`.", "Say `/talaria help`, or `/talaria pair CODE`.", false, ""},
		{"a skill's", "`/weekly-report`", "`/talaria weekly-report`", false, ""},
		{"written so already", "`/talaria help`", "`/talaria help`", false, ""},
		{"a path", "`/etc/hosts` and `/v1.2`", "`/etc/hosts` and `/v1.2`", false, ""},
		{"between code", "`a`/new `b`", "`a`\u200b/new `b`", false, ""},
		{"somebody's text", "````\n`/help`\n```\n`/help`\n````\n`/new`", "```\n`/help`\n\u02cb\u02cb\u02cb\n`/help`\n```\n\n`/talaria new`", false, ""},
		{"a model's words", "Ask `/status` of the server.", "Ask `/status` of the server.", true, ""},
		{"in a thread", "Say `/help`, or `/pair CODE`.", "Say `!talaria help`, or `!talaria pair CODE`.", false, "1.000001"},
		{"written so, in a thread", "`/talaria help` or `/talaria`", "`!talaria help` or `!talaria`", false, "1.000001"},
		{"a path, in a thread", "`/etc/hosts`", "`/etc/hosts`", false, "1.000001"},
		{"a model's words in a thread", "Ask `/status` of the server.", "Ask `/status` of the server.", true, "1.000001"},
	} {
		t.Run(c.name, func(t *testing.T) {
			parts := r.Adapter.Render(chat.Post{Markdown: c.text, Free: c.free, At: chat.Address{Thread: c.thread}})
			var sent struct {
				Text string `json:"text"`
			}
			if len(parts) != 1 || json.Unmarshal(parts[0].Payload, &sent) != nil || sent.Text != c.want {
				t.Errorf("%+v, not %q", sent, c.want)
			}
		})
	}
}
