package daily

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/gateway/wording"
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
	lang  wording.Language
	desk  scheduler.Desk
	brief *brief // the briefing that is meant; nil where there is none
}

// brief is a briefing that there is.
type brief struct {
	scheduler.Job
	spec Spec
	desk scheduler.Desk // where the job is seen from
}

// verbs are what /brief may be followed by, besides a time.
var verbs = []string{"", "show", "new", "setup", "at", "add", "remove", "now", "pause", "resume", "off"}

func (d *Desk) run(ctx context.Context, c command.Call) (chat.Post, error) {
	verb, rest, _ := strings.Cut(c.Args, " ")
	r := request{Call: c, words: strings.TrimSpace(rest)}
	r.lang = wording.In(ctx)
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
	post, err := d.verb(ctx, verb, r)
	return settle(r.lang, post, err)
}

func (d *Desk) verb(ctx context.Context, verb string, r request) (chat.Post, error) {
	if !slices.Contains(verbs, verb) {
		r.words = r.Args
		post, err := d.at(ctx, r)
		if errors.Is(err, errOnce) {
			return chat.Post{Markdown: r.lang.Text(unknownVerb, command.Clipped(verb, 40)) + "\n\n" + r.lang.Text(usage)}, nil
		}
		return post, err
	}
	switch verb {
	case "new", "setup":
		return d.begin(ctx, r.Call, r.lang)
	case "at":
		post, err := d.at(ctx, r)
		if errors.Is(err, errOnce) {
			return r.lang.Say(sayWhen), nil
		}
		return post, err
	case "add", "remove":
		return d.watch(ctx, r, verb == "add")
	}
	if r.brief == nil {
		return d.without(ctx, verb, r)
	}
	b := r.brief
	switch verb {
	case "now":
		_, err := b.desk.RunNow(ctx, b.ID)
		return r.lang.Say(comingNow), err
	case "pause":
		_, err := b.desk.Pause(ctx, b.ID)
		return r.lang.Say(pausedWords), err
	case "resume":
		j, err := b.desk.Resume(ctx, b.ID)
		return r.lang.Say(onAgain, j.Line(r.lang)), err
	case "off":
		_, err := b.desk.Delete(ctx, b.ID)
		return r.lang.Say(offWords), err
	}
	return d.shown(ctx, b.Job, b.spec, r.lang)
}

// without answers where there is no briefing: with the set-up that is under way,
// or by beginning one.
func (d *Desk) without(ctx context.Context, verb string, r request) (chat.Post, error) {
	c := r.Call
	v, ok, err := d.underWay(ctx, c.Who)
	switch {
	case err != nil:
		return chat.Post{}, err
	case ok && verb == "off":
		v.Made = true
		return r.lang.Say(givenUp), d.save(ctx, c.Who, v)
	case ok && (verb == "" || verb == "show"):
		return d.offer(ctx, c, v)
	case ok:
		return r.lang.Say(underSetUp), nil
	case verb == "":
		return d.begin(ctx, c, r.lang)
	}
	return none(c.Who, r.lang), nil
}

func none(who person.Principal, lang wording.Language) chat.Post {
	if who.Direct {
		return lang.Say(noneOwn)
	}
	return lang.Say(noneHere)
}

// settle makes an answer of a refusal.
func settle(lang wording.Language, post chat.Post, err error) (chat.Post, error) {
	if words := scheduler.Refusal(lang, err); words != "" {
		return chat.Post{Markdown: words}, nil
	}
	return post, err
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
func (d *Desk) shown(ctx context.Context, j scheduler.Job, spec Spec, lang wording.Language) (chat.Post, error) {
	now, err := d.Store.Now(ctx)
	if err != nil {
		return chat.Post{}, err
	}
	where, whose := inDirect, yours
	if spec.team() {
		where, whose = inPlace, ofPlace
	}
	state := lang.Text(nextTimes, scheduler.Upcoming(lang, j.Schedule, now))
	if j.Paused {
		state = lang.Text(isPaused, strings.TrimSuffix(": "+j.Why, ": "))
	}
	when := j.Schedule.Text(string(lang))
	if !strings.Contains(when, j.Schedule.Zone) {
		when += " (" + j.Schedule.Zone + ")"
	}
	return lang.Say(shownAs, lang.Of(whose), when, lang.Of(where), state, spec.text(lang), d.hint(lang, spec, j.Owner.Place.Platform)), nil
}

func (d *Desk) hint(lang wording.Language, spec Spec, platform string) string {
	hint := lang.Text(useHint)
	_, read := d.Histories[platform]
	switch {
	case spec.has(Channels) && !read:
		return noHistory(lang, platform) + " " + hint
	case spec.has(Channels) && !spec.team():
		return lang.Text(addHint) + " " + hint
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
		return r.lang.Say(addUsage), nil
	}
	page.User, page.Fragment = nil, ""
	return d.change(ctx, r, func(s *Spec, _ *scheduler.Change) (refusal string) {
		if s.Pages, refusal = changed(r.lang, s.Pages, page.String(), add, maxPages); add {
			s.Sections = set(s.Sections, Pages, true)
		}
		return refusal
	})
}

// watchPlace takes a channel into the person's own briefing, or out.
func (d *Desk) watchPlace(ctx context.Context, r request, at chat.Address, add bool) (chat.Post, error) {
	if r.words == "here" && r.Who.Direct {
		return r.lang.Say(sayThere), nil
	}
	if _, ok := d.Histories[at.Platform]; !ok && add {
		return chat.Post{Markdown: noHistory(r.lang, at.Platform)}, nil
	}
	there := r.Who
	there.Place, there.Direct = at, false
	now, err := d.Directory.Present(ctx, there)
	if err != nil {
		return chat.Post{}, err
	}
	if add && !person.AtLeast(now.Role, person.Guest) {
		return r.lang.Say(onlyYours), nil
	}
	own, err := d.earlier(ctx, r.Who, Spec{})
	if err != nil {
		return chat.Post{}, err
	}
	if len(own) == 0 {
		return r.lang.Say(ownFirst), nil
	}
	r.brief = &own[0]
	post, err := d.change(ctx, r, func(s *Spec, _ *scheduler.Change) (refusal string) {
		if s.Channels, refusal = changed(r.lang, s.Channels, at, add, maxChannels); add {
			s.Sections = set(s.Sections, Channels, true)
		}
		return refusal
	})
	if err != nil || r.Who.Direct {
		return post, err
	}
	return r.lang.Say(addedTo), nil // what else is in it is nobody's here
}

// change edits the briefing that is meant. The edit may refuse in words.
func (d *Desk) change(ctx context.Context, r request, edit func(*Spec, *scheduler.Change) (refusal string)) (chat.Post, error) {
	b := r.brief
	if b == nil {
		return none(r.Who, r.lang), nil
	}
	var c scheduler.Change
	if refusal := edit(&b.spec, &c); refusal != "" {
		return chat.Post{Markdown: refusal}, nil
	}
	var err error
	if c.Data, err = b.spec.encode(); err != nil {
		return chat.Post{}, err
	}
	j, err := b.desk.Edit(ctx, b.ID, c)
	if err != nil {
		return chat.Post{}, err
	}
	return d.shown(ctx, j, b.spec, r.lang)
}

// changed is a list with one more or less, or in words why it can't be.
func changed[T comparable](lang wording.Language, list []T, one T, add bool, most int) ([]T, string) {
	has := slices.Contains(list, one)
	switch {
	case add && has, !add && !has:
		return list, ""
	case !add:
		return slices.DeleteFunc(list, func(have T) bool { return have == one }), ""
	case len(list) >= most:
		return list, lang.Text(tooMany, most)
	}
	return append(list, one), ""
}
