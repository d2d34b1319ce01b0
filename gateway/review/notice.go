package review

import (
	"context"
	"errors"
	"strings"

	"talaria/core/chat"
	"talaria/core/learning/reflect"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// Learned tells somebody in one line what a review of their task learned: in
// their direct conversation or the thread that it came from, never to a whole
// place.
func (d *Desk) Learned(ctx context.Context, who person.Principal, r reflect.Report) error {
	at := who
	if !who.Direct && who.Place.Thread == "" {
		direct, ok, err := d.cfg.Directory.DirectOf(ctx, who)
		if err != nil || !ok {
			return err
		}
		at = direct
	}
	ctx, err := wording.ForUnasked(ctx, d.cfg.Store, who.Person)
	if err != nil {
		return err
	}
	post := wording.Say(ctx, "I learned: %s", strings.Join(plainLines(r.Learned), "; "))
	post.Buttons = append([]chat.Button{{Label: wording.Text(ctx, "See"), Action: actSee, Token: short(r)}}, buttons(ctx, r)...)
	return d.cfg.Tell(ctx, "learned:"+r.ID, at.Place, post)
}

func (d *Desk) see(ctx context.Context, p command.Press) (command.Reaction, error) {
	post, err := d.show(ctx, p.Who, p.Token)
	return command.Reaction{Say: post}, err
}

// undo takes back what a review put in force, by the same commands that a
// person would type, with the rights of whoever presses.
func (d *Desk) undo(ctx context.Context, p command.Press) (command.Reaction, error) {
	rep, err := d.find(ctx, p.Who, p.Token)
	if errors.Is(err, reflect.ErrNoReport) {
		return command.Reaction{Say: wording.Say(ctx, "The report of that is gone; `/memory` and `/skills list` show what is in force."), Aside: true}, nil
	}
	if err != nil {
		return command.Reaction{}, err
	}
	who, err := d.there(ctx, p.Who, rep)
	if err != nil {
		return command.Reaction{}, err
	}
	var done []string
	for _, line := range rep.Undo {
		post, err := d.cfg.Run(ctx, who, line)
		if err != nil {
			return command.Reaction{}, err
		}
		done = append(done, post.Markdown)
	}
	card := wording.Say(ctx, "Learned, and taken back: %s\n\n%s", strings.Join(plainLines(rep.Learned), "; "), strings.Join(done, "\n\n"))
	return command.Reaction{Card: &card}, nil
}

// there is who somebody is at the place that a report is about: what was
// learned lies there, and is taken back with the rights that they have there.
func (d *Desk) there(ctx context.Context, who person.Principal, r reflect.Report) (person.Principal, error) {
	if !who.Direct || r.Address.Place() == who.Place.Place() || r.Address.Platform == "" {
		return who, nil
	}
	p, err := d.cfg.Directory.Renew(ctx, person.Principal{Identity: r.Asker, Name: who.Name, Place: r.Address})
	if err == nil && p.Person != who.Person {
		err = person.ErrForbidden
	}
	return p, err
}
