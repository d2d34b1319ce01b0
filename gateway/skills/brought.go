package skills

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill/brought"
	"talaria/core/skill/foreign"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// The buttons under a change that was brought.
const (
	actTake  = "skill.brought.take"
	actLeave = "skill.brought.leave"
)

// broughtActions are what these do.
func (d *Desk) broughtActions() []command.Action {
	press := func(name, verb string) command.Action {
		return command.Action{Name: name, Role: person.Guest, Run: func(ctx context.Context, p command.Press) (command.Reaction, error) {
			post, err := d.decideBrought(ctx, p.Who, p.Token, verb)
			post, err = settle(ctx, post, err)
			if r, ok := errors.AsType[*command.Refusal](err); ok {
				return command.Reaction{Say: r.Post, Aside: true}, nil
			}
			return command.Reaction{Card: &post}, err
		}}
	}
	return []command.Action{press(actTake, "yes"), press(actLeave, "drop")}
}

// brought lists the changes that waited for somebody's yes in the home that the
// person brought, or decides about one. Nothing of them is done unasked.
func (d *Desk) waited(ctx context.Context, r request) (chat.Post, error) {
	key, verb := r.first()
	if key = strings.Trim(key, "`"); key != "" {
		return d.decideBrought(ctx, r.Who, key, verb)
	}
	all, err := d.changesOf(ctx, r.Who)
	if err != nil {
		return chat.Post{}, err
	}
	switch len(all) {
	case 0:
		return wording.Say(ctx, "No change of another assistant's waits for you. `talaria skills import` takes its home in, and `/jobs import` offers its jobs."), nil
	case 1:
		return d.askBrought(ctx, all[0]), nil
	}
	var b strings.Builder
	for _, c := range all {
		b.WriteString(wording.Text(ctx, "- `%s` of %s: %s\n", c.Key, c.About, command.Clipped(cmp.Or(c.Summary, c.Action, "no summary"), 100)))
	}
	return wording.Say(ctx, "**%s** Nothing of them is done without you.\n\n%s\n`/skills brought KEY` shows one and asks.",
		plural(ctx, len(all), "change waits", "changes wait"), b.String()), nil
}

// changesOf are the changes that wait for who, who has to be alone with the bot:
// they tell of what is theirs.
func (d *Desk) changesOf(ctx context.Context, who person.Principal) ([]brought.Change, error) {
	if !who.Direct {
		_, err := command.Refuse(ctx, "What you brought is yours alone: say that in our direct conversation.")
		return nil, err
	}
	return brought.Of(d.Store, who.Person).Changes(ctx)
}

// decideBrought shows a change and asks, or does what was decided.
func (d *Desk) decideBrought(ctx context.Context, who person.Principal, key, verb string) (chat.Post, error) {
	all, err := d.changesOf(ctx, who)
	if err != nil {
		return chat.Post{}, err
	}
	n := slices.IndexFunc(all, func(c brought.Change) bool { return c.Key == key })
	if n < 0 {
		return command.Refuse(ctx, "No change `%s` waits for you. `/skills brought` lists those that do.", code(command.Clipped(key, 40)))
	}
	c := all[n]
	said, became := "", "dropped"
	switch verb {
	case "":
		return d.askBrought(ctx, c), nil
	case "yes":
		became = "taken over"
		if said, err = d.takeBrought(ctx, who, c); err != nil {
			return chat.Post{}, err
		}
	case "drop":
		said = "Dropped; it is not offered any more."
	default:
		return command.Misused(ctx, "`/skills brought %s` is followed by `yes` or `drop`.", c.Key)
	}
	if err := brought.Of(d.Store, who.Person).Settle(ctx, brought.Changes, c.Key, became); err != nil {
		return chat.Post{}, err
	}
	if left := len(all) - 1; left > 0 {
		said += " " + plural(ctx, left, "change waits", "changes wait") + " `/skills brought` shows them."
	}
	return wording.Say(ctx, "%s", said), nil
}

// askBrought is the card of a change.
func (d *Desk) askBrought(ctx context.Context, c brought.Change) chat.Post {
	var b strings.Builder
	b.WriteString(wording.Text(ctx, "**A change of %s that waited where you brought it from**", c.About))
	if !c.Created.IsZero() {
		b.WriteString(", since " + day(ctx, c.Created))
	}
	b.WriteString("\n\n")
	if c.Summary != "" {
		fmt.Fprintf(&b, "> %s\n\n", command.Clipped(c.Summary, 300))
	}
	for _, e := range c.Entries() {
		b.WriteString("- " + step(ctx, e) + "\n")
	}
	b.WriteString(wording.Text(ctx, "\nNothing is done without you: `/skills brought %s yes` or `drop`.", c.Key))
	post := wording.Say(ctx, "%s", b.String())
	post.Buttons = []chat.Button{
		{Label: "Take over", Action: actTake, Token: c.Key, Style: "primary"},
		{Label: "Drop", Action: actLeave, Token: c.Key, Style: "danger"},
	}
	return post
}

// step says what one step of a change of memory does.
func step(ctx context.Context, e foreign.Entry) string {
	about := map[foreign.Kind]string{foreign.Work: "what is remembered of the work", foreign.Profile: "what is remembered of you"}[e.Kind]
	quote := func(s string) string { return "“" + command.Clipped(s, memory.MaxText) + "”" } // nothing is agreed to unseen
	switch e.Op {
	case foreign.Replace:
		return fmt.Sprintf("in %s, %s becomes %s", about, quote(e.Old), quote(e.Text))
	case foreign.Remove:
		return fmt.Sprintf("%s is removed from %s", quote(e.Old), about)
	}
	return fmt.Sprintf("%s is added to %s", quote(e.Text), about)
}

// takeBrought carries a change out on the person's word, and says what it did.
func (d *Desk) takeBrought(ctx context.Context, who person.Principal, c brought.Change) (string, error) {
	if c.About == "skills" {
		in := &importing{desk: d, who: who, origin: chat.TrustedTool}
		why, err := in.change(ctx, c.Pending)
		if err == nil && why != "" {
			_, err = command.Refuse(ctx, "That can't be a draft yet: %s. It still waits.", command.Plain(why))
		}
		return "It is a draft now; `/skills pending` shows its card.", err
	}
	entries := c.Entries()
	if len(entries) == 0 {
		_, err := command.Refuse(ctx, "It can't be carried out here: it has no step that I know. `/skills brought %s drop` puts it aside.", c.Key)
		return "", err
	}
	err := memory.For(d.Store, who).Apply(ctx, edits(entries), memory.Source{Origin: chat.Member})
	if bad, ok := errors.AsType[*memory.EditError](err); ok && isMemoryRefusal(bad.Err) {
		_, err = command.Refuse(ctx, "Step %d of %d can't be done: %s. So nothing was changed, and the change still waits.", bad.Step, len(entries), command.Plain(bad.Err.Error()))
	}
	if err != nil {
		return "", err
	}
	return "Done; `/memory` shows what is remembered, and takes it back.", nil
}

var kinds = map[foreign.Kind]memory.Kind{foreign.Work: memory.Work, foreign.Profile: memory.Profile}

// edits are the steps of a change as memory makes them.
func edits(entries []foreign.Entry) []memory.Edit {
	out := make([]memory.Edit, len(entries))
	for i, e := range entries {
		switch e.Op {
		case foreign.Replace:
			out[i] = memory.Edit{Old: e.Old, Text: e.Text}
		case foreign.Remove:
			out[i] = memory.Edit{Old: e.Old}
		default:
			out[i] = memory.Edit{Kind: kinds[e.Kind], Text: e.Text}
		}
	}
	return out
}

// isMemoryRefusal reports whether an error of memory is an answer.
func isMemoryRefusal(err error) bool {
	return slices.ContainsFunc([]error{
		memory.ErrInvalid, memory.ErrSecret, memory.ErrHostile, memory.ErrForbidden, memory.ErrFull, memory.ErrAmbiguous, memory.ErrNotFound, memory.ErrNotSaid,
	}, func(known error) bool { return errors.Is(err, known) })
}
