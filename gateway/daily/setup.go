package daily

import (
	"context"
	"errors"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/gateway/wording"
	"talaria/scheduler"
	"talaria/scheduler/when"
)

// The buttons of the set-up.
const (
	actWhen  = "brief.when"
	actOther = "brief.other"
	actWhere = "brief.where"
	actWhat  = "brief.what"
	actDone  = "brief.done"
)

// Actions are what the buttons do.
func (d *Desk) Actions() []command.Action {
	var out []command.Action
	for _, name := range []string{actWhen, actWhere, actWhat} {
		out = append(out, command.Action{Name: name, Role: person.Member, Run: d.step})
	}
	return append(out,
		command.Action{Name: actOther, Role: person.Member, Run: d.other},
		command.Action{Name: actDone, Role: person.Member, Run: d.done},
	)
}

// begin shows the first step.
func (d *Desk) begin(ctx context.Context, c command.Call, lang wording.Language) (chat.Post, error) {
	v := newDraft(c.Event.Key(), c.Who.Place, lang)
	if err := d.save(ctx, c.Who, v); err != nil {
		return chat.Post{}, err
	}
	return d.offer(ctx, c, v)
}

// offer shows a set-up's card. What only its reader sees can't be changed later,
// so there the card comes as a message of its own beside the answer.
func (d *Desk) offer(ctx context.Context, c command.Call, v draft) (chat.Post, error) {
	card := v.card(c.Who, d.Histories)
	if c.Event.Interaction == nil || c.Who.Direct {
		return card, nil
	}
	return v.Lang.Say(beside), d.Tell(ctx, "brief:"+c.Event.Key(), c.Who.Place, card)
}

// step takes a choice and shows the next step in place of this one.
func (d *Desk) step(ctx context.Context, p command.Press) (command.Reaction, error) {
	v, choice, err := d.pressed(ctx, p)
	if err != nil {
		return foreign(ctx, err)
	}
	if p.Event.Press.Action == actWhere && choice == "dm" {
		if _, ok, err := d.Directory.DirectOf(ctx, p.Who); err != nil || !ok {
			return command.Reaction{Say: v.Lang.Say(writeFirst)}, err
		}
	}
	v.choose(p.Event.Press.Action, choice)
	card := v.card(p.Who, d.Histories)
	return command.Reaction{Card: &card}, d.save(ctx, p.Who, v)
}

// foreign answers a press on what is no set-up of whoever pressed.
func foreign(ctx context.Context, err error) (command.Reaction, error) {
	if errors.Is(err, errNoDraft) {
		return command.Reaction{Say: wording.Say(ctx, notYours), Aside: true}, nil
	}
	return command.Reaction{}, err
}

// other asks for a time in words.
func (d *Desk) other(ctx context.Context, p command.Press) (command.Reaction, error) {
	v, _, err := d.pressed(ctx, p)
	if err != nil {
		return foreign(ctx, err)
	}
	return command.Reaction{Say: v.Lang.Say(sayWhen)}, nil
}

// at takes a time in words: for the set-up that is under way, for the briefing that
// there is, or to begin a set-up with. Words that tell of no time, or of one that
// does not come again, are errOnce.
func (d *Desk) at(ctx context.Context, r request) (chat.Post, error) {
	now, err := d.Store.Now(ctx)
	if err != nil {
		return chat.Post{}, err
	}
	words, s, err := often(r.words, r.desk.Zone, now)
	if u, ok := errors.AsType[*when.Unclear](err); ok { // what it suggests may come only once
		return chat.Post{Markdown: u.Reason + "\n\n" + r.lang.Text(sayWhen)}, nil
	}
	if err != nil {
		return chat.Post{}, err
	}
	v, ok, err := d.underWay(ctx, r.Who)
	switch {
	case err != nil:
		return chat.Post{}, err
	case ok:
	case r.brief == nil:
		v = newDraft(r.Event.Key(), r.Who.Place, r.lang)
	default:
		return d.change(ctx, r, func(_ *Spec, c *scheduler.Change) string {
			c.Schedule = s
			return ""
		})
	}
	v.When, v.Lang = words, r.lang
	if err := d.save(ctx, r.Who, v); err != nil {
		return chat.Post{}, err
	}
	return d.offer(ctx, r.Call, v)
}

// done makes the job, in place of an earlier briefing of the same kind.
func (d *Desk) done(ctx context.Context, p command.Press) (command.Reaction, error) {
	v, _, err := d.pressed(ctx, p)
	if err != nil {
		return foreign(ctx, err)
	}
	post, err := d.make(ctx, p.Who, v)
	if err == nil {
		v.Made = true // the buttons lead to the same briefing still
		err = d.save(ctx, p.Who, v)
	}
	post, err = settle(wording.In(ctx), post, err)
	return command.Reaction{Card: &post}, err
}

func (d *Desk) make(ctx context.Context, who person.Principal, v draft) (chat.Post, error) {
	desk, err := d.Jobs(ctx, who)
	if err != nil {
		return chat.Post{}, err
	}
	now, err := d.Store.Now(ctx)
	if err != nil {
		return chat.Post{}, err
	}
	s, err := when.Parse(v.schedule(), desk.Zone, now)
	if err != nil {
		return chat.Post{}, err
	}
	return d.have(ctx, desk, who, v, s)
}

// have makes the job of a set-up that comes at those times.
func (d *Desk) have(ctx context.Context, desk scheduler.Desk, who person.Principal, v draft, s when.Schedule) (chat.Post, error) {
	order, spec, err := v.order(who)
	if err != nil {
		return chat.Post{}, err
	}
	order.Schedule = s
	old, err := d.earlier(ctx, who, spec)
	if err != nil {
		return chat.Post{}, err
	}
	j, err := desk.Add(ctx, order)
	if err != nil {
		return chat.Post{}, err
	}
	for _, o := range old {
		if o.ID == j.ID {
			continue
		}
		if _, err := o.desk.Delete(ctx, o.ID); err != nil && !errors.Is(err, scheduler.ErrNoJob) {
			return chat.Post{}, err
		}
	}
	return d.shown(ctx, j, spec, v.Lang)
}

// prompt is what the model is asked for.
const prompt = "Daily briefing: word what was gathered for me. What needs me comes first, what belongs together is one line; " +
	"keep the links, add nothing, leave out what is of no use. Write in my language."

// tools are what a briefing's run may use: nothing that reaches outside, for
// other people's words are before the model.
var tools = []string{"session_search", "time"}

// order is the job that a set-up asks for, but for its times.
func (v *draft) order(who person.Principal) (scheduler.Order, Spec, error) {
	o := scheduler.Order{Key: "brief:" + v.Token, Prompt: prompt, Origin: chat.Self, Rules: scheduler.Defaults(false)}
	o.Rules.Tools = tools
	spec := Spec{Sections: v.Sections, Lang: v.Lang}
	switch {
	case v.Where == "dm":
		o.Targets = []scheduler.Target{{}}
	case !who.Direct:
		spec.Space = who.Place.Place()
		o.Targets = []scheduler.Target{{Place: who.Place}}
	}
	var err error
	o.Data, err = spec.encode()
	return o, spec, err
}

// card is the set-up at the step it has come to.
func (v *draft) card(who person.Principal, histories map[string]chat.Historian) chat.Post {
	button := func(label, action, choice string) chat.Button {
		return chat.Button{Label: label, Action: action, Token: v.Token + "-" + choice}
	}
	switch {
	case v.When == "":
		return chat.Post{Markdown: v.Lang.Text(stepWhen), Buttons: []chat.Button{
			button("8:00", actWhen, hours[0]), button("9:00", actWhen, hours[1]), button(v.Lang.Text(otherLabel), actOther, "x"),
		}}
	case v.Where == "" && who.Direct:
		return chat.Post{
			Markdown: v.soFar() + v.Lang.Text(stepWhere),
			Buttons:  []chat.Button{button(v.Lang.Text(hereLabel), actWhere, "here")},
		}
	case v.Where == "":
		return chat.Post{
			Markdown: v.soFar() + v.Lang.Text(stepPlace),
			Buttons:  []chat.Button{button(v.Lang.Text(hereLabel), actWhere, "here"), button(v.Lang.Text(dmLabel), actWhere, "dm")},
		}
	}
	post := chat.Post{Markdown: v.soFar() + v.Lang.Text(stepWhat)}
	for _, s := range sections {
		sign, next := "✓ ", "-off"
		if !slices.Contains(v.Sections, s.Section) {
			sign, next = "✗ ", "-on"
		}
		post.Buttons = append(post.Buttons, button(sign+v.Lang.Of(s.title), actWhat, string(s.Section)+next))
	}
	done := button(v.Lang.Text(doneLabel), actDone, "x")
	done.Style = "primary"
	post.Buttons = append(post.Buttons, done)
	if _, ok := histories[who.Place.Platform]; !ok {
		post.Markdown += "\n\n" + noHistory(v.Lang, who.Place.Platform)
	}
	return post
}

// soFar says what was chosen.
func (v *draft) soFar() string {
	parts := []string{v.Lang.Text(whenSaid, command.Clipped(v.schedule(), maxText))}
	switch v.Where {
	case "here":
		parts = append(parts, v.Lang.Text(hereSaid))
	case "dm":
		parts = append(parts, v.Lang.Text(directSaid))
	}
	return v.Lang.Text(soFarWords, strings.Join(parts, v.Lang.Text(between)))
}
