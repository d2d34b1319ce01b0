package skills

import (
	"context"
	"regexp"
	"strings"

	"talaria/core/chat"
	"talaria/gateway/wording"
)

// askForText asks for a skill's new text where there is no form to enter it in.
func askForText(ctx context.Context, name string) string {
	return wording.Text(ctx, "Reply to this message with the whole new `SKILL.md` of `%s`, or send it as `/skills edit %s` with the text on the lines below. "+
		"`/skills export %s` gives you the present one.", name, name, name)
}

// asksForText reads the skill's name off what askForText says in any language.
var asksForText = regexp.MustCompile("^(?:Reply to this message with the whole new `?SKILL\\.md`? of |请用 )`?([a-z0-9-]{1,64})`?(?:, or send| 的完整新)")

// EditReply is the command that a reply to askForText is, nil for any other
// event. All that the quoted words do is to name the skill: the text is the
// author's own, and what comes of it is a draft like any other.
func EditReply(e chat.Event) *chat.Event {
	if e.Kind != chat.Message || e.Forwarded || e.Quoted == nil || !e.Quoted.Own {
		return nil
	}
	m := asksForText.FindStringSubmatch(strings.TrimSpace(e.Quoted.Text))
	if m == nil || !strings.HasPrefix(strings.TrimSpace(e.Text), "---") {
		return nil
	}
	e.Kind, e.Command = chat.Command, &chat.CommandCall{Name: "skills", Args: "edit " + m[1] + "\n" + e.Text}
	e.Text, e.Quoted = "", nil
	return &e
}
