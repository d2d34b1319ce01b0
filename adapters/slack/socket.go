package slack

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

const (
	// silence is how long nothing may come over a socket, which Slack pings
	// every ten to thirty seconds, before it counts as dead.
	silence = 75 * time.Second
	// greeting bounds the wait for the first word of a new socket.
	greeting = 10 * time.Second
	// writeTime bounds the writing of an acknowledgement.
	writeTime = 5 * time.Second
	// maxFrame bounds what is read at once.
	maxFrame = 4 << 20
)

// socket is one connection of Socket Mode.
type socket struct {
	ws      *websocket.Conn
	leaving chan struct{} // closed once it has to be replaced
	leave   func()
	deaf    atomic.Bool // nothing is read any more
	told    bool        // Slack asked for it; read once leaving is closed
	opened  time.Time
	others  int // sockets of the app that were open before it

	writing sync.Mutex
	pending sync.WaitGroup // envelopes that are not done with
}

func newSocket(ws *websocket.Conn) *socket {
	c := &socket{ws: ws, leaving: make(chan struct{}), opened: time.Now()}
	c.leave = sync.OnceFunc(func() { close(c.leaving) })
	return c
}

// frame is what comes over a socket
// (docs.slack.dev/apis/events-api/using-socket-mode).
type frame struct {
	Type       string `json:"type"`
	EnvelopeID string `json:"envelope_id"`
	Reason     string `json:"reason"`
	Open       int    `json:"num_connections"` // of a hello: the app's sockets, this one among them
}

// greet waits for Slack's hello.
func (c *socket) greet() error {
	c.ws.SetReadLimit(maxFrame)
	_ = c.ws.SetReadDeadline(time.Now().Add(greeting))
	_, data, err := c.ws.ReadMessage()
	if err != nil {
		return fmt.Errorf("wait for hello: %w", err)
	}
	var f frame
	if !read(data, &f) || f.Type != "hello" {
		return fmt.Errorf("the first message is %q and not hello", f.Type)
	}
	c.others = f.Open - 1
	return nil
}

// serve reads until the socket ends, ctx does or it is stopped, and then waits
// for what is under way, which can still be acknowledged.
func (c *socket) serve(ctx context.Context, take func(context.Context, json.RawMessage, func(error))) error {
	defer c.ws.Close()
	defer c.pending.Wait()
	defer c.leave()
	defer c.deaf.Store(true)
	defer context.AfterFunc(ctx, func() { c.stop(0) })()
	_ = c.ws.SetReadDeadline(time.Now().Add(silence))
	c.ws.SetPingHandler(func(data string) error {
		c.alive(ctx)
		c.writing.Lock()
		defer c.writing.Unlock()
		return c.ws.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(writeTime))
	})
	for {
		_, data, err := c.ws.ReadMessage()
		if err != nil {
			return err
		}
		c.alive(ctx)
		c.receive(ctx, data, take)
	}
}

// alive puts the deadline off, unless the socket is to end.
func (c *socket) alive(ctx context.Context) {
	if c.isLeaving() {
		return
	}
	_ = c.ws.SetReadDeadline(time.Now().Add(silence))
	if ctx.Err() != nil {
		c.stop(0) // it may have been stopped just before
	}
}

func (c *socket) ended() bool { return c.deaf.Load() }

func (c *socket) isLeaving() bool {
	select {
	case <-c.leaving:
		return true
	default:
		return false
	}
}

// stop ends the reading after a while.
func (c *socket) stop(after time.Duration) {
	_ = c.ws.NetConn().SetReadDeadline(time.Now().Add(after))
}

func (c *socket) receive(ctx context.Context, data []byte, take func(context.Context, json.RawMessage, func(error))) {
	var f frame
	switch {
	case !read(data, &f):
	case f.Type == "disconnect" && !c.isLeaving(): // a warning comes first, then the request
		c.told = f.Reason != "too_many_websockets"
		c.leave()
	case f.EnvelopeID != "": // without one it can't be acknowledged and would come for ever
		c.pending.Add(1)
		take(ctx, data, func(err error) {
			defer c.pending.Done()
			if err == nil {
				c.acknowledge(f.EnvelopeID)
			}
		})
	}
}

// acknowledge tells Slack that the envelope is kept. If that fails, it comes
// again and is found to be known.
func (c *socket) acknowledge(envelope string) {
	data, _ := json.Marshal(map[string]string{"envelope_id": envelope})
	c.writing.Lock()
	defer c.writing.Unlock()
	_ = c.ws.SetWriteDeadline(time.Now().Add(writeTime))
	_ = c.ws.WriteMessage(websocket.TextMessage, data)
}
