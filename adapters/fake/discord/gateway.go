package discord

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// gatewayState is what tests change about the gateway, and what it has seen.
type gatewayState struct {
	beats      int  // heartbeats that came
	mute       bool // heartbeats are not acknowledged
	silent     bool // connections are accepted and nothing is said
	left       int  // sessions that may still begin today; zero: 1000
	identifies int
	resumes    int
	closes     []int // codes that clients closed with
}

// session is a session of the gateway.
type session struct {
	id     string
	frames []frame
	acked  int64 // highest number that a heartbeat or RESUME named
	conn   *connection
	lost   time.Time // when it lost its connection
	over   bool
}

// frame is a dispatch that was given out.
type frame struct {
	Op   int             `json:"op"`
	Type string          `json:"t"`
	Seq  int64           `json:"s"`
	Data json.RawMessage `json:"d"`

	message string // that it tells of as new
}

// connection is one connection to the gateway.
type connection struct {
	server  *Server
	ws      *websocket.Conn
	session *session // nil until READY or RESUMED
	resumes bool     // it came to the address to resume at
	writing sync.Mutex
}

// resumePath is where sessions can be resumed, and only there.
const resumePath = "/resume-here"

// Codes that the gateway closes with
// (discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes).
const (
	badToken    = 4004
	badSequence = 4007
	lacksIntent = 4014
)

const messageContentIntent = 1 << 15

func (s *Server) getGatewayBot(*call) reply {
	left := s.gateway.left
	if left == 0 {
		left = 1000
	}
	return ok(map[string]any{
		"url": "ws://" + s.Address() + "/gateway", "shards": 1,
		"session_start_limit": map[string]any{"total": 1000, "remaining": max(left, 0), "reset_after": 3600000, "max_concurrency": 1},
	})
}

var upgrader = websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}

func (s *Server) serveGateway(w http.ResponseWriter, r *http.Request) {
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	c := &connection{server: s, ws: ws, resumes: r.URL.Path == resumePath}
	s.mu.Lock()
	s.connections[c] = true
	silent := s.gateway.silent
	s.mu.Unlock()
	s.Raise()
	defer c.gone()
	if !silent {
		c.write(map[string]any{"op": 10, "d": map[string]any{"heartbeat_interval": s.opts.Heartbeat.Milliseconds()}})
	}
	for {
		var f struct {
			Op   int             `json:"op"`
			Data json.RawMessage `json:"d"`
		}
		if err := ws.ReadJSON(&f); err != nil {
			c.closed(err)
			return
		}
		if !c.take(f.Op, f.Data) {
			return
		}
		s.Raise()
	}
}

// closed notes how the client ended the connection. With 1000 or 1001 it ends
// the session too.
func (c *connection) closed(err error) {
	s := c.server
	s.mu.Lock()
	defer s.mu.Unlock()
	e, _ := err.(*websocket.CloseError)
	if e == nil || e.Code == websocket.CloseAbnormalClosure {
		return
	}
	s.gateway.closes = append(s.gateway.closes, e.Code)
	if c.session != nil && (e.Code == websocket.CloseNormalClosure || e.Code == websocket.CloseGoingAway) {
		c.session.over = true
	}
}

// gone is called once for each connection, when it has ended.
func (c *connection) gone() {
	_ = c.ws.Close()
	s := c.server
	s.mu.Lock()
	delete(s.connections, c)
	if c.session != nil && c.session.conn == c {
		c.session.conn, c.session.lost = nil, time.Now()
	}
	s.mu.Unlock()
	s.Raise()
}

func (c *connection) write(v any) {
	c.writing.Lock()
	defer c.writing.Unlock()
	_ = c.ws.SetWriteDeadline(time.Now().Add(5 * time.Second))
	_ = c.ws.WriteJSON(v)
}

func (c *connection) close(code int) {
	_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(time.Second))
	_ = c.ws.Close()
}

// take deals with one payload, and reports whether the connection goes on.
func (c *connection) take(op int, data json.RawMessage) bool {
	switch op {
	case 1:
		c.heartbeat(data)
		return true
	case 2:
		return c.identify(data)
	case 6:
		return c.resume(data)
	}
	c.close(4001)
	return false
}

func (c *connection) heartbeat(data json.RawMessage) {
	var seq *int64
	_ = json.Unmarshal(data, &seq)
	s := c.server
	s.mu.Lock()
	s.gateway.beats++
	if c.session != nil && seq != nil {
		c.session.acked = max(c.session.acked, *seq)
	}
	mute := s.gateway.mute
	s.mu.Unlock()
	if !mute {
		c.write(map[string]any{"op": 11})
	}
}

func (c *connection) identify(data json.RawMessage) bool {
	var d struct {
		Token   string `json:"token"`
		Intents int    `json:"intents"`
	}
	s := c.server
	_ = json.Unmarshal(data, &d)
	switch {
	case strings.TrimPrefix(d.Token, "Bot ") != s.opts.Token:
		c.close(badToken)
		return false
	case d.Intents&messageContentIntent != 0 && s.opts.NoContent:
		c.close(lacksIntent)
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gateway.identifies++
	c.session = &session{id: "session-" + s.id(), conn: c}
	s.sessions[c.session.id] = c.session
	var guilds []any
	for id := range s.guilds {
		guilds = append(guilds, map[string]any{"id": id, "unavailable": true})
	}
	c.session.dispatch("READY", map[string]any{
		"v": 9, "user": person(BotID), "guilds": guilds, "session_id": c.session.id,
		"resume_gateway_url": "ws://" + s.Address() + resumePath, "application": map[string]any{"id": BotID, "flags": 1 << 19},
	})
	for _, g := range s.guilds {
		c.session.dispatch("GUILD_CREATE", s.describe(g))
	}
	return true
}

// describe is what GUILD_CREATE tells of a server. The lock is held.
func (s *Server) describe(g *guild) map[string]any {
	channels, threads := []any{}, []any{}
	for _, p := range s.channels {
		switch {
		case p.guild != g.id:
		case p.kind == threadKind || p.kind == closedKind:
			threads = append(threads, p.wire())
		default:
			channels = append(channels, p.wire())
		}
	}
	return map[string]any{"id": g.id, "name": "Server", "channels": channels, "threads": threads, "roles": g.roles()}
}

func (c *connection) resume(data json.RawMessage) bool {
	var d struct {
		Token   string `json:"token"`
		Session string `json:"session_id"`
		Seq     *int64 `json:"seq"`
	}
	s := c.server
	if json.Unmarshal(data, &d) != nil || d.Seq == nil || strings.TrimPrefix(d.Token, "Bot ") != s.opts.Token {
		c.close(badToken)
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.sessions[d.Session]
	switch {
	case !c.resumes || n == nil || n.over || n.conn == nil && time.Since(n.lost) > s.opts.SessionLife:
		go c.write(map[string]any{"op": 9, "d": false})
		return true
	case *d.Seq > int64(len(n.frames)):
		go c.close(badSequence)
		return true
	}
	if n.conn != nil && n.conn != c {
		go n.conn.close(4000)
	}
	s.gateway.resumes++
	n.conn, c.session = c, n
	n.acked = max(n.acked, *d.Seq)
	for _, f := range n.frames[*d.Seq:] {
		c.write(f)
	}
	n.dispatch("RESUMED", map[string]any{})
	return true
}

// dispatch gives the next number to something and tells it. The lock is held.
func (n *session) dispatch(kind string, data any) {
	raw, err := json.Marshal(data)
	if err != nil {
		panic(err) // of a test's own making
	}
	f := frame{Type: kind, Seq: int64(len(n.frames)) + 1, Data: raw}
	if w, is := data.(map[string]any); is && kind == "MESSAGE_CREATE" {
		f.message, _ = w["id"].(string)
	}
	n.frames = append(n.frames, f)
	if n.conn != nil {
		n.conn.write(f)
	}
}

// dispatch tells all sessions. The lock is held.
func (s *Server) dispatch(kind string, data any) {
	for _, n := range s.sessions {
		if !n.over && (n.conn != nil || time.Since(n.lost) <= s.opts.SessionLife) {
			n.dispatch(kind, data)
		}
	}
}
