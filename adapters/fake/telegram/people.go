package telegram

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"time"
)

// Group makes a supergroup with the people as members.
func (s *Server) Group(id int64, people ...int64) {
	p := s.places.make(id, "supergroup")
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, who := range people {
		p.members[who] = "member"
	}
}

// Named gives a group its title, and the name of a public one, "" for none.
func (s *Server) Named(id int64, title, username string) {
	p := s.places.make(id, "supergroup")
	p.mu.Lock()
	defer p.mu.Unlock()
	p.title, p.username = title, username
}

// Topic makes a topic in a place, which becomes a forum.
func (s *Server) Topic(chat, thread int64) {
	p := s.places.make(chat, "supergroup")
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forum = true
	p.topics[thread] = true
}

// CloseTopic deletes a topic.
func (s *Server) CloseTopic(chat, thread int64) {
	p := s.places.make(chat, "supergroup")
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.topics, thread)
}

// Restrict sets somebody's status in a place, such as "restricted".
func (s *Server) Restrict(chat, who int64, status string) {
	p := s.places.make(chat, "supergroup")
	p.mu.Lock()
	defer p.mu.Unlock()
	p.members[who] = status
}

// Speech is something that a person says. Only User and Chat are required.
type Speech struct {
	User, Chat, Thread int64
	Text               string
	ReplyTo            int64
	Album              string
	File               *File
}

// Say has a person say something and returns the update that tells of it. The
// person's direct chat is there by itself; groups are made with Group.
func (s *Server) Say(user, chat int64, text string) (update int64) {
	return s.Speak(Speech{User: user, Chat: chat, Text: text}).ID
}

// Speak is Say with more to it. The entities that Telegram finds by itself are
// put in.
func (s *Server) Speak(sp Speech) Inbound {
	kind := "supergroup"
	if sp.User == sp.Chat {
		kind = "private"
	}
	p := s.places.make(sp.Chat, kind)
	p.mu.Lock()
	defer p.mu.Unlock()
	m := &Message{
		User: sp.User, Thread: sp.Thread, Text: sp.Text, ReplyTo: sp.ReplyTo, Album: sp.Album, File: sp.File,
		Entities: found(sp.Text), At: time.Now(),
	}
	m.History = []Version{{m.Text, m.At}}
	p.add(m)
	if sp.File != nil {
		s.files.Store(sp.File.Name, sp.File)
	}
	in := s.updates.add("message", p.wire(m), Inbound{Chat: sp.Chat, Message: m.ID, User: sp.User}, false)
	m.Update = in.ID
	s.Raise()
	return in
}

var (
	mentionWord = regexp.MustCompile(`@[A-Za-z][A-Za-z0-9_]{3,31}`)
	commandWord = regexp.MustCompile(`^/[A-Za-z0-9_]+(@[A-Za-z0-9_]+)?`)
)

// found are the entities that Telegram makes of what somebody types.
func found(text string) []Entity {
	var list []Entity
	for kind, form := range map[string]*regexp.Regexp{"mention": mentionWord, "bot_command": commandWord} {
		for _, at := range form.FindAllStringIndex(text, -1) {
			list = append(list, Entity{Type: kind, Offset: units(text[:at[0]]), Length: units(text[at[0]:at[1]])})
		}
	}
	slices.SortFunc(list, func(a, b Entity) int { return cmp.Compare(a.Offset, b.Offset) })
	return list
}

// Rewrite has a person edit what they said.
func (s *Server) Rewrite(chat, message int64, text string) (update int64) {
	p := s.places.find(chat)
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.messages[message-1]
	m.Text, m.Entities = text, found(text)
	m.History = append(m.History, Version{text, time.Now()})
	in := s.updates.add("edited_message", p.wire(m), Inbound{Chat: chat, Message: message, User: m.User}, false)
	s.Raise()
	return in.ID
}

// Press has a person press the button with the data under a message.
func (s *Server) Press(user, chat, message int64, data string) (query string) {
	p := s.places.find(chat)
	p.mu.Lock()
	defer p.mu.Unlock()
	query = fmt.Sprintf("press-%d", s.ids.Add(1))
	s.presses.Store(query, &press{user: user, chat: chat, until: time.Now().Add(s.opts.PressLife)})
	s.updates.add("callback_query", map[string]any{
		"id": query, "from": person(user), "chat_instance": "1", "data": data, "message": p.wire(p.messages[message-1]),
	}, Inbound{Chat: chat, User: user}, false)
	s.Raise()
	return query
}

// Inject queues an update of any kind with this content, whether or not the
// bot asked for such.
func (s *Server) Inject(kind string, content any) (update int64) {
	in := s.updates.add(kind, content, Inbound{}, true)
	s.Raise()
	return in.ID
}

// Block has a person block the bot.
func (s *Server) Block(user int64) {
	s.leave(user, user, "bot was blocked by the user")
}

// Expel has somebody throw the bot out of a group.
func (s *Server) Expel(chat, by int64) {
	s.leave(chat, by, "bot was kicked from the supergroup chat")
}

func (s *Server) leave(chat, by int64, why string) {
	p := s.places.make(chat, "private")
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone = why
	p.members[BotID] = "kicked"
	me := person(BotID)
	s.updates.add("my_chat_member", map[string]any{
		"chat": p.wireChat(), "from": person(by), "date": time.Now().Unix(),
		"old_chat_member": map[string]any{"status": "member", "user": me},
		"new_chat_member": map[string]any{"status": "kicked", "user": me, "until_date": 0},
	}, Inbound{Chat: chat, User: by}, false)
	s.Raise()
}

// Migrate turns a group into a supergroup with another id and tells both
// halves of it.
func (s *Server) Migrate(from, to int64) {
	old, fresh := s.places.make(from, "group"), s.places.make(to, "supergroup")
	old.mu.Lock()
	old.movedTo = to
	was := old.wireChat()
	old.mu.Unlock()
	fresh.mu.Lock()
	is := fresh.wireChat()
	fresh.mu.Unlock()
	half := wireMessage{ID: 1, Date: time.Now().Unix(), From: person(1), Chat: was, MigrateTo: to}
	s.updates.add("message", half, Inbound{Chat: from}, false)
	half.Chat, half.MigrateTo, half.MigrateFrom = is, 0, from
	s.updates.add("message", half, Inbound{Chat: to}, false)
	s.Raise()
}
