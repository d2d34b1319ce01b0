package slack

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"talaria/adapters/retry"
	"talaria/core/chat"
	"talaria/core/sleep"

	"github.com/gorilla/websocket"
	"github.com/slack-go/slack"
)

// steady is how long a socket lives that is not a sign of trouble when it
// ends.
const steady = 10 * time.Second

// sockets keeps one socket open: the next is up before the one that Slack
// wants back is closed, since with none open deliveries would get lost.
type sockets struct {
	client     *client
	dialer     *websocket.Dialer
	take       func(context.Context, json.RawMessage, func(error))
	timing     timing
	pauseAfter func(error, int) time.Duration
	gap        func(context.Context) // called after a time with no socket open
	link       *retry.Link
	log        *slog.Logger
}

// run receives until ctx ends. An error means that a person has to help.
func (s *sockets) run(ctx context.Context) error {
	var serving sync.WaitGroup
	defer serving.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var old *socket
	for attempt := 1; ctx.Err() == nil; {
		c, err := s.open(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case chat.KindOf(err) == chat.NotAllowed:
			return fmt.Errorf("%s: %w", refusedToken, err)
		case err != nil:
			s.rest(ctx, err, attempt, old == nil || old.ended())
			attempt++
			continue
		}
		s.link.Up()
		if old == nil && c.others > 0 {
			s.log.Info("other processes have sockets of this app too; each gets a part of what is said, so all must share one store",
				"platform", Platform, "others", c.others)
		}
		if old == nil || old.ended() {
			serving.Go(func() { s.gap(ctx) })
		} else {
			old.stop(s.timing.drain)
		}
		serving.Go(func() { s.serve(ctx, c) })
		select {
		case <-c.leaving:
		case <-ctx.Done():
			return nil
		}
		if old = c; c.told || time.Since(c.opened) > steady {
			attempt = 1
			continue
		}
		sleep.For(ctx, s.timing.pause(attempt))
		attempt++
	}
	return nil
}

// rest waits after a failed attempt, which is told of where no socket is open.
func (s *sockets) rest(ctx context.Context, err error, attempt int, alone bool) {
	if alone {
		s.link.Down(err)
	}
	pause := s.pauseAfter(err, attempt)
	s.log.Debug("opening a socket failed", "platform", Platform, "attempt", attempt, "pause", pause, "err", err)
	sleep.For(ctx, pause)
}

func (s *sockets) serve(ctx context.Context, c *socket) {
	err := c.serve(ctx, s.take)
	if ctx.Err() == nil && !c.told {
		s.log.Info("socket ended", "platform", Platform, "err", s.client.redact(err))
	}
}

// open asks for an address, connects to it and waits for the greeting.
func (s *sockets) open(ctx context.Context) (*socket, error) {
	const op = "apps.connections.open"
	var address string
	_, err := s.client.call(ctx, op, func(ctx context.Context, api *slack.Client) (err error) {
		_, address, err = api.StartSocketModeContext(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	if !s.client.trusts(address) {
		return nil, &chat.Error{Kind: chat.Transient, Op: op, Err: errUntrusted}
	}
	dialer := s.dialer
	if dialer == nil {
		dialer = &websocket.Dialer{
			Proxy: http.ProxyFromEnvironment, HandshakeTimeout: greeting,
			NetDialContext: (&net.Dialer{Timeout: greeting, KeepAlive: 30 * time.Second}).DialContext,
		}
	}
	ws, resp, err := dialer.DialContext(ctx, address, nil)
	if resp != nil {
		resp.Body.Close()
	}
	if err != nil {
		return nil, &chat.Error{Kind: chat.Transient, Op: "socket", Err: s.client.redact(err)}
	}
	c := newSocket(ws)
	if err := c.greet(); err != nil {
		ws.Close()
		return nil, &chat.Error{Kind: chat.Transient, Op: "socket", Err: s.client.redact(err)}
	}
	return c, nil
}
