package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"talaria/adapters/retry"
	"talaria/core/chat"
	"talaria/core/sleep"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// gateway keeps a connection to the gateway. The library's own ignores where
// to resume, can't take a session over, reconnects for ever after a refusal,
// and confirms dispatches before they are kept.
type gateway struct {
	client  *client
	session *session
	intake  *intake
	timing  timing
	intents discordgo.Intent
	link    *retry.Link
	log     *slog.Logger
}

// run stays connected until ctx ends. An error means that a person has to help.
func (g *gateway) run(ctx context.Context) error {
	for attempt := 0; ctx.Err() == nil; {
		attempt++
		c := &connection{gateway: g, attempt: attempt}
		err := c.live(ctx)
		if ctx.Err() != nil {
			break
		}
		if help, ok := errors.AsType[retry.Help](err); ok {
			return help
		}
		if c.up {
			attempt = 1
		}
		g.link.Down(err)
		pause := g.timing.pause(attempt)
		if e, ok := errors.AsType[*chat.Error](err); ok {
			if e.Kind == chat.NotAllowed {
				return fmt.Errorf("%s: %w", refusedToken, err)
			}
			pause = max(pause, e.RetryAfter)
		}
		if errors.Is(err, errInvalidSession) {
			g.session.drop()
		}
		if errors.Is(err, errInvalidSession) || errors.Is(err, errResumeLater) {
			pause = g.timing.identify()
		}
		if attempt == 1 || attempt%20 == 0 { // the link tells of those that stay away
			g.log.Info("gateway connection ended", "platform", Platform, "attempt", attempt, "pause", pause, "err", err)
		}
		for sleep.For(ctx, pause) && g.session.waiting() >= g.timing.open {
			pause = g.timing.pause(attempt)
		}
	}
	return nil
}

// resumeAttempts is how often the address to resume at is tried before asking
// for another: its server may be gone.
const resumeAttempts = 3

// address is where to connect: where the session is to be resumed, or where
// Discord says that a new one begins.
func (g *gateway) address(ctx context.Context, attempt int) (string, error) {
	base := ""
	if s, ok := g.session.resumable(); ok && attempt <= resumeAttempts {
		base = s.Resume
	}
	if base == "" {
		info, err := g.info(ctx)
		if err != nil {
			return "", err
		}
		if info.Limit.Total > 0 && info.Limit.Remaining == 0 {
			after := time.Duration(info.Limit.Reset) * time.Millisecond
			return "", &chat.Error{Kind: chat.RateLimited, Op: "identify", Whole: true, RetryAfter: min(after, maxWait),
				Err: errors.New("no sessions are left for today")}
		}
		base = info.URL
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return "", errors.New("the gateway's address can't be read")
	}
	u.RawQuery = url.Values{"v": {discordgo.APIVersion}, "encoding": {"json"}}.Encode()
	if u.Path == "" {
		u.Path = "/"
	}
	return u.String(), nil
}

// gatewayInfo is what Discord says of connecting
// (discord.com/developers/docs/events/gateway#get-gateway-bot).
type gatewayInfo struct {
	URL   string `json:"url"`
	Limit struct {
		Total     int   `json:"total"`
		Remaining int   `json:"remaining"`
		Reset     int64 `json:"reset_after"` // milliseconds
	} `json:"session_start_limit"`
}

func (g *gateway) info(ctx context.Context) (i gatewayInfo, err error) {
	err = g.client.call(ctx, request{op: "getGatewayBot", method: http.MethodGet, url: discordgo.EndpointGatewayBot}, &i)
	return i, err
}

// The time that a server gets, and the size of what it may say: the list of a
// large server's channels comes as one payload.
const (
	dialTimeout = 15 * time.Second
	maxFrame    = 64 << 20
)

// dial connects, with a deadline on everything: a server that accepts and
// keeps silent would hold the bot for ever.
func (g *gateway) dial(ctx context.Context, attempt int) (*websocket.Conn, error) {
	address, err := g.address(ctx, attempt)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	d := websocket.Dialer{
		Proxy: http.ProxyFromEnvironment, HandshakeTimeout: dialTimeout,
		NetDialContext: (&net.Dialer{Timeout: dialTimeout}).DialContext,
	}
	conn, resp, err := d.DialContext(ctx, address, nil)
	if resp != nil {
		resp.Body.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("connect to the gateway: %w", g.client.redact(err))
	}
	conn.SetReadLimit(maxFrame)
	return conn, nil
}

// The operations
// (discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-opcodes).
const (
	opDispatch       = 0
	opHeartbeat      = 1
	opIdentify       = 2
	opResume         = 6
	opReconnect      = 7
	opInvalidSession = 9
	opHello          = 10
	opHeartbeatAck   = 11
)

// closeResumable ends a connection so that its session can be resumed: 1000
// and 1001 would end it.
const closeResumable = 4000

var (
	// errInvalidSession says that a new session has to begin.
	errInvalidSession = errors.New("the session can't be resumed")
	// errResumeLater says that the session is there but can't be resumed now.
	errResumeLater = errors.New("the gateway asks to resume later")
)

// fatal are the close codes that would come again and again, with the remedy
// (discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes).
var fatal = map[int]string{
	4004: refusedToken,
	4010: "the gateway refuses the shard",
	4011: "the bot is in too many servers for one connection",
	4012: "the gateway no longer speaks this version; update talaria",
	4013: "the gateway refuses the intents as invalid; update talaria",
	4014: "the bot lacks an intent; turn on Message Content Intent in the developer portal under Bot",
}

// forgetful are the close codes after which the session can't be resumed.
var forgetful = map[int]bool{4007: true, 4009: true}

// ended says what the end of a connection means.
func ended(err error) error {
	e, ok := errors.AsType[*websocket.CloseError](err)
	switch {
	case !ok:
		return err
	case fatal[e.Code] != "":
		return retry.NeedHelp(fmt.Errorf("%s (gateway close code %d)", fatal[e.Code], e.Code))
	case forgetful[e.Code]:
		return fmt.Errorf("gateway close code %d: %w", e.Code, errInvalidSession)
	}
	return fmt.Errorf("gateway close code %d", e.Code)
}

// newSessionPause is waited after a session was refused: one to five seconds, at
// random (discord.com/developers/docs/events/gateway#resuming).
func newSessionPause() time.Duration { return time.Second + rand.N(4*time.Second) }

// identify is the payload that begins a session.
func (g *gateway) identify() any {
	properties := map[string]string{"os": "linux", "browser": "talaria", "device": "talaria"}
	return map[string]any{
		"token": g.client.token, "intents": g.intents, "compress": false, "large_threshold": 50, "properties": properties,
	}
}

// resume is the payload that goes on with one.
func (g *gateway) resume(s state) any {
	return map[string]any{"token": g.client.token, "session_id": s.Session, "seq": s.Seq}
}

// ready is what READY tells.
type ready struct {
	Session string `json:"session_id"`
	Resume  string `json:"resume_gateway_url"`
	User    user   `json:"user"`
}

func readReady(data json.RawMessage) (ready, error) {
	var r ready
	if err := json.Unmarshal(data, &r); err != nil || r.Session == "" {
		return r, errors.New("the gateway's READY can't be read")
	}
	if u, err := url.Parse(r.Resume); err != nil || !strings.HasPrefix(u.Scheme, "ws") {
		r.Resume = ""
	}
	return r, nil
}
