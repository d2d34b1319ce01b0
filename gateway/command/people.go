package command

import (
	"context"
	"errors"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/wording"
)

// Tell says something at another place, once for each key. It returns nil once
// that is kept.
type Tell func(ctx context.Context, key string, to chat.Address, post chat.Post) error

// people are the commands about who may do what.
type people struct {
	directory *person.Directory
	tell      Tell
	consent   Consent
	learning  Learning
}

// Consent keeps whether somebody's redacted traces may be exported as training
// data.
type Consent interface {
	Give(ctx context.Context, who person.ID, given bool) error
	Given(ctx context.Context, who person.ID) (bool, error)
}

// Learning is whether anything is learned where somebody is.
type Learning interface {
	// Switch returns person.ErrForbidden to those who have no say.
	Switch(ctx context.Context, who person.Principal, on bool) error
	// Learns tells whether it is on, and whether it is the operator who has
	// switched it off, for everybody.
	Learns(ctx context.Context, who person.Principal) (on, nowhere bool, err error)
}

// ForPeople are the commands about people, accounts and rights. With tell,
// somebody who was let in hears of it.
func ForPeople(d *person.Directory, tell Tell, consent Consent, learning Learning) []Command {
	p := people{d, tell, consent, learning}
	return []Command{
		{Name: "link", Args: "[CODE | undo ACCOUNT]", Summary: "join your accounts on several platforms", Now: true, Role: person.Nobody, Run: p.link, Direct: true, Verbs: p.linkVerbs()},
		{Name: "pair", Args: "CODE", Summary: "let somebody in by the code that I showed them", Now: true, Role: person.Nobody, Run: p.pair,
			Options: []Option{{Name: "code", Summary: "the code that I showed them", Required: true}}},
		{Name: "role", Args: "ACCOUNT ROLE [here]", Summary: "give somebody a role: admin, approver, member, guest or nobody", Now: true, Role: person.Admin, Run: p.role, Options: []Option{
			{Name: "account", Summary: "whose, such as telegram:42; /whoami tells people theirs", Required: true},
			{Name: "role", Summary: "what they are to be", Required: true, Choices: []string{"admin", "approver", "member", "guest", "nobody"}},
			{Name: "where", Summary: "in this place alone", Choices: []string{"here"}},
		}},
		{Name: "settings", Args: "[here on | here off | learning on | learning off | training on | training off]", Summary: "let me into this place, or out of it; whether I learn; let your traces be used for training", Now: true, Role: person.Guest, Run: p.settings, Verbs: []Verb{
			{Name: "show", Summary: "what is set", Unsaid: true},
			{Name: "here", Summary: "let me into this place, or out of it", Options: []Option{onOff}},
			{Name: "learning", Summary: "learn from what is done here, or not", Options: []Option{onOff}},
			{Name: "training", Summary: "let your traces be used for training, or not", Options: []Option{onOff}},
		}},
	}
}

var onOff = Option{Name: "value", Summary: "on or off", Required: true, Choices: []string{"on", "off"}}

// linkVerbs declares what link reads. Accounts are told in a direct
// conversation alone.
func (p people) linkVerbs() []Verb {
	linked := func(ctx context.Context, who person.Principal) (all []chat.Choice, err error) {
		if !who.Direct {
			return nil, nil
		}
		links, err := p.directory.Links(ctx, who)
		for _, l := range links {
			all = append(all, chat.Choice{Value: l.With.String()})
		}
		return all, err
	}
	return []Verb{
		{Name: "code", Summary: "get a code, or use the one that you got elsewhere", Unsaid: true, Options: []Option{
			{Name: "code", Summary: "the code that I showed you on the other platform"},
		}},
		{Name: "undo", Summary: "take a link back", Options: []Option{
			{Name: "account", Summary: "which account is to be on its own again", Required: true, Complete: linked},
		}},
	}
}

func (p people) link(ctx context.Context, c Call) (chat.Post, error) {
	if !c.Who.Direct {
		return wording.Say(ctx, "Please write `/link` to me in a direct conversation: codes are for nobody else's eyes."), nil
	}
	account, undo := strings.CutPrefix(c.Args, "undo")
	switch {
	case undo && strings.TrimSpace(account) == "":
		return wording.Say(ctx, "Usage: `/link undo ACCOUNT`. `/whoami` lists your accounts."), nil
	case undo:
		return p.unlink(ctx, c, strings.TrimSpace(account))
	case c.Args != "" && c.Who.Identity.ID == "":
		return wording.Say(ctx, "A terminal joins no other account. `/link` alone gives you a code here, by which your other account joins you."), nil
	case c.Args != "":
		return p.join(ctx, c)
	}
	code, err := p.directory.LinkCode(ctx, c.Who)
	if refused(err) {
		return refusal(ctx, err), nil
	}
	if err != nil {
		return chat.Post{}, err
	}
	return wording.Say(ctx, "Write this to me from your other account, in a direct conversation: `/link %s`\n\nThe code is good for ten minutes and for one account.", code), nil
}

func (p people) join(ctx context.Context, c Call) (chat.Post, error) {
	l, err := p.directory.Link(ctx, c.Who, bareCode(c.Args))
	if refused(err) {
		return refusal(ctx, err), nil
	}
	if err != nil {
		return chat.Post{}, err
	}
	if err := p.warnMaker(ctx, c, l); err != nil {
		return chat.Post{}, err
	}
	return wording.Say(ctx, "Linked: you and `%s` are one person to me now. What I remembered for either is yours in both. "+
		"`/link undo %s` takes it back, within seven days as if it had never been.", l.With, c.Who.Identity), nil
}

// warnMaker tells whoever made a linking code that it was used, where they talk
// to the bot: a code that got into wrong hands gives all that is theirs away.
func (p people) warnMaker(ctx context.Context, c Call, l person.Link) error {
	maker, ok, err := p.directory.DirectOf(ctx, person.Principal{Identity: l.With})
	if err != nil || !ok {
		return err
	}
	post := wording.Say(ctx, "`%s` is linked to you now, and sees what I remember for you. If that account is not yours, write `/link undo %s` at once.", c.Who.Identity, c.Who.Identity)
	return p.tell(ctx, "linked:"+l.ID, maker.Place, post)
}

func (p people) unlink(ctx context.Context, c Call, account string) (chat.Post, error) {
	i, ok := chat.ParseIdentity(account)
	if !ok {
		return wording.Say(ctx, "`%s` is no account. `/whoami` lists yours.", account), nil
	}
	err := p.directory.Unlink(ctx, c.Who, i)
	if refused(err) {
		return refusal(ctx, err), nil
	}
	if err != nil {
		return chat.Post{}, err
	}
	return wording.Say(ctx, "`%s` is on its own again, with what came with it.", i), nil
}

func (p people) pair(ctx context.Context, c Call) (chat.Post, error) {
	if c.Args == "" {
		return wording.Say(ctx, "Usage: `/pair CODE`. A stranger who writes to me is shown a code; with it you let them in."), nil
	}
	done, err := p.directory.Pair(ctx, c.Who, bareCode(c.Args))
	if refused(err) {
		return refusal(ctx, err), nil
	}
	if err != nil {
		return chat.Post{}, err
	}
	if done.Admin {
		return wording.Say(ctx, "Welcome. You are my first admin. `/help` lists what you can do; `/settings here on` lets me into a group."), nil
	}
	welcome := wording.Say(ctx, "You are let in. Write to me whenever you like; `/help` lists what I can do.")
	if err := p.tell(ctx, "paired:"+c.Event.Key(), done.Place, welcome); err != nil {
		return wording.Say(ctx, "`%s` may talk to me now. I could not tell them; please do.", done.Who), nil
	}
	return wording.Say(ctx, "`%s` may talk to me now, and I have told them.", done.Who), nil
}

func (p people) role(ctx context.Context, c Call) (chat.Post, error) {
	words := strings.Fields(c.Args)
	if len(words) < 2 || len(words) > 3 || len(words) == 3 && words[2] != "here" {
		return wording.Say(ctx, "Usage: `/role ACCOUNT ROLE [here]`, such as `/role telegram:42 approver`. Accounts are ids, not names; `/whoami` tells people theirs."), nil
	}
	who, ok := chat.ParseIdentity(words[0])
	if !ok {
		return wording.Say(ctx, "`%s` is no account; it looks like `telegram:42` or `slack:T1:U1`. Names can be given away, so I take ids only.", words[0]), nil
	}
	role, ok := map[string]person.Role{
		"admin": person.Admin, "approver": person.Approver, "member": person.Member, "guest": person.Guest, "nobody": person.Nobody,
	}[words[1]]
	if !ok {
		return wording.Say(ctx, "`%s` is no role. The roles are admin, approver, member, guest and nobody.", words[1]), nil
	}
	err := p.directory.SetRole(ctx, c.Who, who, role, len(words) == 2)
	if refused(err) {
		return refusal(ctx, err), nil
	}
	if err != nil {
		return chat.Post{}, err
	}
	now, err := p.directory.Resolve(ctx, chat.Author{Identity: who}, c.Who.Place, false)
	if err != nil {
		return chat.Post{}, err
	}
	if now.Role != role && person.AtLeast(now.Role, role) {
		return wording.Say(ctx, "`%s` has the role **%s** here still: the configuration, or a role given in more places than this, gives it.", who, now.Role), nil
	}
	if len(words) == 3 {
		return wording.Say(ctx, "`%s` is **%s** here now. What the configuration gives stays.", who, words[1]), nil
	}
	return wording.Say(ctx, "`%s` is **%s** in your team now. What the configuration gives stays.", who, words[1]), nil
}

func (p people) settings(ctx context.Context, c Call) (chat.Post, error) {
	args := strings.Join(strings.Fields(strings.ToLower(c.Args)), " ")
	state := map[string]person.Space{"here on": person.SpaceOn, "here off": person.SpaceOff}[args]
	switch {
	case args == "training on", args == "training off":
		return p.training(ctx, c, args == "training on")
	case args == "learning on", args == "learning off":
		return p.learns(ctx, c, args == "learning on")
	case state == "":
		return p.showSettings(ctx, c, args)
	case c.Who.Direct:
		return wording.Say(ctx, "This is our own conversation; there is nothing to let me into. In a group, `/settings here on` lets its full members talk to me."), nil
	}
	if err := p.directory.SetSpace(ctx, c.Who, state); err != nil {
		if refused(err) {
			return refusal(ctx, err), nil
		}
		return chat.Post{}, err
	}
	if state == person.SpaceOn {
		return wording.Say(ctx, "The full members of this place may talk to me now, by mention or reply."), nil
	}
	return wording.Say(ctx, "I am silent in this place from now on."), nil
}

// training takes somebody's word on what may be done with their own traces.
func (p people) training(ctx context.Context, c Call, given bool) (chat.Post, error) {
	if err := p.consent.Give(ctx, c.Who.Person, given); err != nil {
		return chat.Post{}, err
	}
	if given {
		return wording.Say(ctx, "Redacted traces of what you and I work on may be exported as training data, where everybody else in them agreed too. `/settings training off` takes that back."), nil
	}
	return wording.Say(ctx, "Nothing of what you and I work on is exported as training data."), nil
}

// nowhereLearned is said of a switch that the operator has the last word on.
const nowhereLearned = "I learn nothing: my operator has switched it off for everybody."

// learns switches learning on or off: in a direct conversation for whoever says
// so, elsewhere for the place.
func (p people) learns(ctx context.Context, c Call, on bool) (chat.Post, error) {
	if err := p.learning.Switch(ctx, c.Who, on); err != nil {
		if refused(err) {
			return refusal(ctx, err), nil
		}
		return chat.Post{}, err
	}
	if _, nowhere, err := p.learning.Learns(ctx, c.Who); err != nil || nowhere {
		return wording.Say(ctx, nowhereLearned), err
	}
	whom := learnedFrom(ctx, c.Who)
	if on {
		return wording.Say(ctx, "I learn from %s again, from the next message on.", whom), nil
	}
	return wording.Say(ctx, "I learn nothing more from %s: no record is kept, nothing is looked back at and nothing proposed. The skills and memories that there are stay as they are, and in use. `/settings learning on` takes that back.", whom), nil
}

// learningSetting says whether anything is learned where this is asked.
func (p people) learningSetting(ctx context.Context, who person.Principal) (string, error) {
	on, nowhere, err := p.learning.Learns(ctx, who)
	whom := learnedFrom(ctx, who)
	switch {
	case nowhere:
		return wording.Text(ctx, nowhereLearned), err
	case on:
		return wording.Text(ctx, "I learn from %s; `/settings learning off` ends that.", whom), err
	}
	return wording.Text(ctx, "I learn **nothing** from %s; `/settings learning on` changes that.", whom), err
}

// learnedFrom names what the switch of learning is about.
func learnedFrom(ctx context.Context, who person.Principal) string {
	if who.Direct {
		return wording.Text(ctx, "you")
	}
	return wording.Text(ctx, "what is done in this place")
}

// showSettings says what is set and how to change it, also to somebody who
// wrote something else.
func (p people) showSettings(ctx context.Context, c Call, asked string) (chat.Post, error) {
	var b strings.Builder
	if asked != "" {
		b.WriteString(wording.Text(ctx, "`%s` is nothing that can be set. This is:\n", strings.ReplaceAll(asked, "`", "")))
	}
	given, err := p.consent.Given(ctx, c.Who.Person)
	if err != nil {
		return chat.Post{}, err
	}
	traces := "Redacted traces of what you and I work on are **not** exported as training data; `/settings training on` allows it."
	if given {
		traces = "Redacted traces of what you and I work on **may** be exported as training data; `/settings training off` takes that back."
	}
	b.WriteString("- " + wording.In(ctx).Of(traces) + "\n")
	learns, err := p.learningSetting(ctx, c.Who)
	if err != nil {
		return chat.Post{}, err
	}
	b.WriteString("- " + learns + "\n")
	place, err := p.placeSetting(ctx, c.Who)
	if err != nil {
		return chat.Post{}, err
	}
	b.WriteString("- " + place + "\n- " + wording.Text(ctx, "Your time zone, language and quiet hours are set with `/whoami`, in a direct conversation."))
	return chat.Post{Markdown: b.String()}, nil
}

// placeSetting says who may talk to the bot where this is asked.
func (p people) placeSetting(ctx context.Context, who person.Principal) (string, error) {
	if who.Direct {
		return wording.Text(ctx, "This is our own conversation. In a group, `/settings here on` lets its full members talk to me."), nil
	}
	state, err := p.directory.Space(ctx, who.Place)
	words := map[person.Space]string{
		person.SpaceOn:      "its full members may talk to me",
		person.SpaceOff:     "I am silent",
		person.SpaceUnknown: "only people whom I know may talk to me",
	}
	return wording.Text(ctx, "In this place, %s. `/settings here on` and `/settings here off` change that.", wording.In(ctx).Of(words[state])), err
}

// refused reports whether an error is an answer to the person.
func refused(err error) bool {
	for _, known := range []error{person.ErrForbidden, person.ErrCode, person.ErrTooMany, person.ErrSameWorkspace, person.ErrNotLinked} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// refusal is the innermost reason, without what was being done.
func refusal(ctx context.Context, err error) chat.Post {
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return wording.Say(ctx, "That did not work: %s.", wording.In(ctx).Of(err.Error()))
}

// bareCode is a code without what a sentence around it may have left on it.
func bareCode(s string) string { return strings.Trim(s, " `.\"'") }
