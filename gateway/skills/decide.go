package skills

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"unicode/utf8"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// Actions are what the cards' buttons do.
func (d *Desk) Actions() []command.Action {
	return append(append(d.digestActions(), d.broughtActions()...), []command.Action{
		{Name: actApprove, Role: person.Guest, Run: d.pressed(d.approved)},
		{Name: actReject, Role: person.Guest, Run: d.pressed(d.rejected)},
		{Name: actEdit, Role: person.Guest, Form: d.editForm, Run: d.pressed(d.edited)},
		{Name: actLater, Role: person.Guest, Run: d.pressed(d.postponed)},
		{Name: actPage, Role: person.Guest, Run: d.turnPage},
		{Name: actCard, Role: person.Guest, Run: d.pressed(d.laidOut)},
	}...)
}

// stale answers a press on a card that nobody remembers.
const stale = "This card is out of date. `/skills pending` shows what waits now."

// pressed finds what a card is about and answers refusals. Where the draft is
// no longer open, the card says how it ended.
func (d *Desk) pressed(do func(ctx context.Context, p command.Press, k kept) (command.Reaction, error)) func(context.Context, command.Press) (command.Reaction, error) {
	return func(ctx context.Context, p command.Press) (command.Reaction, error) {
		k, ok, err := d.kept(ctx, p.Token)
		if err != nil {
			return command.Reaction{}, err
		}
		if !ok {
			return command.Reaction{Say: wording.Say(ctx, stale), Aside: true}, nil
		}
		done, err := do(ctx, p, k)
		text := refusal(ctx, err)
		if text == "" {
			return done, err
		}
		r, err := d.library.Revision(ctx, p.Who, k.Ref)
		if err != nil || r.State == skill.Draft || r.State == skill.Blocked {
			return command.Reaction{Say: chat.Post{Markdown: text}, Aside: true}, nil
		}
		if done, err = d.over(ctx, p.Who, r); err != nil {
			return command.Reaction{}, err
		}
		if r.Grant == nil || r.Grant.By != p.Who.Person { // else it is the same press again
			done.Say, done.Aside = chat.Post{Markdown: text}, true
		}
		return done, nil
	}
}

func (d *Desk) approved(ctx context.Context, p command.Press, k kept) (command.Reaction, error) {
	now, err := d.library.Approve(ctx, p.Who, k.Ref, k.Hash)
	if err != nil {
		return command.Reaction{}, err
	}
	return d.over(ctx, p.Who, now)
}

func (d *Desk) rejected(ctx context.Context, p command.Press, k kept) (command.Reaction, error) {
	now, err := d.library.Reject(ctx, p.Who, k.Ref, k.Hash, "")
	if err != nil {
		return command.Reaction{}, err
	}
	return d.over(ctx, p.Who, now)
}

func (d *Desk) postponed(ctx context.Context, p command.Press, k kept) (command.Reaction, error) {
	r, err := d.open(ctx, p.Who, k)
	if err != nil {
		return command.Reaction{}, err
	}
	return command.Reaction{Say: wording.Say(ctx, "**%s** waits until %s. `/skills pending` shows what waits.", code(r.Name), r.Expires.UTC().Format(wording.Text(ctx, "2 January, 15:04 UTC")))}, nil
}

// open is the draft that a card is about, as long as it waits.
func (d *Desk) open(ctx context.Context, p person.Principal, k kept) (skill.Revision, error) {
	r, err := d.library.Revision(ctx, p, k.Ref)
	switch {
	case err != nil:
		return r, err
	case r.State == skill.Expired:
		return r, skill.ErrExpired
	case r.State != skill.Draft && r.State != skill.Blocked:
		return r, skill.ErrDecided
	case r.Hash != k.Hash:
		return r, skill.ErrStale
	}
	return r, nil
}

// over puts how a draft ended on its card, which others read too.
func (d *Desk) over(ctx context.Context, by person.Principal, r skill.Revision) (command.Reaction, error) {
	told, err := d.speaking(ctx, by, r)
	return command.Reaction{Card: ended(told, r, by)}, err
}

// ended is a card once its draft waits no longer: how it ended, by whom if it
// was by, and the way back.
func ended(ctx context.Context, r skill.Revision, by person.Principal) *chat.Post {
	who := ""
	if by.Name != "" && (r.State == skill.Rejected || r.Grant != nil && r.Grant.By == by.Person) {
		who = wording.Text(ctx, " by %s", command.Plain(strings.Join(strings.Fields(by.Name), " ")))
	}
	what := map[skill.RevisionState]string{
		skill.Approved: "Approved", skill.Rejected: "Rejected", skill.Expired: "Expired", skill.RolledBack: "Rolled back",
	}[r.State]
	if what == "" {
		what = "Out of date"
	}
	post := wording.Say(ctx, "**%s%s: %s** (revision %d, for %s)", wording.In(ctx).Of(what), who, code(r.Name), r.Number, whose(ctx, r.Scope, by))
	if r.State == skill.Approved {
		post.Markdown += "\n\n" + wording.Text(ctx, "It is used from the next request on. `/skills disable %s` stops it at once, `/skills rollback %s` goes back.", r.Name, r.Name)
	}
	return &post
}

// editForm offers the draft's text to be changed.
func (d *Desk) editForm(ctx context.Context, p command.Press) (*chat.FormSpec, error) {
	k, ok, err := d.kept(ctx, p.Token)
	if err != nil || !ok {
		return nil, err
	}
	r, err := d.open(ctx, p.Who, k)
	if refusal(ctx, err) != "" {
		return nil, nil // pressing says why
	}
	if err != nil {
		return nil, err
	}
	files, err := d.library.Bundle(ctx, p.Who, r.Ref)
	if err != nil {
		return nil, err
	}
	text := string(files[manifest.MainFile])
	if len([]rune(text)) > maxForm || !utf8.ValidString(text) {
		return nil, nil
	}
	return &chat.FormSpec{Title: wording.Text(ctx, "Edit the draft"), Action: actEdit, Token: p.Token, Fields: []chat.Field{
		{Name: "text", Label: "SKILL.md", Value: text, Lines: 20, Required: true},
	}}, nil
}

// maxForm is the longest text that every platform's forms take, in characters
// (Slack 3,000, Discord 4,000); a longer one is edited by a message.
const maxForm = 2900

// edited takes a form's text. Without a form, on Telegram for instance, it asks
// for a reply; see EditReply.
func (d *Desk) edited(ctx context.Context, p command.Press, k kept) (command.Reaction, error) {
	r, err := d.open(ctx, p.Who, k)
	if err != nil {
		return command.Reaction{}, err
	}
	text, ok := p.Values["text"]
	if !ok {
		return command.Reaction{Say: chat.Post{Markdown: askForText(ctx, r.Name)}}, nil
	}
	out, err := d.replace(ctx, p.Who, r, text)
	if err != nil {
		return command.Reaction{}, err
	}
	post, err := d.outcome(ctx, p.Who, out)
	if err != nil {
		return command.Reaction{}, err
	}
	r.State = skill.Superseded
	done, err := d.over(ctx, p.Who, r)
	done.Say = post
	return done, err
}

// replace puts a person's text in the place of a draft. Who may not decide about
// it may still propose something else.
func (d *Desk) replace(ctx context.Context, p person.Principal, r skill.Revision, text string) (skill.Outcome, error) {
	next, err := d.withText(ctx, p, r.Ref, text)
	if err != nil {
		return skill.Outcome{}, err
	}
	out, err := d.library.Edit(ctx, p, r.Ref, r.Hash, next, byHand)
	if !errors.Is(err, person.ErrForbidden) {
		return out, err
	}
	return d.library.Propose(ctx, p, skill.Proposal{Ref: r.At(0), Files: next, Base: r.Base, Reason: byHand, Origin: chat.Member})
}

const byHand = "edited by hand"

// outcome answers whoever proposed something: it is in force, or a draft. In a
// direct conversation the answer is the card; in a shared place the card is
// posted for all, since an answer may be for its author's eyes alone.
func (d *Desk) outcome(ctx context.Context, p person.Principal, out skill.Outcome) (chat.Post, error) {
	name := code(out.Revision.Name)
	if out.Live {
		return wording.Say(ctx, "**%s** is in force (revision %d). `/skills rollback %s` undoes it.", name, out.Revision.Number, name), nil
	}
	here := chat.Address{}
	if p.Direct {
		here = p.Place.Place()
	}
	if err := d.announce(ctx, p, out, here); err != nil {
		return chat.Post{}, err
	}
	if p.Direct {
		return d.card(ctx, p, out.Revision)
	}
	if out.Revision.State == skill.Blocked {
		return wording.Say(ctx, "A check blocks the draft of **%s**; its card says why. `/skills edit %s` puts another text in its place.", name, name), nil
	}
	return wording.Say(ctx, "The draft of **%s** waits for a decision. `/skills show %s` shows its card.", name, name), nil
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
	return skill.Revision{}, fmt.Errorf("%w of %q waits here", errNoDraft, name)
}

// errNoDraft is for a name of which no draft waits.
var errNoDraft = errors.New("no draft")

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
	return *ended(ctx, now, r.Who), nil
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
	return *ended(ctx, now, r.Who), nil
}

// edit replaces the draft that waits or, where none does, proposes a change of
// what is in force.
func (d *Desk) edit(ctx context.Context, r request) (chat.Post, error) {
	name, text := r.first()
	draft, err := d.waiting(ctx, r.Who, name)
	if text == "" {
		if err != nil {
			_, err = d.own(ctx, r, name)
		}
		return chat.Post{Markdown: askForText(ctx, code(name))}, err
	}
	text += "\n"
	if err == nil {
		out, err := d.replace(ctx, r.Who, draft, text)
		if err != nil {
			return chat.Post{}, err
		}
		return d.outcome(ctx, r.Who, out)
	}
	s, err := d.own(ctx, r, name)
	if err == nil && s.CreatedBy == skill.ByExternal {
		err = fmt.Errorf("edit %q: %w", s.Name, skill.ErrProtected)
	}
	if err != nil {
		return chat.Post{}, err
	}
	next, err := d.withText(ctx, r.Who, s.At(s.InForce), text)
	if err != nil {
		return chat.Post{}, err
	}
	return d.propose(ctx, r, skill.Proposal{Ref: s.Ref.At(0), Files: next, Base: s.Hash, Reason: byHand, Origin: chat.Member})
}

// withText are the files of a revision with another SKILL.md.
func (d *Desk) withText(ctx context.Context, p person.Principal, r skill.Ref, text string) (manifest.Bundle, error) {
	files, err := d.library.Bundle(ctx, p, r)
	if err != nil {
		return nil, err
	}
	next := maps.Clone(files)
	next[manifest.MainFile] = []byte(text)
	return next, nil
}

// propose takes a person's own change in.
func (d *Desk) propose(ctx context.Context, r request, pr skill.Proposal) (chat.Post, error) {
	out, err := d.library.Propose(ctx, r.Who, pr)
	if err != nil {
		return chat.Post{}, err
	}
	return d.outcome(ctx, r.Who, out)
}
