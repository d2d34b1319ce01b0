package telegram

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// target finds the place that a call writes to, and refuses it as the Bot API
// does. It returns with the place locked, unless it refuses.
func (s *Server) target(c *call) (*place, reply) {
	p := s.places.find(int64(c.params.Chat))
	if p == nil {
		return nil, badRequest("chat not found")
	}
	p.mu.Lock()
	switch {
	case p.movedTo != 0:
		defer p.mu.Unlock()
		return nil, reply{
			code: http.StatusBadRequest, description: "Bad Request: group chat was upgraded to a supergroup chat",
			migrateTo: p.movedTo,
		}
	case p.gone != "":
		defer p.mu.Unlock()
		return nil, refuse(http.StatusForbidden, "Forbidden: "+p.gone)
	}
	if wait := s.pace(p); wait > 0 {
		defer p.mu.Unlock()
		return nil, tooMany(wait)
	}
	return p, reply{}
}

func (s *Server) sendMessage(c *call) reply {
	m, refusal := s.draft(c, c.params.Text)
	if refusal.code != 0 {
		return refusal
	}
	return s.send(c, m)
}

func (s *Server) sendDocument(c *call) reply {
	if c.params.file == nil {
		return badRequest("there is no document in the request")
	}
	switch {
	case len(c.params.file) == 0:
		return badRequest("file must be non-empty")
	case len(c.params.file) > s.opts.Upload:
		return refuse(http.StatusRequestEntityTooLarge, "Request Entity Too Large")
	case units(c.params.Caption) > maxCaption:
		return badRequest("message caption is too long")
	}
	if why := checkButtons(rows(c)); why != "" {
		return badRequest(why)
	}
	file := &File{Name: c.params.fileName, Data: c.params.file}
	s.files.Store(file.Name, file)
	return s.send(c, &Message{
		User: BotID, Thread: c.params.Thread.v, Text: c.params.Caption, File: file, Buttons: rows(c), Silent: c.params.Silent.v,
	})
}

// send puts the message into its chat.
func (s *Server) send(c *call, m *Message) reply {
	p, refusal := s.target(c)
	if refusal.code != 0 {
		return refusal
	}
	defer p.mu.Unlock()
	if m.Thread != 0 && !p.topics[m.Thread] {
		return badRequest("message thread not found")
	}
	if r := c.params.Reply.v; r != nil {
		switch {
		case p.message(r.Message.v) != nil:
			m.ReplyTo = r.Message.v
		case !r.WithoutToo:
			return badRequest("message to be replied not found")
		}
	}
	m.At = time.Now()
	m.History = []Version{{m.Text, m.At}}
	p.add(m)
	p.drafting = false // what was being written is there
	s.opts.Shown(*m)
	return result(p.wire(m))
}

// draft makes a message of a text, or refuses it.
func (s *Server) draft(c *call, text string) (*Message, reply) {
	if why := checkText(text); why != "" {
		return nil, badRequest(why)
	}
	entities, why := checkEntities(text, c.params.Entities.v)
	if why != "" {
		return nil, badRequest(why)
	}
	if why := checkButtons(rows(c)); why != "" {
		return nil, badRequest(why)
	}
	s.judge(c, text, entities)
	return &Message{
		User: BotID, Thread: c.params.Thread.v, Text: strings.TrimSpace(text), Entities: entities,
		Buttons: rows(c), Silent: c.params.Silent.v,
	}, reply{}
}

func rows(c *call) [][]Button {
	if c.params.Keyboard.v == nil {
		return nil
	}
	return c.params.Keyboard.v.Rows
}

func (s *Server) editMessageText(c *call) reply {
	draft, refusal := s.draft(c, c.params.Text)
	if refusal.code != 0 {
		return refusal
	}
	p, refusal := s.target(c)
	if refusal.code != 0 {
		return refusal
	}
	defer p.mu.Unlock()
	m := p.message(c.params.Message.v)
	switch {
	case m == nil:
		return badRequest("message to edit not found")
	case m.User != BotID:
		return badRequest("message can't be edited")
	case m.File != nil:
		return badRequest("there is no text in the message to edit")
	case m.Text == draft.Text && slices.Equal(m.Entities, draft.Entities) && equalRows(m.Buttons, draft.Buttons):
		return badRequest("message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message")
	}
	m.Text, m.Entities, m.Buttons = draft.Text, draft.Entities, draft.Buttons
	m.History = append(m.History, Version{m.Text, time.Now()})
	s.opts.Shown(*m)
	return result(p.wire(m))
}

func equalRows(a, b [][]Button) bool { return slices.EqualFunc(a, b, slices.Equal[[]Button]) }

func (s *Server) deleteMessage(c *call) reply {
	p := s.places.find(int64(c.params.Chat))
	if p == nil {
		return badRequest("chat not found")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.message(c.params.Message.v)
	if m == nil {
		return badRequest("message to delete not found")
	}
	m.Deleted = true
	return yes
}

func (s *Server) sendChatAction(c *call) reply {
	p := s.places.find(int64(c.params.Chat))
	switch {
	case p == nil:
		return badRequest("chat not found")
	case !actions[c.params.Action]:
		return badRequest("wrong parameter action in request")
	}
	return yes
}

func (s *Server) answerCallbackQuery(c *call) reply {
	if units(c.params.Text) > maxNotice {
		return badRequest("MESSAGE_TOO_LONG")
	}
	open, known := s.presses.Load(c.params.Callback)
	if !known {
		return tooOld
	}
	return open.(*press).answer(Notice{Text: c.params.Text, Alert: c.params.Alert.v})
}

// The largest files that getFile gives out and that sendDocument takes
// (core.telegram.org/bots/api#getfile, #sending-files).
const (
	maxDownload = 20 << 20
	maxUpload   = 50 << 20
)

// actions are what a bot may be said to do
// (core.telegram.org/bots/api#sendchataction).
var actions = map[string]bool{
	"typing": true, "upload_photo": true, "record_video": true, "upload_video": true, "record_voice": true, "upload_voice": true,
	"upload_document": true, "choose_sticker": true, "find_location": true, "record_video_note": true, "upload_video_note": true,
}

func (s *Server) getFile(c *call) reply {
	f, known := s.files.Load(c.params.FileID)
	switch {
	case !known:
		return badRequest("wrong file_id or the file is temporarily unavailable")
	case len(f.(*File).Data) > maxDownload:
		return badRequest("file is too big")
	}
	return result(map[string]any{
		"file_id": c.params.FileID, "file_size": len(f.(*File).Data), "file_path": "documents/" + c.params.FileID,
	})
}

func (s *Server) serveFile(w http.ResponseWriter, path string) {
	id, ok := strings.CutPrefix(path, s.opts.Token+"/documents/")
	f, known := s.files.Load(id)
	if !ok || !known {
		http.NotFound(w, nil)
		return
	}
	_, _ = w.Write(f.(*File).Data)
}
