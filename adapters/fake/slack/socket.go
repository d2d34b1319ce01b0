package slack

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// maxSockets is how many sockets an app may have
// (docs.slack.dev/apis/events-api/using-socket-mode#connections).
const maxSockets = 10

// socket is one connection of Socket Mode.
type socket struct {
	ws      *websocket.Conn
	leaving bool // asked to go: gets nothing new
	writing sync.Mutex
}

func (c *socket) send(data []byte) {
	c.writing.Lock()
	defer c.writing.Unlock()
	_ = c.ws.SetWriteDeadline(time.Now().Add(5 * time.Second))
	_ = c.ws.WriteMessage(websocket.TextMessage, data)
}

func (c *socket) sendJSON(v map[string]any) {
	data, _ := json.Marshal(v)
	c.send(data)
}

// openConnection is apps.connections.open: an address with a ticket that is
// good once.
func (s *Server) openConnection(*call) reply {
	ticket := s.next("ticket-")
	s.tickets[ticket] = true
	return ok(map[string]any{"url": "ws://" + s.Address() + "/socket/" + ticket})
}

// upgrade takes any Origin: slack-go sends that of Slack's site.
var upgrade = websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}

func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request, ticket string) {
	s.mu.Lock()
	valid := s.tickets[ticket] && s.Ending().Err() == nil
	delete(s.tickets, ticket)
	leave := func() {}
	if valid {
		leave = s.Enter() // not later: Close may be waiting by then
	}
	s.mu.Unlock()
	if !valid {
		http.Error(w, "the ticket is not valid", http.StatusForbidden)
		return
	}
	defer leave()
	ws, err := upgrade.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer ws.Close()
	c := &socket{ws: ws}
	if !s.welcome(c) {
		return
	}
	s.hear(c)
	s.mu.Lock()
	s.sockets = slices.DeleteFunc(s.sockets, func(o *socket) bool { return o == c })
	s.lost(c)
	s.mu.Unlock()
	s.Raise()
}

// welcome greets a socket, or sends it away where there are too many.
func (s *Server) welcome(c *socket) bool {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	switch {
	case s.Ending().Err() != nil:
		return false
	case len(s.sockets) >= maxSockets:
		c.sendJSON(map[string]any{"type": "disconnect", "reason": "too_many_websockets"})
		return false
	}
	s.opened++
	c.sendJSON(map[string]any{
		"type": "hello", "num_connections": len(s.sockets) + 1, "connection_info": map[string]any{"app_id": App},
		"debug_info": map[string]any{"approximate_connection_time": 3600},
	})
	s.sockets = append(s.sockets, c)
	s.most = max(s.most, len(s.sockets))
	s.release()
	return true
}

// hear takes acknowledgements until the socket ends.
func (s *Server) hear(c *socket) {
	for {
		_, data, err := c.ws.ReadMessage()
		if err != nil {
			return
		}
		var ack struct {
			ID string `json:"envelope_id"`
		}
		if json.Unmarshal(data, &ack) != nil {
			continue
		}
		s.mu.Lock()
		s.acknowledge(ack.ID)
		s.mu.Unlock()
		s.Raise()
	}
}

// Refresh asks all sockets to be replaced, as Slack does every few hours:
// first a warning, then a request, after which they get nothing new.
func (s *Server) Refresh() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.sockets {
		c.sendJSON(map[string]any{"type": "disconnect", "reason": "warning"})
		c.sendJSON(map[string]any{"type": "disconnect", "reason": "refresh_requested"})
		c.leaving = true
	}
}

// Disconnect cuts all sockets without a word.
func (s *Server) Disconnect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.sockets {
		_ = c.ws.Close()
	}
}

// WriteRaw writes any message to all sockets.
func (s *Server) WriteRaw(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.sockets {
		c.send([]byte(message))
	}
}
