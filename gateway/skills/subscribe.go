package skills

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/text"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// copy takes a copy of a skill among the person's own.
func (d *Desk) copy(ctx context.Context, r request) (chat.Post, error) {
	return d.adopt(ctx, r, false)
}

// offer lets the place where target stands use a skill of the one where it is
// said, or ends that. The other place is told.
func (d *Desk) offer(ctx context.Context, r request, name string, target person.Principal, offered bool) (chat.Post, error) {
	s, err := d.library.Find(ctx, r.Who, name)
	if err != nil {
		return chat.Post{}, err
	}
	to := target.Place.Place()
	switch {
	case to == r.Who.Place.Place():
		return command.Refuse(ctx, "**%s** is no skill of your own; it is used here already. `/skills share %s PLACE` offers it to another place.", s.Name, s.Name)
	case target.Team != r.Who.Team:
		return command.Refuse(ctx, "%s is a place of another team. `[teams]` in the configuration says which places belong together.", d.called(ctx, to))
	case s.Scope != skill.Here(r.Who):
		return command.Refuse(ctx, "**%s** is for %s, so it is not this place's to offer.", s.Name, d.belongs(ctx, s, r.Who))
	}
	s, err = d.library.Offer(ctx, r.Who, s.Ref, to, offered)
	if err != nil {
		return chat.Post{}, err
	}
	there := d.called(ctx, to)
	if !offered {
		return wording.Say(ctx, "**%s** is no longer offered to %s, and no longer used there.", s.Name, there), nil
	}
	news := wording.Say(ctx, "%s offers its skill **%s** to this place: %s\n\nAn approver puts it to use here with `/skills subscribe %s`.",
		d.called(ctx, r.Who.Place), s.Name, command.Clipped(s.Description, 200), s.Name)
	key := fmt.Sprintf("skill.offer:%s/%s/%d", s.Ref, to, s.Updated.UnixMilli())
	if err := d.tell(ctx, key, to, news); err != nil {
		return chat.Post{}, err
	}
	return wording.Say(ctx, "**%s** is offered to %s. An approver there puts it to use with `/skills subscribe %s`; `/skills share %s %s stop` takes it back.",
		s.Name, there, s.Name, s.Name, code(d.Places.Name(ctx, to))), nil
}

// subscribe has a shared place use what another one offers it, or ends that;
// without a name it lists what there is. In private it takes a copy that
// follows its original.
func (d *Desk) subscribe(ctx context.Context, r request) (chat.Post, error) {
	name, rest := r.first()
	from, stop := untilStop(rest)
	switch {
	case r.Who.Direct && name == "":
		return command.Misused(ctx, "Usage: `/skills subscribe NAME` takes a copy of a skill among your own, and what changes in it as drafts. In a shared place it puts to use what another place offers.")
	case r.Who.Direct && stop:
		return command.Refuse(ctx, "The copy is yours and stays; `/skills archive %s` puts it away.", code(name))
	case r.Who.Direct:
		return d.adopt(ctx, r, true)
	}
	links, err := d.library.Offered(ctx, r.Who)
	if err != nil {
		return chat.Post{}, err
	}
	if name == "" {
		return d.offers(ctx, links), nil
	}
	fit := slices.DeleteFunc(slices.Clone(links), func(l skill.Link) bool {
		return l.Source.Name != name || from != "" && !d.isCalled(ctx, l.Source.Scope.Place, from)
	})
	switch len(fit) {
	case 0:
		return d.notOffered(ctx, r, name, links)
	case 1:
		return d.subscribeTo(ctx, r, fit[0], stop)
	}
	var b strings.Builder
	for _, l := range fit {
		b.WriteString(wording.Text(ctx, "- `/skills subscribe %s %s`\n", name, code(d.Places.Name(ctx, l.Source.Scope.Place))))
	}
	return command.Refuse(ctx, "Several places offer **%s**. Say which:\n\n%s", name, b.String())
}

// isCalled reports whether a place is meant by a word.
func (d *Desk) isCalled(ctx context.Context, a chat.Address, word string) bool {
	bare := func(s string) string { return strings.TrimLeft(s, "#") }
	return bare(word) == a.Chat || text.Same(bare(word), bare(d.Places.Name(ctx, a)))
}

func (d *Desk) subscribeTo(ctx context.Context, r request, l skill.Link, stop bool) (chat.Post, error) {
	do := d.library.Subscribe
	if stop {
		do = d.library.Unsubscribe
	}
	from := d.called(ctx, l.Source.Scope.Place)
	if _, err := do(ctx, r.Who, l.Source); err != nil {
		return chat.Post{}, err
	}
	if stop {
		return wording.Say(ctx, "**%s** of %s is no longer used here.", l.Source.Name, from), nil
	}
	return wording.Say(ctx, "**%s** of %s is used here from the next request on, as it is approved there; should it ask for new rights, it rests until you subscribe again. `/skills subscribe %s stop` ends that.",
		l.Source.Name, from, l.Source.Name), nil
}

// offers lists what other places offer this one.
func (d *Desk) offers(ctx context.Context, links []skill.Link) chat.Post {
	if len(links) == 0 {
		return wording.Say(ctx, "No other place offers a skill to this one. `/skills share NAME PLACE`, said by an approver there, does.")
	}
	var b strings.Builder
	for _, l := range links {
		state := wording.Text(ctx, "not used here: `/skills subscribe %s`", l.Source.Name)
		if l.Taken.By != "" {
			state = wording.Text(ctx, "used here since %s", day(ctx, l.Taken.At))
		}
		b.WriteString(wording.Text(ctx, "- `%s` of %s, %s\n", l.Source.Name, d.called(ctx, l.Source.Scope.Place), state))
	}
	return wording.Say(ctx, "**Offered to this place** (%d)\n\n%s", len(links), b.String())
}

// notOffered says why there is nothing of a name to subscribe to.
func (d *Desk) notOffered(ctx context.Context, r request, name string, links []skill.Link) (chat.Post, error) {
	if s, err := d.library.Find(ctx, r.Who, name); err == nil && s.Subscribed == nil {
		return command.Refuse(ctx, "**%s** is for %s: it is used here already. `/skills subscribe %s` in private takes a copy that follows it.",
			s.Name, d.belongs(ctx, s, r.Who), s.Name)
	}
	return command.Refuse(ctx, "No other place offers `%s` to this one. `/skills share %s PLACE`, said by an approver there, does.\n\n%s",
		code(command.Clipped(name, 80)), code(command.Clipped(name, 80)), d.offers(ctx, links).Markdown)
}

// belongs says whose a skill is, and through whom it is used where p is.
func (d *Desk) belongs(ctx context.Context, s skill.Skill, p person.Principal) string {
	if s.Subscribed != nil {
		return wording.Text(ctx, "this place, which subscribed to it of %s", d.called(ctx, s.Scope.Place))
	}
	return whose(ctx, s.Scope, p)
}

// own is the skill that somebody means by a name, where it is not another
// place's: that is changed there.
func (d *Desk) own(ctx context.Context, r request, name string) (skill.Skill, error) {
	s, err := d.library.Find(ctx, r.Who, name)
	if err == nil && s.Subscribed != nil {
		err = fmt.Errorf("%w: it is of %s; `/skills subscribe %s stop` takes it out of use here", errAbroad, d.Places.Name(ctx, s.Scope.Place), s.Name)
	}
	return s, err
}

// errAbroad is for what is asked of a skill that another place keeps.
var errAbroad = errors.New("another place keeps this skill")

// abroad says in a list whose a subscribed skill is, and since when it is used.
func (d *Desk) abroad(ctx context.Context, l skill.Link) string {
	return wording.Text(ctx, " Of %s; subscribed to by `%s` on %s.", d.called(ctx, l.Source.Scope.Place), code(l.Taken.As.String()), day(ctx, l.Taken.At))
}

// users say in a list which other places use one's own skill, and since when.
func (d *Desk) users(ctx context.Context, p person.Principal, s skill.Skill) string {
	links, err := d.library.Subscribers(ctx, p, s.Ref)
	if err != nil || len(links) == 0 {
		return ""
	}
	var used, offered []string
	for _, l := range links {
		if l.Taken.By == "" {
			offered = append(offered, d.called(ctx, l.To))
			continue
		}
		used = append(used, wording.Text(ctx, "%s since %s", d.called(ctx, l.To), day(ctx, l.Taken.At)))
	}
	text := ""
	if len(used) > 0 {
		text += wording.Text(ctx, " Also used in %s.", strings.Join(used, ", "))
	}
	if len(offered) > 0 {
		text += wording.Text(ctx, " Offered to %s.", strings.Join(offered, ", "))
	}
	return text
}

func day(ctx context.Context, t time.Time) string {
	return t.UTC().Format(wording.Text(ctx, "2 January 2006"))
}
