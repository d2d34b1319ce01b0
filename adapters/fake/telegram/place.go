package telegram

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"
)

// place is a chat with its messages.
type place struct {
	mu       sync.Mutex
	id       int64
	kind     string // private, group, supergroup
	title    string // empty: "Group"
	username string // of a public one
	forum    bool
	topics   map[int64]bool
	members  map[int64]string // status by user
	gone     string           // why nothing can be sent, as the Bot API says it
	movedTo  int64
	messages []*Message // by id, from 1
	drafts   []Draft
	drafting bool // the last draft is shown
	pace     pace
}

// Message is a message with all its versions, as the chat shows it.
type Message struct {
	Chat, ID, Thread int64
	User             int64 // who wrote it; BotID for the bot
	Update           int64 // the update that told the bot of it, if one did
	ReplyTo          int64
	Text             string
	Entities         []Entity
	Buttons          [][]Button
	File             *File
	Album            string
	Silent           bool
	Deleted          bool
	At               time.Time
	History          []Version // every version, the first one first
}

// Version is what a message said from a time on.
type Version struct {
	Text string
	At   time.Time
}

// File is an uploaded document.
type File struct {
	Name string
	Data []byte
}

// places are all chats.
type places struct {
	mu  sync.RWMutex
	all map[int64]*place
}

func (p *places) find(id int64) *place {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.all[id]
}

// make returns the place id, and makes it where there is none. A place with a
// person's id is their direct chat.
func (p *places) make(id int64, kind string) *place {
	if there := p.find(id); there != nil {
		return there
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		p.all = map[int64]*place{}
	}
	if p.all[id] == nil {
		p.all[id] = &place{id: id, kind: kind, topics: map[int64]bool{}, members: map[int64]string{BotID: "member"}}
	}
	return p.all[id]
}

func (p *places) list() []*place {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return slices.Collect(maps.Values(p.all))
}

// add gives the message its id. The lock is held.
func (p *place) add(m *Message) {
	m.Chat, m.ID = p.id, int64(len(p.messages)+1)
	p.messages = append(p.messages, m)
}

// message returns a message that is there. The lock is held.
func (p *place) message(id int64) *Message {
	if id < 1 || id > int64(len(p.messages)) || p.messages[id-1].Deleted {
		return nil
	}
	return p.messages[id-1]
}

// wireChat is a Chat.
type wireChat struct {
	ID    int64  `json:"id"`
	Type  string `json:"type"`
	Title string `json:"title,omitempty"`
	First string `json:"first_name,omitempty"`
	Forum bool   `json:"is_forum,omitempty"`

	Username string `json:"username,omitempty"`
}

func (p *place) wireChat() wireChat {
	if p.kind == "private" {
		return wireChat{ID: p.id, Type: p.kind, First: person(p.id).First}
	}
	return wireChat{ID: p.id, Type: p.kind, Title: cmp.Or(p.title, "Group"), Username: p.username, Forum: p.forum}
}

// wireMessage is a Message as the Bot API tells it.
type wireMessage struct {
	ID              int64        `json:"message_id"`
	Date            int64        `json:"date"`
	EditDate        int64        `json:"edit_date,omitempty"`
	Chat            wireChat     `json:"chat"`
	From            user         `json:"from"`
	Thread          int64        `json:"message_thread_id,omitempty"`
	InTopic         bool         `json:"is_topic_message,omitempty"`
	Album           string       `json:"media_group_id,omitempty"`
	Text            string       `json:"text,omitempty"`
	Entities        []Entity     `json:"entities,omitempty"`
	Caption         string       `json:"caption,omitempty"`
	CaptionEntities []Entity     `json:"caption_entities,omitempty"`
	Document        *wireFile    `json:"document,omitempty"`
	Keyboard        *keyboard    `json:"reply_markup,omitempty"`
	ReplyTo         *wireMessage `json:"reply_to_message,omitempty"`
	MigrateTo       int64        `json:"migrate_to_chat_id,omitempty"`
	MigrateFrom     int64        `json:"migrate_from_chat_id,omitempty"`
}

type wireFile struct {
	ID   string `json:"file_id"`
	Name string `json:"file_name"`
	Size int    `json:"file_size"`
}

// wire is the message as the Bot API tells it. The lock is held.
func (p *place) wire(m *Message) *wireMessage {
	w := &wireMessage{
		ID: m.ID, Date: m.At.Unix(), Chat: p.wireChat(), From: person(m.User), Thread: m.Thread, InTopic: m.Thread != 0,
		Album: m.Album, Text: m.Text, Entities: m.Entities,
	}
	if len(m.History) > 1 {
		w.EditDate = m.History[len(m.History)-1].At.Unix()
	}
	if m.Buttons != nil {
		w.Keyboard = &keyboard{m.Buttons}
	}
	if m.File != nil {
		w.Caption, w.CaptionEntities, w.Text, w.Entities = m.Text, m.Entities, "", nil
		w.Document = &wireFile{m.File.Name, m.File.Name, len(m.File.Data)}
	}
	if r := p.message(m.ReplyTo); r != nil {
		alone := *r
		alone.ReplyTo = 0
		w.ReplyTo = p.wire(&alone)
	}
	return w
}

func person(id int64) user {
	if id == BotID {
		return user{ID: id, Bot: true, First: botTitle, Username: BotName}
	}
	return user{ID: id, First: "Person", Username: "person_" + decimal(id)}
}

func (s *Server) getMe(*call) reply {
	return result(map[string]any{
		"id": BotID, "is_bot": true, "first_name": botTitle, "username": BotName,
		"can_join_groups": true, "can_read_all_group_messages": !s.opts.Privacy,
	})
}

func (s *Server) getChat(c *call) reply {
	p := s.places.find(int64(c.params.Chat))
	if p == nil {
		return badRequest("chat not found")
	}
	return result(p.wireChat())
}

func (s *Server) getChatMember(c *call) reply {
	p := s.places.find(int64(c.params.Chat))
	if p == nil {
		return badRequest("chat not found")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	status := p.members[c.params.User.v]
	if status == "" {
		status = "left"
	}
	return result(map[string]any{"status": status, "user": person(c.params.User.v)})
}
