package scheduler

import (
	"context"
	"errors"
	"fmt"

	"talaria/core/chat"
	"talaria/scheduler/when"
)

// Remind makes a reminder of a message that a person replied to, out of their
// own words alone, as in "remind me about this tomorrow"; false where the words
// ask for none. The message goes along as data, with the link to it, if there
// is one. Without a clock time it comes at nine.
func (d Desk) Remind(ctx context.Context, key, words string, about chat.Quote, link string) (string, bool, error) {
	if !reminds.MatchString(words) {
		return "", false, nil
	}
	now, err := d.s.cfg.Store.Now(ctx)
	if err != nil {
		return "", true, err
	}
	s, task, err := d.found(words, now)
	if err != nil {
		atNine := " at 9:00"
		if when.Language(words) == when.Chinese {
			atNine = "早上9点"
		}
		again, rest, ok := when.Find(words+atNine, d.Zone, now)
		if _, unclear := errors.AsType[*when.Unclear](err); !unclear || !ok {
			return "", true, err
		}
		s, task = again, rest
	}
	say := reminder(words, task)
	if link != "" {
		say += fmt.Sprintf(" ([message](%s))", link)
	}
	j, err := d.Add(ctx, Order{Key: key, Say: say, Origin: chat.Member, About: &about, Schedule: s})
	if err != nil {
		return "", true, err
	}
	return readBack(d.s.in(ctx), j, now), true, nil
}
