package discord

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"sync"

	"talaria/adapters/wire"
	"talaria/core/chat"

	"github.com/bwmarrin/discordgo"
)

// directory is what is known of channels, threads and the bot's own roles. The
// gateway tells of them when a session begins, and of changes; after a resumed
// session has been taken over, what is missing is asked for.
type directory struct {
	mu       sync.Mutex
	channels map[string]channel
	roles    map[string]string // the bot's own role by server; "" where it has none
}

func newDirectory() *directory {
	return &directory{channels: map[string]channel{}, roles: map[string]string{}}
}

// role is a Role.
type role struct {
	ID   snowflake `json:"id"`
	Tags wire.Maybe[struct {
		Bot snowflake `json:"bot_id"`
	}] `json:"tags"`
}

// guild is what GUILD_CREATE and THREAD_LIST_SYNC tell of a server.
type guild struct {
	ID       snowflake             `json:"id"`
	Guild    snowflake             `json:"guild_id"`
	Channels wire.Maybe[[]channel] `json:"channels"`
	Threads  wire.Maybe[[]channel] `json:"threads"`
	Roles    wire.Maybe[[]role]    `json:"roles"`
}

// learn takes in what a dispatch tells.
func (d *directory) learn(kind string, data json.RawMessage, me string) {
	switch kind {
	case "GUILD_CREATE", "THREAD_LIST_SYNC":
		var g guild
		if json.Unmarshal(data, &g) == nil {
			d.learnGuild(g, me)
		}
	case "CHANNEL_CREATE", "CHANNEL_UPDATE", "THREAD_CREATE", "THREAD_UPDATE":
		var c channel
		if json.Unmarshal(data, &c) == nil && c.ID != "" {
			d.put(c)
		}
	case "GUILD_ROLE_CREATE", "GUILD_ROLE_UPDATE", "GUILD_ROLE_DELETE":
		var g guild
		if json.Unmarshal(data, &g) == nil {
			d.mu.Lock()
			defer d.mu.Unlock()
			delete(d.roles, g.Guild.String())
		}
	}
}

func (d *directory) learnGuild(g guild, me string) {
	for _, c := range append(g.Channels.Or(), g.Threads.Or()...) {
		c.Guild = cmp.Or(g.ID, g.Guild)
		d.put(c)
	}
	if g.Roles.Is != nil {
		d.putRoles(g.ID.String(), *g.Roles.Is, me)
	}
}

func (d *directory) put(c channel) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.channels[c.ID.String()] = c
}

func (d *directory) putRoles(guild string, roles []role, me string) {
	own := ""
	for _, r := range roles {
		if r.Tags.Or().Bot.String() == me {
			own = r.ID.String()
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.roles[guild] = own
}

func (d *directory) channel(id string) (channel, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c, known := d.channels[id]
	return c, known
}

// of lists the channels of a server, threads left out.
func (d *directory) of(guild string) []channel {
	d.mu.Lock()
	defer d.mu.Unlock()
	var all []channel
	for _, c := range d.channels {
		if c.Guild.String() == guild && !c.isThread() {
			all = append(all, c)
		}
	}
	return all
}

func (d *directory) role(guild string) (string, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r, known := d.roles[guild]
	return r, known
}

// prepare makes sure that the channel, and the bot's own role where one is
// mentioned, are known, and returns what normalize needs. An error is worth
// another attempt.
func (a *Adapter) prepare(ctx context.Context, self account, guild, id string, roles bool) (scene, error) {
	s := scene{
		me: self.user, commands: a.commands, channel: a.directory.channel, user: func(string) string { return "" },
		role: func(guild string) string { r, _ := a.directory.role(guild); return r },
	}
	if guild == "" {
		return s, nil
	}
	if _, known := a.directory.channel(id); !known && id != "" {
		c := channel{ID: snowflake(id)}
		err := a.client.call(ctx, request{
			op: "getChannel", method: http.MethodGet, url: discordgo.EndpointChannel(id), scope: id,
		}, &c)
		if err != nil && !final(err) {
			return s, err
		}
		c.ID = snowflake(id)
		a.directory.put(c)
	}
	if _, known := a.directory.role(guild); !known && roles {
		var all []role
		err := a.client.call(ctx, request{
			op: "getGuildRoles", method: http.MethodGet, url: discordgo.EndpointGuildRoles(guild), scope: guild,
		}, &all)
		if err != nil && !final(err) {
			return s, err
		}
		a.directory.putRoles(guild, all, self.user)
	}
	return s, nil
}

// final reports whether asking again can't help.
func final(err error) bool {
	switch chat.KindOf(err) {
	case chat.Gone, chat.NotAllowed, chat.Permanent:
		return true
	}
	return false
}
