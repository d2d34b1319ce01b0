package skills

import (
	"context"
	"errors"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/gateway/command"
	"talaria/gateway/place"
	"talaria/gateway/wording"
)

// remedies say what can be done about a refusal.
var remedies = []struct {
	err    error
	remedy string
}{
	{person.ErrForbidden, "An approver of this place or of the team can; `/role` gives that right."},
	{errNoDraft, "`/skills pending` lists those that do."},
	{skill.ErrNotFound, "`/skills list` shows what there is."},
	{skill.ErrBlocked, "`/skills show NAME` says what is wrong, `/skills edit NAME` puts another text in its place."},
	{skill.ErrExpired, "It can be proposed again."},
	{skill.ErrDecided, "`/skills history NAME` says how."},
	{skill.ErrStale, "`/skills show NAME` shows how it is now."},
	{skill.ErrNeedsAdmin, "Ask an admin to decide."},
	{skill.ErrNeedsAnother, "Ask another approver to decide."},
	{skill.ErrProtected, "Propose the change to its owner instead."},
	{skill.ErrDisabled, "`/skills enable NAME` ends that."},
	{errAbroad, ""},
	{skill.ErrUnfit, ""},
	{skill.ErrUnchanged, ""},
	{skill.ErrInvalid, ""},
}

// refusal is what is to be said of an error that is an answer, empty for any
// other.
func refusal(ctx context.Context, err error) string {
	for _, r := range remedies {
		if errors.Is(err, r.err) {
			text := wording.Text(ctx, "That did not work: %s.", wording.In(ctx).Reason(err, r.err))
			if r.remedy != "" {
				text += " " + wording.In(ctx).Of(r.remedy)
			}
			return text
		}
	}
	return ""
}

// settle says a refusal in words.
func settle(ctx context.Context, post chat.Post, err error) (chat.Post, error) {
	if unclear, ok := errors.AsType[*place.Unclear](err); ok {
		return which(ctx, unclear)
	}
	if text := refusal(ctx, err); text != "" {
		return command.Refuse(ctx, "%s", text)
	}
	return post, err
}

// which asks which place was meant.
func which(ctx context.Context, u *place.Unclear) (chat.Post, error) {
	word := code(command.Clipped(u.Word, 80))
	var like []string
	for _, name := range u.Like {
		like = append(like, "`"+code(name)+"`")
	}
	switch {
	case u.Several:
		return command.Refuse(ctx, "`%s` is the name of several places: %s. Give the id of the one you mean.", word, strings.Join(like, ", "))
	case len(like) == 0:
		return command.Refuse(ctx, "I know no place `%s` in which both of us take part. Give its id, or say it there.", word)
	}
	return command.Refuse(ctx, "I know no place `%s` in which both of us take part. Did you mean %s? Otherwise give its id, or say it there.", word, strings.Join(like, ", "))
}
