package discord

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// guild is a server.
type guild struct {
	id      string
	owner   string
	members map[string]*membership
}

type membership struct {
	pending  bool
	silenced time.Time
}

// place is a channel, a thread or a direct conversation.
type place struct {
	id, guild, parent, owner string
	kind                     int
	recipient                string // of a direct conversation
	messages                 []*Message
	typing                   int
	barred                   bool            // the bot may not write there
	seers                    map[string]bool // who sees it; nil: everybody
	invited                  map[string]bool // who is in a private thread
}

// Message is a message with all its versions, as the channel shows it.
type Message struct {
	Channel, ID string
	User        string // who wrote it; BotID for the bot
	ReplyTo     string
	Text        string
	Buttons     []Button
	File        *File
	Flags       int
	Deleted     bool
	Private     string // who alone sees it
	Nonce       string
	At          time.Time
	History     []Version // every version, the first one first

	fileID string
}

// Version is what a message said from a time on.
type Version struct {
	Text string
	At   time.Time
}

// File is an uploaded file.
type File struct {
	Name string
	Data []byte
}

// Flags of messages.
const (
	suppressEmbeds = 1 << 2
	ephemeral      = 1 << 6
	loading        = 1 << 7
)

// The sorts of channels.
const (
	textKind   = 0
	directKind = 1
	threadKind = 11
	closedKind = 12 // a private thread
)

// Guild makes a server with members.
func (s *Server) Guild(id string, members ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &guild{id: id, members: map[string]*membership{BotID: {}}}
	for _, m := range members {
		g.members[m] = &membership{}
	}
	s.guilds[id] = g
}

// Channel makes a channel of a server.
func (s *Server) Channel(guild, id string) { s.addPlace(&place{id: id, guild: guild, kind: textKind}) }

// Thread makes a thread of a channel.
func (s *Server) Thread(parent, id, owner string) {
	s.mu.Lock()
	guild := s.channels[parent].guild
	s.mu.Unlock()
	s.addPlace(&place{id: id, guild: guild, parent: parent, owner: owner, kind: threadKind})
}

// PrivateThread makes a thread of a channel for some people.
func (s *Server) PrivateThread(parent, id string, members ...string) {
	s.mu.Lock()
	guild := s.channels[parent].guild
	s.mu.Unlock()
	p := &place{id: id, guild: guild, parent: parent, owner: BotID, kind: closedKind, invited: map[string]bool{BotID: true}}
	for _, m := range members {
		p.invited[m] = true
	}
	s.addPlace(p)
}

// Direct makes the direct conversation of a person.
func (s *Server) Direct(id, user string) {
	s.addPlace(&place{id: id, recipient: user, kind: directKind})
}

// Private has a channel seen by nobody but some people and those with a role.
func (s *Server) Private(id string, seers ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.channels[id]
	p.seers = map[string]bool{BotRole: true}
	for _, who := range seers {
		p.seers[who] = true
	}
}

// Own makes somebody the owner of a server.
func (s *Server) Own(guild, user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.guilds[guild].owner = user
}

func (s *Server) addPlace(p *place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels[p.id] = p
	if p.guild != "" {
		kind := "CHANNEL_CREATE"
		if p.kind == threadKind || p.kind == closedKind {
			kind = "THREAD_CREATE"
		}
		s.dispatch(kind, p.wire())
	}
}

// Screen makes a member one that has not passed the server's screening.
func (s *Server) Screen(guild, user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.guilds[guild].members[user] = &membership{pending: true}
}

// Silence keeps a member from speaking until a time.
func (s *Server) Silence(guild, user string, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.guilds[guild].members[user] = &membership{silenced: until}
}

func (p *place) wire() map[string]any {
	w := map[string]any{"id": p.id, "type": p.kind, "name": "channel-" + p.id}
	if p.guild != "" {
		w["guild_id"] = p.guild
	}
	if p.parent != "" {
		w["parent_id"], w["owner_id"] = p.parent, p.owner
	}
	if p.seers != nil {
		w["permission_overwrites"] = p.overwrites()
	}
	return w
}

// viewChannel is the right to see a channel.
const viewChannel = "1024"

func (p *place) overwrites() []map[string]any {
	all := []map[string]any{{"id": p.guild, "type": 0, "allow": "0", "deny": viewChannel}}
	for _, who := range slices.Sorted(maps.Keys(p.seers)) {
		kind := 1
		if who == BotRole {
			kind = 0
		}
		all = append(all, map[string]any{"id": who, "type": kind, "allow": viewChannel, "deny": "0"})
	}
	return all
}

func (g *guild) roles() []map[string]any {
	return []map[string]any{{"id": g.id, "name": "@everyone", "permissions": viewChannel}, {"id": BotRole, "name": BotName, "permissions": "0", "tags": map[string]any{"bot_id": BotID}}}
}

func person(id string) map[string]any {
	if id == BotID {
		return map[string]any{"id": id, "username": BotName, "bot": true}
	}
	return map[string]any{"id": id, "username": "person_" + id, "global_name": "Person"}
}

// message finds a message that is there and that everybody sees.
func (p *place) message(id string) *Message {
	for _, m := range slices.Backward(p.messages) { // mostly it is a late one
		if m.ID == id && !m.Deleted && m.Private == "" {
			return m
		}
	}
	return nil
}

const stamp = "2006-01-02T15:04:05.000000-07:00"

// wire is the message as Discord tells it. The lock is held.
func (s *Server) wire(p *place, m *Message, told bool) map[string]any {
	w := map[string]any{
		"id": m.ID, "channel_id": p.id, "type": 0, "content": m.Text, "author": person(m.User), "flags": m.Flags,
		"timestamp": m.At.UTC().Format(stamp), "edited_timestamp": nil, "mentions": []any{}, "mention_roles": []any{},
		"attachments": []any{}, "embeds": []any{}, "components": wireRows(m.Buttons),
	}
	if len(m.History) > 1 {
		w["edited_timestamp"] = m.History[len(m.History)-1].At.UTC().Format(stamp)
	}
	if m.Nonce != "" && (told || s.opts.EchoNonce) {
		w["nonce"] = m.Nonce
	}
	if told { // https://docs.discord.com/developers/events/gateway-events#message-create
		w["channel_type"] = p.kind
	}
	if told && p.guild != "" {
		w["guild_id"], w["member"] = p.guild, map[string]any{"roles": []any{}, "nick": nil}
	}
	if m.File != nil {
		w["attachments"] = []any{map[string]any{
			"id": m.fileID, "filename": m.File.Name, "size": len(m.File.Data),
			"url": s.URL() + "/attachments/" + p.id + "/" + m.fileID + "/" + m.File.Name,
		}}
	}
	if m.ReplyTo != "" {
		w["type"] = 19
		w["message_reference"] = map[string]any{"message_id": m.ReplyTo, "channel_id": p.id}
		w["referenced_message"] = nil
		if r := p.message(m.ReplyTo); r != nil {
			alone := *r
			alone.ReplyTo = ""
			w["referenced_message"] = s.wire(p, &alone, false)
		}
	}
	return w
}

func wireRows(buttons []Button) []row {
	if len(buttons) == 0 {
		return []row{}
	}
	return []row{{Type: 1, Buttons: buttons}}
}

func noChannel() reply { return refuse(http.StatusNotFound, 10003, "Unknown Channel") }
func noMessage() reply { return refuse(http.StatusNotFound, 10008, "Unknown Message") }

func (s *Server) getChannel(c *call) reply {
	p := s.channels[c.channel]
	if p == nil {
		return noChannel()
	}
	return ok(p.wire())
}

// createDM opens the conversation with a person, the same one every time.
func (s *Server) createDM(c *call) reply {
	for _, p := range s.channels {
		if p.kind == directKind && p.recipient == c.body.Recipient {
			return ok(p.wire())
		}
	}
	p := &place{id: s.id(), recipient: c.body.Recipient, kind: directKind}
	s.channels[p.id] = p
	return ok(p.wire())
}

func (s *Server) getMessages(c *call) reply {
	p := s.channels[c.channel]
	if p == nil {
		return noChannel()
	}
	limit, err := strconv.Atoi(c.URL.Query().Get("limit"))
	if err != nil || limit < 1 || limit > 100 {
		return invalidForm("limit")
	}
	after := c.URL.Query().Get("after")
	var found []*Message
	for _, m := range p.messages {
		if !m.Deleted && m.Private == "" && older(after, m.ID) < 0 {
			found = append(found, m)
		}
	}
	switch {
	case len(found) <= limit:
	case after != "":
		found = found[:limit]
	default:
		found = found[len(found)-limit:]
	}
	all := []any{}
	for _, m := range slices.Backward(found) { // the newest first
		all = append(all, s.wire(p, m, false))
	}
	return ok(all)
}

func older(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (s *Server) getMessage(c *call) reply {
	p := s.channels[c.channel]
	if p == nil {
		return noChannel()
	}
	m := p.message(c.PathValue("message"))
	if m == nil {
		return noMessage()
	}
	return ok(s.wire(p, m, false))
}

func (s *Server) triggerTyping(c *call) reply {
	p := s.channels[c.channel]
	if p == nil {
		return noChannel()
	}
	p.typing++
	return reply{}
}

func (s *Server) getGuildMember(c *call) reply {
	g := s.guilds[c.PathValue("guild")]
	if g == nil {
		return refuse(http.StatusNotFound, 10004, "Unknown Guild")
	}
	m := g.members[c.PathValue("user")]
	if m == nil {
		return refuse(http.StatusNotFound, 10007, "Unknown Member")
	}
	w := map[string]any{"user": person(c.PathValue("user")), "roles": []any{}, "pending": m.pending, "communication_disabled_until": nil}
	if !m.silenced.IsZero() {
		w["communication_disabled_until"] = m.silenced.UTC().Format(time.RFC3339)
	}
	return ok(w)
}

func (s *Server) getGuild(c *call) reply {
	g := s.guilds[c.PathValue("guild")]
	if g == nil {
		return refuse(http.StatusNotFound, 10004, "Unknown Guild")
	}
	return ok(map[string]any{"id": g.id, "owner_id": g.owner})
}

// getThreadMember knows the members of private threads alone.
func (s *Server) getThreadMember(c *call) reply {
	p := s.channels[c.channel]
	if p == nil || !p.invited[c.PathValue("user")] {
		return refuse(http.StatusNotFound, 10007, "Unknown Member")
	}
	return ok(map[string]any{"id": p.id, "user_id": c.PathValue("user")})
}

func (s *Server) getGuildRoles(c *call) reply {
	g := s.guilds[c.PathValue("guild")]
	if g == nil {
		return refuse(http.StatusNotFound, 10004, "Unknown Guild")
	}
	return ok(g.roles())
}

func (s *Server) serveFile(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "" {
		s.Breach("the token is sent to the CDN")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.channels[r.PathValue("channel")]
	if p == nil {
		http.NotFound(w, r)
		return
	}
	for _, m := range p.messages {
		if m.File != nil && m.fileID == r.PathValue("id") {
			_, _ = w.Write(m.File.Data)
			return
		}
	}
	http.NotFound(w, r)
}

func length(s string) int { return utf8.RuneCountInString(s) }
