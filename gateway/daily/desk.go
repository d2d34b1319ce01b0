package daily

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/scheduler"
)

// Desk answers /brief and its buttons.
type Desk struct{ Config }

// NewDesk returns a desk.
func NewDesk(c Config) *Desk { return &Desk{c} }

// Commands are the chat commands about briefings.
func (d *Desk) Commands() []command.Command {
	return []command.Command{{
		Name: "brief", Args: "[new|show|now|pause|resume|off|at WHEN|add here|add URL|remove X]",
		Summary: "a daily briefing of what is new", Now: true, Role: person.Member, Run: d.run, Verbs: d.verbs(),
	}}
}

// verbs declares what brief reads.
func (d *Desk) verbs() []command.Verb {
	return []command.Verb{
		{Name: "show", Summary: "your briefing, or how to set one up", Unsaid: true},
		{Name: "new", Summary: "set one up anew"},
		{Name: "now", Summary: "have it now"},
		{Name: "pause", Summary: "have it not come until you resume it"},
		{Name: "resume", Summary: "have it come again"},
		{Name: "off", Summary: "have it come no more"},
		{Name: "at", Summary: "when it comes", Options: []command.Option{{Name: "when", Summary: "such as: every weekday at 7:30", Required: true}}},
		{Name: "add", Summary: "take something in", Options: []command.Option{
			{Name: "what", Summary: "here (this channel), or the address of a page or feed", Required: true},
		}},
		{Name: "remove", Summary: "leave something out", Options: []command.Option{
			{Name: "what", Summary: "what was added", Required: true, Complete: d.watched},
		}},
	}
}

// watched is what somebody's briefing looks at. What their own one does is
// told in a direct conversation alone.
func (d *Desk) watched(ctx context.Context, who person.Principal) (all []chat.Choice, err error) {
	kind := Spec{}
	if !who.Direct {
		kind.Space = who.Place.Place()
	}
	have, err := d.earlier(ctx, who, kind)
	if err != nil || len(have) == 0 {
		return nil, err
	}
	for _, at := range have[0].spec.Channels {
		all = append(all, chat.Choice{Value: at.String()})
	}
	for _, page := range have[0].spec.Pages {
		all = append(all, chat.Choice{Value: page})
	}
	return all, nil
}

// request is /brief as it is called.
type request struct {
	command.Call
	words string // after the verb
	desk  scheduler.Desk
	brief *brief // the briefing that is meant; nil where there is none
}

// brief is a briefing that there is.
type brief struct {
	scheduler.Job
	spec Spec
	desk scheduler.Desk // where the job is seen from
}

func (d *Desk) run(ctx context.Context, c command.Call) (chat.Post, error) {
	verb, rest, _ := strings.Cut(c.Args, " ")
	r := request{Call: c, words: strings.TrimSpace(rest)}
	var err error
	if r.desk, err = d.Jobs(ctx, c.Who); err != nil {
		return chat.Post{}, err
	}
	kind := Spec{}
	if !c.Who.Direct {
		kind.Space = c.Who.Place.Place()
	}
	have, err := d.earlier(ctx, c.Who, kind)
	if err != nil {
		return chat.Post{}, err
	}
	if len(have) > 0 {
		r.brief = &have[0]
	}
	return settle(d.verb(ctx, verb, r))
}

func (d *Desk) verb(ctx context.Context, verb string, r request) (chat.Post, error) {
	switch verb {
	case "new", "setup":
		return d.begin(ctx, r.Call)
	case "at":
		return d.at(ctx, r)
	case "add", "remove":
		return d.watch(ctx, r, verb == "add")
	}
	if r.brief == nil {
		return d.without(ctx, verb, r.Call)
	}
	b := r.brief
	switch verb {
	case "", "show":
		return d.shown(ctx, b.Job, b.spec)
	case "now":
		_, err := b.desk.RunNow(ctx, b.ID)
		return say("It is being gathered. If there is nothing new since the last one, I say nothing."), err
	case "pause":
		_, err := b.desk.Pause(ctx, b.ID)
		return say("Your briefing is paused. `/brief resume` has it come again."), err
	case "resume":
		j, err := b.desk.Resume(ctx, b.ID)
		return say("Your briefing is on again: %s", j.Line()), err
	case "off":
		_, err := b.desk.Delete(ctx, b.ID)
		return say("Your briefing does not come any more. `/brief` sets one up anew."), err
	}
	return say("`/brief` sets a briefing up or shows it. Then there are `now`, `pause`, `resume`, `off`, `new`, `at every weekday at 7:30`, " +
		"`add here` in a channel, `add https://…`, and `remove` with what was added."), nil
}

// without answers where there is no briefing: with the set-up that is under way,
// or by beginning one.
func (d *Desk) without(ctx context.Context, verb string, c command.Call) (chat.Post, error) {
	v, ok, err := d.underWay(ctx, c.Who)
	switch {
	case err != nil:
		return chat.Post{}, err
	case ok && verb == "off":
		v.Made = true
		return say("The set-up is given up. `/brief` begins another one."), d.save(ctx, c.Who, v)
	case ok && (verb == "" || verb == "show"):
		return d.offer(ctx, c, v)
	case ok:
		return say("Your briefing is being set up still: `/brief` shows the step, `/brief new` begins anew, `/brief off` gives it up."), nil
	case verb == "":
		return d.begin(ctx, c)
	}
	return none(c.Who), nil
}

func none(who person.Principal) chat.Post {
	if who.Direct {
		return say("You have no briefing. `/brief` sets one up.")
	}
	return say("You have set up no briefing for this place; `/brief` does. Your own is shown in our direct conversation.")
}

// settle makes an answer of a refusal.
func settle(post chat.Post, err error) (chat.Post, error) {
	if words := scheduler.Refusal(err); words != "" {
		return chat.Post{Markdown: words}, nil
	}
	return post, err
}

func say(format string, args ...any) chat.Post {
	return chat.Post{Markdown: fmt.Sprintf(format, args...)}
}

// earlier are the person's briefings of a kind: their own, which are seen from
// their direct conversation alone, or those that they set up for a space.
func (d *Desk) earlier(ctx context.Context, who person.Principal, kind Spec) ([]brief, error) {
	if !kind.team() && !who.Direct {
		home, ok, err := d.Directory.DirectOf(ctx, who)
		if err != nil || !ok {
			return nil, err
		}
		if who, err = d.Directory.Present(ctx, home); err != nil {
			return nil, err
		}
	}
	desk, err := d.Jobs(ctx, who)
	if err != nil {
		return nil, err
	}
	all, err := desk.List(ctx)
	var out []brief
	for _, j := range all {
		if spec, ok := specOf(j.Data); ok && spec.Space == kind.Space {
			out = append(out, brief{j, spec, desk})
		}
	}
	return out, err
}

// shown says a briefing back.
func (d *Desk) shown(ctx context.Context, j scheduler.Job, spec Spec) (chat.Post, error) {
	now, err := d.Store.Now(ctx)
	if err != nil {
		return chat.Post{}, err
	}
	var next []string
	for _, t := range j.Schedule.Upcoming(now, 3) {
		next = append(next, t.Format("Mon 2 Jan 15:04"))
	}
	where, whose := "in our direct conversation", "Your daily briefing"
	if spec.team() {
		where, whose = "here", "The daily briefing of this place"
	}
	state := "Next: " + strings.Join(next, ", ") + "."
	if j.Paused {
		state = strings.TrimSuffix("It is paused: "+j.Why, ": ") + "."
	}
	when := j.Schedule.Text("en")
	if !strings.Contains(when, j.Schedule.Zone) {
		when += " (" + j.Schedule.Zone + ")"
	}
	return say("**%s** comes %s, %s. %s\n\n%s\n\n%s", whose, when, where, state, spec.text(), d.hint(spec, j.Owner.Place.Platform)), nil
}

func (d *Desk) hint(spec Spec, platform string) string {
	hint := "`/brief add https://…` watches a page or feed; `/brief now` has it come now, `pause`, `resume` and `off` do what they say, `new` sets it up anew."
	_, read := d.Histories[platform]
	switch {
	case spec.has(Channels) && !read:
		return noHistory(platform) + " " + hint
	case spec.has(Channels) && !spec.team():
		return "`/brief add here`, said in a channel, takes that channel in. " + hint
	}
	return hint
}

// watch takes a channel or a page in, or out.
func (d *Desk) watch(ctx context.Context, r request, add bool) (chat.Post, error) {
	at, isPlace := chat.ParseAddress(r.words)
	if r.words == "here" {
		at, isPlace = r.Who.Place.Place(), true
	}
	if isPlace {
		return d.watchPlace(ctx, r, at.Place(), add)
	}
	page, err := url.Parse(r.words)
	if err != nil || page.Host == "" || page.Scheme != "http" && page.Scheme != "https" || len(r.words) > 1000 {
		return say("`/brief add here` takes in the channel that it is said in, `/brief add https://example.org/feed` a page or feed."), nil
	}
	page.User, page.Fragment = nil, ""
	return d.change(ctx, r, func(s *Spec, _ *scheduler.Change) (refusal string) {
		if s.Pages, refusal = changed(s.Pages, page.String(), add, maxPages); add {
			s.Sections = set(s.Sections, Pages, true)
		}
		return refusal
	})
}

// watchPlace takes a channel into the person's own briefing, or out.
func (d *Desk) watchPlace(ctx context.Context, r request, at chat.Address, add bool) (chat.Post, error) {
	if r.words == "here" && r.Who.Direct {
		return say("Say that in the channel that is meant."), nil
	}
	if _, ok := d.Histories[at.Platform]; !ok && add {
		return say("%s", noHistory(at.Platform)), nil
	}
	there := r.Who
	there.Place, there.Direct = at, false
	now, err := d.Directory.Present(ctx, there)
	if err != nil {
		return chat.Post{}, err
	}
	if add && !person.AtLeast(now.Role, person.Guest) {
		return say("I can take in only channels of which you are a member, and I am too."), nil
	}
	own, err := d.earlier(ctx, r.Who, Spec{})
	if err != nil {
		return chat.Post{}, err
	}
	if len(own) == 0 {
		return say("You have no briefing of your own yet; say `/brief` in our direct conversation."), nil
	}
	r.brief = &own[0]
	post, err := d.change(ctx, r, func(s *Spec, _ *scheduler.Change) (refusal string) {
		if s.Channels, refusal = changed(s.Channels, at, add, maxChannels); add {
			s.Sections = set(s.Sections, Channels, true)
		}
		return refusal
	})
	if err != nil || r.Who.Direct {
		return post, err
	}
	return say("Done. `/brief` in our direct conversation shows it."), nil // what else is in it is nobody's here
}

// change edits the briefing that is meant. The edit may refuse in words.
func (d *Desk) change(ctx context.Context, r request, edit func(*Spec, *scheduler.Change) (refusal string)) (chat.Post, error) {
	b := r.brief
	if b == nil {
		return none(r.Who), nil
	}
	var c scheduler.Change
	if refusal := edit(&b.spec, &c); refusal != "" {
		return say("%s", refusal), nil
	}
	var err error
	if c.Data, err = b.spec.encode(); err != nil {
		return chat.Post{}, err
	}
	j, err := b.desk.Edit(ctx, b.ID, c)
	if err != nil {
		return chat.Post{}, err
	}
	return d.shown(ctx, j, b.spec)
}

// changed is a list with one more or less, or in words why it can't be.
func changed[T comparable](list []T, one T, add bool, most int) ([]T, string) {
	has := slices.Contains(list, one)
	switch {
	case add && has, !add && !has:
		return list, ""
	case !add:
		return slices.DeleteFunc(list, func(have T) bool { return have == one }), ""
	case len(list) >= most:
		return list, fmt.Sprintf("A briefing takes in at most %d of these; remove one first.", most)
	}
	return append(list, one), ""
}
