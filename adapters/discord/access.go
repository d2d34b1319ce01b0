package discord

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"talaria/adapters/wire"

	"github.com/bwmarrin/discordgo"
)

const (
	// accessFor is how long what Discord said of a channel's rules counts.
	accessFor = time.Minute
	// maxAccess bounds the channels kept in mind.
	maxAccess = 1_000
)

// permissions are a set of rights, a number in decimal.
type permissions = wire.Maybe[string]

func bits(p permissions) int64 {
	n, _ := strconv.ParseInt(p.Or(), 10, 64) // what can't be read allows nothing
	return n
}

// overwrite is a channel's exception for a role or a member
// (discord.com/developers/docs/topics/permissions#permission-overwrites).
type overwrite struct {
	ID    snowflake   `json:"id"`
	Allow permissions `json:"allow"`
	Deny  permissions `json:"deny"`
}

// access is who may see a channel, but for what is a member's own.
type access struct {
	roles  map[string]int64 // rights by role; that of everybody has the server's id
	except []overwrite
	parent string // of a private thread; it decides, for those who are in the thread
	until  time.Time
}

// sees reports whether a member with roles may see the channel: the rules of
// discord.com/developers/docs/topics/permissions#permission-hierarchy.
func (a access) sees(guild, user string, roles []snowflake) bool {
	has := map[string]bool{guild: true}
	for _, r := range roles {
		has[r.String()] = true
	}
	var rights int64
	for id, given := range a.roles {
		if has[id] {
			rights |= given
		}
	}
	if rights&discordgo.PermissionAdministrator != 0 {
		return true
	}
	var everybody, own overwrite
	var allow, deny int64
	for _, o := range a.except {
		switch id := o.ID.String(); {
		case id == guild:
			everybody = o
		case id == user:
			own = o
		case has[id]:
			allow, deny = allow|bits(o.Allow), deny|bits(o.Deny)
		}
	}
	rights = rights&^bits(everybody.Deny) | bits(everybody.Allow)
	rights = rights&^deny | allow
	rights = rights&^bits(own.Deny) | bits(own.Allow)
	return rights&discordgo.PermissionViewChannel != 0
}

// accesses keeps them for a while.
type accesses struct {
	mu    sync.Mutex
	known map[string]access
}

// access is who may see a channel of a server.
func (a *Adapter) access(ctx context.Context, guild, id string) (access, error) {
	a.accesses.mu.Lock()
	have, ok := a.accesses.known[id]
	a.accesses.mu.Unlock()
	if ok && a.timing.now().Before(have.until) {
		return have, nil
	}
	var c struct {
		channel
		Except wire.Maybe[[]overwrite] `json:"permission_overwrites"`
	}
	var roles []struct {
		ID     snowflake   `json:"id"`
		Rights permissions `json:"permissions"`
	}
	err := a.client.call(ctx, request{op: "getChannel", method: http.MethodGet, url: discordgo.EndpointChannel(id), scope: id}, &c)
	if err == nil {
		err = a.client.call(ctx, request{op: "getGuildRoles", method: http.MethodGet, url: discordgo.EndpointGuildRoles(guild), scope: guild}, &roles)
	}
	if err != nil {
		return access{}, err
	}
	fresh := access{roles: map[string]int64{}, except: c.Except.Or(), until: a.timing.now().Add(accessFor)}
	if c.Type.Or() == privateThread {
		fresh.parent = c.Parent.String()
	}
	for _, r := range roles {
		fresh.roles[r.ID.String()] = bits(r.Rights)
	}
	a.accesses.mu.Lock()
	defer a.accesses.mu.Unlock()
	if len(a.accesses.known) >= maxAccess || a.accesses.known == nil {
		a.accesses.known = map[string]access{}
	}
	a.accesses.known[id] = fresh
	return fresh, nil
}

// owns reports whether somebody owns a server, and so sees all of it.
func (a *Adapter) owns(ctx context.Context, guild, user string) (bool, error) {
	var g struct {
		Owner snowflake `json:"owner_id"`
	}
	err := a.client.call(ctx, request{op: "getGuild", method: http.MethodGet, url: discordgo.EndpointGuild(guild), scope: guild}, &g)
	return err == nil && g.Owner.String() == user, err
}

// inThread reports whether somebody was added to a thread.
func (a *Adapter) inThread(ctx context.Context, thread, user string) (bool, error) {
	err := a.client.call(ctx, request{
		op: "getThreadMember", method: http.MethodGet, url: discordgo.EndpointThreadMember(thread, user), scope: thread,
	}, nil)
	if codeOf(err) == unknownMember || codeOf(err) == unknownUser {
		return false, nil
	}
	return err == nil, err
}
