package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"talaria/core/sleep"
)

const (
	// greeting bounds the wait for each of HELLO and READY or RESUMED.
	greeting = 30 * time.Second
	// writeTimeout bounds the sending of one payload.
	writeTimeout = 10 * time.Second
)

// connection is one connection to the gateway. All its state is new each time:
// an acknowledgement missed on the last one counts for nothing.
type connection struct {
	*gateway
	attempt int // in a row
	conn    *websocket.Conn
	up      bool        // READY or RESUMED was seen
	writing sync.Mutex  // held while a payload is sent
	acked   atomic.Bool // the last heartbeat was
}

var (
	errSilent = errors.New("a heartbeat was not acknowledged")
	errFull   = errors.New("too many events wait to be kept")
)

// live connects, receives until the connection ends, and returns why. What was
// received is worked on under ctx, which outlives the connection.
func (c *connection) live(ctx context.Context) error {
	conn, err := c.dial(ctx, c.attempt)
	if err != nil {
		return err
	}
	c.conn = conn
	alive, cancel := context.WithCancelCause(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel(nil)
	running.Go(func() {
		<-alive.Done()
		c.hangUp()
	})
	interval, err := c.hello()
	if err != nil {
		return err
	}
	if err := c.introduce(); err != nil {
		return err
	}
	running.Go(func() { c.beat(alive, interval, cancel) })
	err = c.receive(ctx)
	if errors.Is(context.Cause(alive), errSilent) {
		return errSilent
	}
	return err
}

// hangUp ends the connection and leaves the session to be resumed.
func (c *connection) hangUp() {
	bye := websocket.FormatCloseMessage(closeResumable, "")
	_ = c.conn.WriteControl(websocket.CloseMessage, bye, time.Now().Add(time.Second))
	_ = c.conn.Close()
}

// hello waits for the gateway's first word, which says how often to send
// heartbeats.
func (c *connection) hello() (time.Duration, error) {
	_ = c.conn.SetReadDeadline(time.Now().Add(c.timing.greeting))
	d, err := c.next()
	if err != nil {
		return 0, fmt.Errorf("wait for the gateway's hello: %w", err)
	}
	var hello struct {
		Interval int64 `json:"heartbeat_interval"` // milliseconds
	}
	if d.Op != opHello || json.Unmarshal(d.Data, &hello) != nil || hello.Interval <= 0 {
		return 0, errors.New("the gateway does not begin with a hello")
	}
	return time.Duration(hello.Interval) * time.Millisecond, nil
}

// introduce resumes the session that there is, or begins one.
func (c *connection) introduce() error {
	_ = c.conn.SetReadDeadline(time.Now().Add(c.timing.greeting))
	if s, ok := c.session.resumable(); ok {
		return c.write(opResume, c.resume(s))
	}
	return c.write(opIdentify, c.identify())
}

func (c *connection) write(op int, data any) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_ = c.conn.SetWriteDeadline(time.Now().Add(writeTimeout))
	if err := c.conn.WriteJSON(map[string]any{"op": op, "d": data}); err != nil {
		return fmt.Errorf("write to the gateway: %w", c.client.redact(err))
	}
	return nil
}

// heartbeat tells the number up to which everything is kept, not the last one
// taken: nothing may be forgotten that is still being kept.
func (c *connection) heartbeat() error {
	if seq := c.session.kept(); seq > 0 {
		return c.write(opHeartbeat, seq)
	}
	return c.write(opHeartbeat, nil)
}

// beat sends heartbeats, and gives the connection up when one was not
// acknowledged by the time of the next.
func (c *connection) beat(ctx context.Context, interval time.Duration, giveUp context.CancelCauseFunc) {
	c.acked.Store(true)
	pause := rand.N(interval) // the first one at random, so that not all bots beat at once
	for sleep.For(ctx, pause) {
		if !c.acked.Swap(false) {
			giveUp(errSilent)
			return
		}
		if err := c.heartbeat(); err != nil {
			giveUp(err)
			return
		}
		pause = interval
	}
}

func (c *connection) next() (dispatch, error) {
	var d dispatch
	_, data, err := c.conn.ReadMessage()
	if err != nil {
		return d, ended(err)
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return d, errors.New("the gateway sends what is no JSON")
	}
	return d, nil
}

func (c *connection) receive(ctx context.Context) error {
	for {
		d, err := c.next()
		if err != nil {
			return err
		}
		switch d.Op {
		case opDispatch:
			err = c.dispatch(ctx, d)
		case opHeartbeat:
			err = c.heartbeat()
		case opHeartbeatAck:
			c.acked.Store(true)
		case opReconnect:
			return errors.New("the gateway asks to connect anew")
		case opInvalidSession:
			return invalid(d.Data)
		}
		if err != nil {
			return err
		}
	}
}

// invalid tells a session that is over from one that is only not there now.
func invalid(data json.RawMessage) error {
	var resumable bool
	if json.Unmarshal(data, &resumable) == nil && resumable {
		return errResumeLater
	}
	return errInvalidSession
}

// dispatch deals with one dispatch. Those of the session itself come first;
// all have a number, and none is handed over twice.
func (c *connection) dispatch(ctx context.Context, d dispatch) error {
	switch d.Type {
	case "READY":
		r, err := readReady(d.Data)
		if err != nil {
			return err
		}
		c.connected("resumed", false)
		c.session.begin(r.Session, r.Resume, d.Seq)
		c.intake.catchUp(ctx, c.session.behind())
		return nil
	case "RESUMED":
		c.connected("resumed", true)
	}
	if c.session.waiting() >= c.timing.open {
		return errFull
	}
	if !c.session.take(d.Seq) {
		return nil
	}
	s, _ := c.session.resumable()
	c.intake.take(ctx, d, func() { c.session.settle(s.Session, d.Seq) })
	return nil
}

func (c *connection) connected(key string, value any) {
	c.up = true
	c.link.Up()
	_ = c.conn.SetReadDeadline(time.Time{}) // from now on heartbeats tell whether it lives
	c.log.Info("connected to the gateway", "platform", Platform, key, value)
}
