package slack_test

import (
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"talaria/adapters/adaptertest"
	"talaria/adapters/slack"

	"github.com/gorilla/websocket"
)

// watched is a connection that tells until when it is read.
type watched struct {
	net.Conn
	until *atomic.Pointer[time.Time]
}

func (w watched) SetReadDeadline(t time.Time) error {
	w.until.Store(&t)
	return w.Conn.SetReadDeadline(t)
}

func TestASocketThatFallsSilentIsNotReadForEver(t *testing.T) {
	var until atomic.Pointer[time.Time]
	dialer := &websocket.Dialer{NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		return watched{conn, &until}, err
	}}
	r := newRig(t, setup{config: func(c *slack.Config) { c.Dialer = dialer }})
	h := adaptertest.NewRecorder()
	r.Start(h)
	for n := range 2 {
		r.Server.Say(ada, r.Server.Direct(ada), "hi")
		h.Events(r.Ctx, t, n+1)
		if at := until.Load(); at == nil || at.IsZero() {
			t.Errorf("after %d messages there is no end to the waiting for another: %v", n+1, at)
		}
	}
}
