package slack

import (
	"cmp"
	"strings"
	"unicode"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// slackbot is Slack's own account.
const slackbot = "USLACKBOT"

// conversational are the subtypes of messages in which somebody says
// something (docs.slack.dev/reference/events/message#subtypes). All others
// tell what happened to a channel.
var conversational = map[string]bool{
	"": true, "file_share": true, "thread_broadcast": true, "me_message": true, "bot_message": true,
}

// scene is one event with what is needed to read it.
type scene struct {
	reader
	app        string // that the event was delivered to
	enterprise string
	event
}

// direct reports whether it happened between one person and the bot.
func (s *scene) direct() bool { return s.ChannelType == "im" || isDirect(s.Channel) }

// isDirect knows a direct conversation by its id; that of several people is a
// channel like any other.
func isDirect(channel string) bool { return strings.HasPrefix(channel, "D") }

func (s *scene) address(m *message) chat.Address {
	return chat.Address{
		Platform: Platform, Workspace: s.me.team, Chat: s.Channel, Thread: thread(m.TS, m.ThreadTS, s.direct()),
	}
}

// thread is the root of the thread that an answer to the message ts belongs
// into. On the top level of a channel the message opens it; in a direct
// conversation it does not.
func thread(ts, root string, direct bool) string {
	switch {
	case root != "" && root != ts:
		return root
	case direct:
		return ""
	}
	return ts
}

func (s *scene) own(m *message) bool {
	return m.User != "" && m.User == s.me.user || m.BotID != "" && m.BotID == s.me.bot ||
		m.AppID != "" && m.AppID == cmp.Or(s.app, s.me.app)
}

func (s *scene) author(m *message) chat.Author {
	id := cmp.Or(m.User, m.BotID)
	home := cmp.Or(m.UserTeam, m.SourceTeam, m.Team, s.me.team)
	return chat.Author{
		Identity:  chat.Identity{Platform: Platform, Workspace: s.me.team, ID: id},
		Name:      cmp.Or(s.names[id], m.Username),
		Self:      s.own(m),
		Bot:       m.BotID != "" || m.Subtype == "bot_message" || m.User == slackbot,
		Guest:     home != s.me.team && home != s.enterprise,
		Anonymous: id == "",
	}
}

// words are what a message says, the bot's own mention left out.
type words struct {
	text      string
	mentioned bool
}

func (s *scene) words(m *message) words {
	text, mentioned := s.mrkdwn(m.Text)
	inBlocks, there := s.blocks(m.Blocks)
	mentioned = mentioned || there
	if strings.TrimSpace(m.Text) == "" {
		text = inBlocks
	}
	if m.BotID != "" || m.Subtype == "bot_message" || strings.TrimSpace(text) == "" {
		below, there := s.below(m)
		text, mentioned = strings.TrimSpace(text+"\n"+below), mentioned || there
	}
	return words{strings.TrimSpace(text), mentioned}
}

// said makes the event of something that somebody said.
func (s *scene) said(m *message) inbound.Item {
	w := s.words(m)
	quote, forwarded := s.shared(m)
	e := chat.Event{
		Kind: chat.Message, At: instant(m.TS), Address: s.address(m), Direct: s.direct(), Message: m.TS,
		Author: s.author(m), Origin: chat.Member, Text: w.text, Quoted: quote, Forwarded: forwarded,
		Attachments: m.files(), Keys: []string{s.key(m.TS)},
	}
	if forwarded && w.text == "" {
		e.Origin = chat.External
	}
	e.Addressed = s.addressed(m, w)
	if s.Type == "app_mention" && m.Edited.TS != "" {
		e.At = instant(m.Edited.TS) // the edit added the mention
	}
	if m.ThreadTS != "" && m.ThreadTS != m.TS {
		e.ReplyTo = m.ThreadTS
	}
	e.Edited = m.Edited.TS != ""
	if m.ClientID != "" {
		e.Keys = append(e.Keys, s.place()+":client:"+m.ClientID)
	}
	// What was edited is no command: it is not what its author typed and sent.
	if call, ok := command(w.text, e.Addressed); ok && !e.Author.Bot && !e.Edited {
		e.Kind, e.Text, e.Addressed, e.Command = chat.Command, "", chat.ByCommand, &call
	}
	return inbound.Item{Event: e}
}

func (s *scene) place() string { return Platform + ":" + s.me.team + ":" + s.Channel }

func (s *scene) key(ts string) string { return s.place() + ":" + ts }

// addressed says in what way a message is for the bot. A thread under one of
// its own messages is the bot's.
func (s *scene) addressed(m *message, w words) chat.Addressed {
	switch {
	case s.direct():
		return chat.ByDM
	case w.mentioned || s.Type == "app_mention":
		return chat.ByMention
	case m.ParentUser != "" && m.ParentUser == s.me.user:
		return chat.ByThread
	}
	return chat.Ambient
}

// commandName is the slash command, and what stands after "!" where Slack has
// none, as in threads.
const commandName = "talaria"

// command reads a command typed as text: "!talaria stop" anywhere, "/stop"
// where the message is for the bot by itself.
func command(text string, by chat.Addressed) (chat.CommandCall, bool) {
	text = strings.TrimLeftFunc(text, func(r rune) bool { return unicode.IsSpace(r) || inbound.Ignorable(r) })
	bang, isBang := strings.CutPrefix(text, "!")
	if isBang {
		text = "/" + bang
	}
	c, ok := inbound.ParseCommand(text)
	switch {
	case !ok || c.Suffix != "":
		return chat.CommandCall{}, false
	case c.Name == commandName:
		return subcommand(c.Args), true
	case isBang || by != chat.ByDM && by != chat.ByMention:
		return chat.CommandCall{}, false
	}
	return chat.CommandCall{Name: c.Name, Args: c.Args}, true
}

// subcommand reads what stands after "/talaria". With nothing there, it is a
// request for help.
func subcommand(text string) chat.CommandCall {
	text = strings.TrimLeft(strings.TrimSpace(text), "/／")
	if c, ok := inbound.ParseCommand("/" + text); ok && c.Suffix == "" {
		return chat.CommandCall{Name: c.Name, Args: c.Args}
	}
	word, rest := text, ""
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		word, rest = text[:i], strings.TrimSpace(text[i:])
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 {
		return chat.CommandCall{Name: strings.ToLower(word), Args: rest} // in another language
	}
	return chat.CommandCall{Name: "help", Args: text}
}
