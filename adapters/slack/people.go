package slack

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"sync"
	"time"

	"talaria/core/chat"

	"github.com/slack-go/slack"
)

const (
	// knownFor is how long what Slack said of a person counts, and unknownFor
	// how long it is not asked again after it said nothing.
	knownFor   = 10 * time.Minute
	unknownFor = time.Minute
	// maxKnown bounds the people kept in mind.
	maxKnown = 10_000
	// maxNamed bounds the people looked up for the mentions in one message.
	maxNamed = 8
	// lookupTime bounds all lookups while an event waits for them.
	lookupTime = 700 * time.Millisecond
)

// person is what Slack says of an account.
type person struct {
	name  string
	lang  string // as BCP 47 writes it
	full  bool   // a full member of the workspace
	until time.Time
	err   error
}

// people looks accounts up and keeps what it learned for a while.
type people struct {
	client *client

	mu    sync.Mutex
	known map[string]person
}

// look returns what is known of the account, asking Slack if need be.
func (p *people) look(ctx context.Context, team, id string) (person, error) {
	if there, ok := p.recall(id); ok {
		return there, there.err
	}
	return p.lookAfresh(ctx, team, id)
}

func (p *people) recall(id string) (person, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	there, ok := p.known[id]
	return there, ok && time.Now().Before(there.until)
}

func (p *people) lookAfresh(ctx context.Context, team, id string) (person, error) {
	fresh := p.ask(ctx, team, id)
	if errors.Is(fresh.err, context.Canceled) {
		return fresh, fresh.err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.known) >= maxKnown || p.known == nil {
		p.known = map[string]person{}
	}
	p.known[id] = fresh
	return fresh, fresh.err
}

func (p *people) ask(ctx context.Context, team, id string) person {
	var u *slack.User
	_, err := p.client.call(ctx, "users.info", func(ctx context.Context, api *slack.Client) (err error) {
		u, err = api.GetUserInfoContext(ctx, id)
		return err
	})
	if err != nil || u == nil {
		return person{err: unseen(err), until: time.Now().Add(unknownFor)}
	}
	return person{
		name:  cmp.Or(u.Profile.DisplayName, u.Profile.RealName, u.RealName, u.Name),
		lang:  u.Locale,
		full:  full(u, team),
		until: time.Now().Add(knownFor),
	}
}

// full reports whether u is a full member of the workspace: no guest, nobody
// of another one who is there by Slack Connect, no bot.
func full(u *slack.User, team string) bool {
	home := u.TeamID == team
	for _, t := range u.Enterprise.Teams {
		home = home || t == team
	}
	return home && !u.Deleted && !u.IsBot && !u.IsRestricted && !u.IsUltraRestricted && !u.IsStranger && !u.IsInvitedUser
}

// mentioned finds mentions in JSON, whose writers may escape the bracket.
var mentioned = regexp.MustCompile(`(?:<|\\u003c)@([UW][A-Z0-9]+)`)

// mentionedIn lists the people mentioned in a delivery or a text.
func mentionedIn(raw []byte) []string {
	var ids []string
	for _, m := range mentioned.FindAllSubmatch(raw, maxNamed) {
		ids = append(ids, string(m[1]))
	}
	return ids
}

// names returns the display names of people, as far as Slack tells them. The
// bot needs none.
func (p *people) names(ctx context.Context, me account, ids []string) map[string]string {
	names := map[string]string{}
	for _, id := range ids {
		if _, asked := names[id]; asked || id == me.user || !userID.MatchString(id) {
			continue
		}
		known, _ := p.look(ctx, me.team, id) // unknown, the id stands for the name
		names[id] = known.name
	}
	return names
}

// Member implements chat.Inviter: who is in a workspace is no member of its
// private channels. What could not be had in a hurry is asked again.
func (a *Adapter) Member(ctx context.Context, place chat.Address, who chat.Identity) (bool, error) {
	known, err := a.people.look(ctx, place.Workspace, who.ID)
	if err != nil {
		known, err = a.people.lookAfresh(ctx, place.Workspace, who.ID)
	}
	if refusedWith(err, "user_not_found", "user_not_visible", "users_not_found") {
		return false, nil
	}
	if err != nil || !known.full || who.Workspace != place.Workspace || isDirect(place.Chat) {
		return known.full && who.Workspace == place.Workspace, err
	}
	return a.rooms.open(ctx, place.Chat, who.ID)
}
