package skills

import (
	"context"
	"fmt"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/gateway/command"
)

// Actions are what the cards' buttons do.
func (d *Desk) Actions() []command.Action {
	return []command.Action{
		{Name: actApprove, Role: person.Guest, Run: d.pressed(d.approved)},
		{Name: actReject, Role: person.Guest, Run: d.pressed(d.rejected)},
		{Name: actEdit, Role: person.Guest, Form: d.editForm, Run: d.pressed(d.edited)},
		{Name: actLater, Role: person.Guest, Run: d.pressed(d.postponed)},
		{Name: actPage, Role: person.Guest, Run: d.turnPage},
	}
}

// stale answers a press on a card whose draft is no longer what it shows.
const stale = "This card is out of date: the draft was decided, changed or dropped since. `/skills pending` shows what waits now."

// pressed finds the draft that a button is about, as it was shown.
func (d *Desk) pressed(do func(ctx context.Context, p command.Press, r skill.Revision) (command.Reaction, error)) func(context.Context, command.Press) (command.Reaction, error) {
	return func(ctx context.Context, p command.Press) (command.Reaction, error) {
		r, ok, err := d.shown(ctx, p)
		if err != nil {
			return command.Reaction{}, err
		}
		if !ok {
			return command.Reaction{Say: say(stale)}, nil
		}
		done, err := do(ctx, p, r)
		if text := refusal(err); text != "" {
			return command.Reaction{Say: say("%s", text)}, nil
		}
		return done, err
	}
}

func (d *Desk) shown(ctx context.Context, p command.Press) (skill.Revision, bool, error) {
	waiting, err := d.library.Pending(ctx, p.Who)
	if err != nil {
		return skill.Revision{}, false, err
	}
	for _, r := range waiting {
		if token(r) == p.Token {
			return r, true, nil
		}
	}
	return skill.Revision{}, false, nil
}

func (d *Desk) approved(ctx context.Context, p command.Press, r skill.Revision) (command.Reaction, error) {
	now, err := d.library.Approve(ctx, p.Who, r.Ref, r.Hash)
	if err != nil {
		return command.Reaction{}, err
	}
	return command.Reaction{Card: decidedCard(now, "Approved", p.Who)}, nil
}

func (d *Desk) rejected(ctx context.Context, p command.Press, r skill.Revision) (command.Reaction, error) {
	now, err := d.library.Reject(ctx, p.Who, r.Ref, r.Hash, "")
	if err != nil {
		return command.Reaction{}, err
	}
	return command.Reaction{Card: decidedCard(now, "Rejected", p.Who)}, nil
}

func (d *Desk) postponed(_ context.Context, _ command.Press, r skill.Revision) (command.Reaction, error) {
	return command.Reaction{Say: say("**%s** waits until %s. `/skills pending` shows what waits.", code(r.Name), r.Expires.UTC().Format("2 January, 15:04 UTC"))}, nil
}

// decidedCard is a card after the decision: what, by whom, and the way back.
func decidedCard(r skill.Revision, what string, by person.Principal) *chat.Post {
	who := "you"
	if by.Name != "" {
		who = plain(strings.Join(strings.Fields(by.Name), " "))
	}
	post := say("**%s by %s: %s** (revision %d, for %s)", what, who, code(r.Name), r.Number, whose(r.Scope))
	if what == "Approved" {
		post.Markdown += fmt.Sprintf("\n\nIt is used from the next request on. `/skills disable %s` stops it at once, `/skills rollback %s` goes back.", r.Name, r.Name)
	}
	return &post
}

// editForm offers the draft's text to be changed.
func (d *Desk) editForm(ctx context.Context, p command.Press) (*chat.FormSpec, error) {
	r, ok, err := d.shown(ctx, p)
	if err != nil || !ok {
		return nil, err
	}
	files, err := d.library.Bundle(ctx, p.Who, r.Ref)
	if err != nil {
		return nil, err
	}
	text := string(files[manifest.MainFile])
	if len([]rune(text)) > maxForm {
		return nil, nil
	}
	return &chat.FormSpec{Title: "Edit the draft", Action: actEdit, Token: p.Token, Fields: []chat.Field{
		{Name: "text", Label: "SKILL.md", Value: text, Lines: 20, Required: true},
	}}, nil
}

// maxForm is the longest text that every platform's forms take, in characters
// (Slack 3,000, Discord 4,000); a longer one is edited by a message.
const maxForm = 2900

// edited takes a form's text; a plain press is told how to edit by a message.
func (d *Desk) edited(ctx context.Context, p command.Press, r skill.Revision) (command.Reaction, error) {
	text, ok := p.Values["text"]
	if !ok {
		return command.Reaction{Say: say("Send the whole new text as `/skills edit %s`, with the text on the lines below. `/skills export %s` gives you the present one.", r.Name, r.Name)}, nil
	}
	out, err := d.replace(ctx, p.Who, r, text)
	if err != nil {
		return command.Reaction{}, err
	}
	post, err := d.outcome(ctx, p.Who, out)
	return command.Reaction{Say: post}, err
}

// replace puts a person's text in the place of a draft.
func (d *Desk) replace(ctx context.Context, p person.Principal, r skill.Revision, text string) (skill.Outcome, error) {
	files, err := d.library.Bundle(ctx, p, r.Ref)
	if err != nil {
		return skill.Outcome{}, err
	}
	next := manifest.Bundle{}
	for path, data := range files {
		next[path] = data
	}
	next[manifest.MainFile] = []byte(text)
	return d.library.Edit(ctx, p, r.Ref, r.Hash, next, "edited by hand")
}

// outcome says what came of a proposal: in force, or the card to decide on.
func (d *Desk) outcome(ctx context.Context, p person.Principal, out skill.Outcome) (chat.Post, error) {
	if out.Live {
		return say("**%s** is in force (revision %d). `/skills rollback %s` undoes it.", code(out.Revision.Name), out.Revision.Number, out.Revision.Name), nil
	}
	return d.card(ctx, p, out.Revision)
}

// waiting is the draft of a name that waits.
func (d *Desk) waiting(ctx context.Context, p person.Principal, name string) (skill.Revision, error) {
	all, err := d.library.Pending(ctx, p)
	if err != nil {
		return skill.Revision{}, err
	}
	for _, r := range all {
		if r.Name == name {
			return r, nil
		}
	}
	return skill.Revision{}, fmt.Errorf("%w: no draft of %q waits", skill.ErrNotFound, name)
}

func (d *Desk) approve(ctx context.Context, r request) (chat.Post, error) {
	name, _ := r.first()
	draft, err := d.waiting(ctx, r.Who, name)
	if err != nil {
		return chat.Post{}, err
	}
	now, err := d.library.Approve(ctx, r.Who, draft.Ref, draft.Hash)
	if err != nil {
		return chat.Post{}, err
	}
	return *decidedCard(now, "Approved", r.Who), nil
}

func (d *Desk) reject(ctx context.Context, r request) (chat.Post, error) {
	name, reason := r.first()
	draft, err := d.waiting(ctx, r.Who, name)
	if err != nil {
		return chat.Post{}, err
	}
	now, err := d.library.Reject(ctx, r.Who, draft.Ref, draft.Hash, reason)
	if err != nil {
		return chat.Post{}, err
	}
	return *decidedCard(now, "Rejected", r.Who), nil
}

// edit replaces the draft that waits or, where none does, proposes a change of
// what is in force.
func (d *Desk) edit(ctx context.Context, r request) (chat.Post, error) {
	name, text := r.first()
	if text == "" {
		return say("Send `/skills edit %s` with the whole new SKILL.md on the lines below. `/skills export %s` gives you the present one.", code(name), code(name)), nil
	}
	draft, err := d.waiting(ctx, r.Who, name)
	if err == nil {
		out, err := d.replace(ctx, r.Who, draft, text)
		if err != nil {
			return chat.Post{}, err
		}
		return d.outcome(ctx, r.Who, out)
	}
	s, err := d.library.Find(ctx, r.Who, name)
	if err != nil {
		return chat.Post{}, err
	}
	files, err := d.library.Bundle(ctx, r.Who, s.At(s.InForce))
	if err != nil {
		return chat.Post{}, err
	}
	next := manifest.Bundle{}
	for path, data := range files {
		next[path] = data
	}
	next[manifest.MainFile] = []byte(text)
	return d.propose(ctx, r, skill.Proposal{Ref: s.Ref.At(0), Files: next, Base: s.Hash, Reason: "edited by hand", Origin: chat.Member})
}

// propose takes a person's own change in.
func (d *Desk) propose(ctx context.Context, r request, pr skill.Proposal) (chat.Post, error) {
	out, err := d.library.Propose(ctx, r.Who, pr)
	if err != nil {
		return chat.Post{}, err
	}
	return d.outcome(ctx, r.Who, out)
}
