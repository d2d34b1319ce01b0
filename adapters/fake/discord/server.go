package discord

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"talaria/adapters/fake/sim"
)

// The bot that the simulator serves.
const (
	BotID   = "1200000000000000001"
	BotName = "simulated_bot"
	BotRole = "1200000000000000077" // its own role in every server
)

// apiPath is where the REST API lies.
const apiPath = "/api/v9"

// Options set up a Server. The zero value enforces everything.
type Options struct {
	Token       string        // empty: one of the bot's own
	NoRates     bool          // no rate limits
	NoContent   bool          // the intent to read messages is not granted
	Heartbeat   time.Duration // interval; zero: 41.25 s
	SessionLife time.Duration // of one without a connection; zero: 2 min
	NonceLife   time.Duration // zero: 2 min
	AnswerTime  time.Duration // for the first response to an interaction; zero: 3 s
	TokenLife   time.Duration // of an interaction; zero: 15 min
	EchoNonce   bool          // tell nonces when messages are read back
	// Shown is called with every message of the bot's as it is sent or edited,
	// while the server is locked. It must return at once. May be nil.
	Shown func(Message)
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		is    *time.Duration
		usual time.Duration
	}{
		{&o.Heartbeat, 41250 * time.Millisecond}, {&o.SessionLife, 2 * time.Minute}, {&o.NonceLife, 2 * time.Minute},
		{&o.AnswerTime, 3 * time.Second}, {&o.TokenLife, 15 * time.Minute},
	} {
		if *d.is == 0 {
			*d.is = d.usual
		}
	}
	if o.Token == "" {
		o.Token = "SIMULATED.token.of-no-value"
	}
	if o.Shown == nil {
		o.Shown = func(Message) {}
	}
	return o
}

// Server is one simulated bot account and the people and servers around it.
type Server struct {
	*sim.Host
	sim.Log[Refusal]
	sim.Signal

	opts   Options
	faults sim.Faults[Fault]

	mu           sync.Mutex
	nextID       int64
	guilds       map[string]*guild
	channels     map[string]*place
	sessions     map[string]*session
	connections  map[*connection]bool
	interactions map[string]*interaction // by token
	nonces       map[string]nonce
	commands     json.RawMessage
	gateway      gatewayState
	rates        rates
	repeated     int // messages recognised by their nonce
}

// New starts a server that is closed when the test ends. The test fails if
// there was a breach.
func New(t testing.TB, opts Options) *Server {
	t.Helper()
	s, err := Start(opts)
	return sim.Attend(t, s, err)
}

// Start starts a server outside of a test. The caller closes it.
func Start(opts Options) (*Server, error) {
	host, err := sim.Listen("Discord")
	if err != nil {
		return nil, err
	}
	s := &Server{
		opts: opts.withDefaults(), Host: host, nextID: 1_300_000_000_000_000_000,
		guilds: map[string]*guild{}, channels: map[string]*place{}, sessions: map[string]*session{},
		connections: map[*connection]bool{}, interactions: map[string]*interaction{}, nonces: map[string]nonce{},
		commands: json.RawMessage("[]"), rates: rates{buckets: map[string]*bucket{}},
	}
	s.Serve(s.routes())
	return s, nil
}

// Close ends all connections and waits for everything that runs.
func (s *Server) Close() {
	s.Host.Close(s.Drop)
}

// URL is the address to be used in place of https://discord.com.
func (s *Server) URL() string { return "http://" + s.Address() }

// Token is the bot's token.
func (s *Server) Token() string { return s.opts.Token }

// id makes a snowflake. The lock is held.
func (s *Server) id() string {
	s.nextID += 1 << 22 // a millisecond
	return strconv.FormatInt(s.nextID, 10)
}

// call is one call with its parameters.
type call struct {
	*http.Request
	op      string
	channel string
	body    body
}

// reply is what a call is answered with.
type reply struct {
	status int
	value  any // nil: no content
	header http.Header
}

func ok(v any) reply { return reply{status: http.StatusOK, value: v} }

func refuse(status, code int, text string) reply {
	return reply{status: status, value: map[string]any{"code": code, "message": text}}
}

func invalidForm(why string) reply {
	return refuse(http.StatusBadRequest, 50035, "Invalid Form Body: "+why)
}

// routes are the calls that are simulated.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	for pattern, method := range map[string]struct {
		op     string
		serve  func(*Server, *call) reply
		public bool // the token is in the path
	}{
		"GET /gateway":                                      {"getGateway", (*Server).getGatewayBot, true},
		"GET /gateway/bot":                                  {"getGatewayBot", (*Server).getGatewayBot, false},
		"GET /users/@me":                                    {"getCurrentUser", (*Server).getCurrentUser, false},
		"POST /users/@me/channels":                          {"createDM", (*Server).createDM, false},
		"GET /applications/@me":                             {"getCurrentApplication", (*Server).getCurrentApplication, false},
		"GET /applications/{app}/commands":                  {"getCommands", (*Server).getCommands, false},
		"PUT /applications/{app}/commands":                  {"putCommands", (*Server).putCommands, false},
		"GET /channels/{channel}":                           {"getChannel", (*Server).getChannel, false},
		"GET /channels/{channel}/messages":                  {"getMessages", (*Server).getMessages, false},
		"POST /channels/{channel}/messages":                 {"createMessage", (*Server).createMessage, false},
		"GET /channels/{channel}/messages/{message}":        {"getMessage", (*Server).getMessage, false},
		"PATCH /channels/{channel}/messages/{message}":      {"editMessage", (*Server).editMessage, false},
		"DELETE /channels/{channel}/messages/{message}":     {"deleteMessage", (*Server).deleteMessage, false},
		"POST /channels/{channel}/typing":                   {"triggerTyping", (*Server).triggerTyping, false},
		"GET /guilds/{guild}/members/{user}":                {"getGuildMember", (*Server).getGuildMember, false},
		"GET /guilds/{guild}":                               {"getGuild", (*Server).getGuild, false},
		"GET /channels/{channel}/thread-members/{user}":     {"getThreadMember", (*Server).getThreadMember, false},
		"GET /guilds/{guild}/roles":                         {"getGuildRoles", (*Server).getGuildRoles, false},
		"GET /guilds/{guild}/threads/active":                {"listActiveThreads", (*Server).listActiveThreads, false},
		"POST /interactions/{id}/{token}/callback":          {"createInteractionResponse", (*Server).createResponse, true},
		"POST /webhooks/{app}/{token}":                      {"createFollowup", (*Server).createFollowup, true},
		"GET /webhooks/{app}/{token}/messages/{message}":    {"getInteractionResponse", (*Server).getAnswer, true},
		"PATCH /webhooks/{app}/{token}/messages/{message}":  {"editInteractionResponse", (*Server).editAnswer, true},
		"DELETE /webhooks/{app}/{token}/messages/{message}": {"deleteInteractionResponse", (*Server).deleteAnswer, true},
	} {
		verb, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(verb+" "+apiPath+path, func(w http.ResponseWriter, r *http.Request) {
			s.serve(w, &call{Request: r, op: method.op, channel: r.PathValue("channel")}, method.public, method.serve)
		})
	}
	mux.HandleFunc("GET /attachments/{channel}/{id}/{name}", s.serveFile)
	mux.HandleFunc("GET /gateway", s.serveGateway)
	mux.HandleFunc("GET /gateway/{$}", s.serveGateway) // clients differ in the slash
	mux.HandleFunc("GET "+resumePath, s.serveGateway)
	return mux
}

// maxRequest is more than the largest form.
const maxRequest = 32 << 20

func (s *Server) serve(w http.ResponseWriter, c *call, public bool, method func(*Server, *call) reply) {
	c.Request.Body = http.MaxBytesReader(w, c.Request.Body, maxRequest)
	unread := c.body.read(c.Request)
	s.Called(c.op)
	fault := s.fault(c)
	s.Raise()
	if fault.before(c.Context(), w) {
		s.refused(c, fault.Status)
		return
	}
	if !public && c.Header.Get("Authorization") != "Bot "+s.opts.Token {
		s.answer(w, c, refuse(http.StatusUnauthorized, 0, "401: Unauthorized"))
		return
	}
	if unread != nil {
		s.answer(w, c, refuse(http.StatusBadRequest, 50109, "The request body contains invalid JSON."))
		return
	}
	s.mu.Lock()
	answer, limited := s.rates.take(s.opts, c)
	header := answer.header
	if !limited {
		answer = method(s, c)
		answer.header = header
	}
	s.mu.Unlock()
	if fault.after(w) {
		s.Raise()
		return
	}
	s.answer(w, c, answer)
}

func (s *Server) answer(w http.ResponseWriter, c *call, r reply) {
	s.refused(c, r.status)
	for name, values := range r.header {
		w.Header()[name] = values
	}
	if r.value == nil {
		w.WriteHeader(http.StatusNoContent)
	} else {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(r.status)
		_ = json.NewEncoder(w).Encode(r.value)
	}
	s.Raise()
}

func (s *Server) refused(c *call, status int) {
	if status < http.StatusBadRequest {
		return
	}
	s.Refused(Refusal{c.op, c.channel, status, time.Now()})
}

func (s *Server) getCurrentUser(*call) reply { return ok(person(BotID)) }

func (s *Server) getCurrentApplication(*call) reply {
	flags := 1 << 19
	if s.opts.NoContent {
		flags = 0
	}
	return ok(map[string]any{"id": BotID, "name": BotName, "flags": flags})
}
