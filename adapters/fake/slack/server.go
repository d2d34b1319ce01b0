package slack

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"talaria/adapters/fake/sim"
)

// The workspace and the app that the simulator serves.
const (
	Team    = "T0SIMULATED"
	App     = "A0SIMULATED"
	BotUser = "U0SIMULATED"
	Bot     = "B0SIMULATED"
)

// Options set up a Server. The zero value enforces everything.
type Options struct {
	BotToken      string // empty: one of the simulator's own
	AppToken      string
	SigningSecret string
	// Callback is where events are posted to; empty: they go to sockets.
	Callback string
	NoLimits bool          // no limits of rate
	Burst    int           // messages into one channel before the pace counts; zero: 3
	AckTime  time.Duration // before an event counts as not acknowledged; zero: 3 s
	Minute   time.Duration // what a minute of the schedule of retries takes; zero: 1 s
	// StreamLife is how long a stream stays open; zero: 5 minutes.
	StreamLife time.Duration
	Tries      int // how often an event is offered at most; zero: 4, negative: for ever
	// Ordered holds a channel's posts back until the one before is taken. Slack
	// promises no order; tests of it need one.
	Ordered bool
	Scopes  string // of the bot token, listed with commas; empty: all that the simulator knows of
	// Shown is called with every message of the bot's as it is sent or edited.
	// It must return at once. May be nil.
	Shown func(Message)
}

// allScopes are the scopes of a token that may do everything simulated.
const allScopes = "app_mentions:read,assistant:write,channels:history,channels:read,chat:write,commands,files:read,files:write," +
	"groups:history,groups:read,im:history,im:write,mpim:history,reactions:read,reactions:write,users:read"

// Server is one simulated workspace with one app in it.
type Server struct {
	*sim.Host
	sim.Log[Refusal]
	sim.Signal

	opts   Options
	faults sim.Faults[Fault]
	client *http.Client // posts to the callback

	mu         sync.Mutex
	clock      time.Time // of the newest ts
	serial     int
	people     map[string]*Person
	channels   map[string]*channel
	files      map[string]*file
	views      map[string]*View
	triggers   map[string]time.Time
	responses  map[string]*response
	homes      map[string]*Home
	assistants map[string]*Assistant // by thread
	statuses   []Status
	deliveries []*delivery
	byID       map[string]*delivery
	open       int         // deliveries that would still be offered
	idle       []*delivery // wait for a socket
	lanes      map[string][]*delivery
	sockets    []*socket
	tickets    map[string]bool
	turn       int                    // round robin over the sockets
	paces      map[string]*sim.Bucket // by method
	waits      int                    // calls refused with 429
	opened     int                    // sockets
	most       int                    // sockets open at once
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
	host, err := sim.Listen("Slack")
	if err != nil {
		return nil, err
	}
	s := &Server{
		opts: opts.withDefaults(), Host: host, people: map[string]*Person{}, channels: map[string]*channel{},
		files: map[string]*file{}, views: map[string]*View{}, triggers: map[string]time.Time{},
		homes: map[string]*Home{}, assistants: map[string]*Assistant{}, paces: map[string]*sim.Bucket{},
		responses: map[string]*response{}, lanes: map[string][]*delivery{}, byID: map[string]*delivery{}, tickets: map[string]bool{},
	}
	s.client = &http.Client{Timeout: s.opts.AckTime, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	s.people[BotUser] = &Person{ID: BotUser, Name: "simulated", Bot: true}
	s.Serve(s)
	return s, nil
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		value *string
		usual string
	}{
		{&o.BotToken, "xoxb-SIMULATED-bot-token"}, {&o.AppToken, "xapp-SIMULATED-app-token"},
		{&o.SigningSecret, "SIMULATED-signing-secret"}, {&o.Scopes, allScopes},
	} {
		if *d.value == "" {
			*d.value = d.usual
		}
	}
	if o.Burst == 0 {
		o.Burst = 3
	}
	if o.AckTime == 0 {
		o.AckTime = 3 * time.Second
	}
	if o.Minute == 0 {
		o.Minute = time.Second
	}
	if o.StreamLife == 0 {
		o.StreamLife = streamLife
	}
	if o.Tries == 0 {
		o.Tries = 4
	}
	if o.Shown == nil {
		o.Shown = func(Message) {}
	}
	return o
}

// Close ends all connections and waits for everything that runs.
func (s *Server) Close() {
	s.Host.Close(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, c := range s.sockets {
			_ = c.ws.Close()
		}
		for _, d := range s.deliveries {
			d.timer.stop()
		}
	})
	s.client.CloseIdleConnections()
}

// URL is the address to be used in place of https://slack.com/api/.
func (s *Server) URL() string { return "http://" + s.Address() + "/api/" }

// BotToken is what all methods but apps.connections.open want.
func (s *Server) BotToken() string { return s.opts.BotToken }

// AppToken is what apps.connections.open wants.
func (s *Server) AppToken() string { return s.opts.AppToken }

// SigningSecret is what the posts to the callback are signed with.
func (s *Server) SigningSecret() string { return s.opts.SigningSecret }

// ServeHTTP implements http.Handler: the methods below /api/, sockets, uploads,
// files and response_urls.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch head {
	case "api":
		s.serveMethod(w, r, rest)
	case "socket":
		s.serveSocket(w, r, rest)
	case "upload":
		s.serveUpload(w, r, rest)
	case "files":
		s.serveFile(w, r, rest)
	case "response":
		s.serveResponse(w, r, rest)
	default:
		http.NotFound(w, r)
	}
}

// call is one call with its parameters.
type call struct {
	method string
	token  string
	params map[string]string // values that are no text in JSON
}

// reply is what a method answers: fields, or a refusal.
type reply struct {
	fields     map[string]any
	refused    string
	needed     string // the scope that is missing
	retryAfter int
}

func refuse(why string) reply { return reply{refused: why} }

func ok(fields map[string]any) reply { return reply{fields: fields} }

// methods are the methods that are simulated. The lock is held in each.
var methods = map[string]func(*Server, *call) reply{
	"auth.test":                    (*Server).authTest,
	"apps.connections.open":        (*Server).openConnection,
	"chat.postMessage":             (*Server).postMessage,
	"chat.update":                  (*Server).updateMessage,
	"chat.delete":                  (*Server).deleteMessage,
	"chat.postEphemeral":           (*Server).postEphemeral,
	"conversations.info":           (*Server).conversationInfo,
	"conversations.members":        (*Server).conversationMembers,
	"conversations.open":           (*Server).openConversation,
	"conversations.history":        (*Server).history,
	"conversations.replies":        (*Server).replies,
	"users.info":                   (*Server).userInfo,
	"files.getUploadURLExternal":   (*Server).uploadURL,
	"files.completeUploadExternal": (*Server).completeUpload,
	"files.info":                   (*Server).fileInfo,
	"files.delete":                 (*Server).deleteFile,
	"views.open":                   (*Server).openView,
	"reactions.add":                (*Server).addReaction,
	"views.publish":                (*Server).publishView,
	"chat.startStream":             (*Server).startStream,
	"chat.appendStream":            (*Server).appendStream,
	"chat.stopStream":              (*Server).stopStream,
	"assistant.threads.setStatus":  (*Server).setStatus,
	"assistant.threads.setTitle":   (*Server).setTitle,

	"assistant.threads.setSuggestedPrompts": (*Server).setPrompts,
}

func (s *Server) serveMethod(w http.ResponseWriter, r *http.Request, name string) {
	method := methods[name]
	if method == nil {
		write(w, refuse("unknown_method"))
		return
	}
	c, err := readCall(r, name)
	if err != nil {
		write(w, refuse("invalid_form_data"))
		return
	}
	fault := s.fault(c.method, c.params["channel"])
	if fault.before(r.Context(), w) {
		s.note(c, reply{refused: "a fault"})
		return
	}
	answer := s.do(c, method)
	if !fault.after(w) {
		w.Header().Set("X-OAuth-Scopes", s.opts.Scopes)
		write(w, answer)
	}
}

func (s *Server) do(c *call, method func(*Server, *call) reply) reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := s.authorize(c)
	if answer.refused == "" {
		answer = s.admit(c)
	}
	if answer.refused == "" {
		answer = method(s, c)
	}
	s.note(c, answer)
	return answer
}

func (s *Server) note(c *call, r reply) {
	s.Called(c.method)
	if r.refused != "" {
		s.Refused(Refusal{c.method, c.params["channel"], r.refused, time.Now()})
	}
	s.Raise()
}

func (s *Server) authorize(c *call) reply {
	want := s.opts.BotToken
	if c.method == "apps.connections.open" {
		want = s.opts.AppToken
	}
	switch c.token {
	case want:
		return ok(nil)
	case "":
		return refuse("not_authed")
	case s.opts.BotToken, s.opts.AppToken:
		return refuse("not_allowed_token_type")
	}
	return refuse("invalid_auth")
}

// maxRequest is more than any file that tests send.
const maxRequest = 128 << 20

// readCall takes parameters from the query, a form or a JSON object, and the
// token from the header or the form.
func readCall(r *http.Request, name string) (*call, error) {
	c := &call{method: name, params: map[string]string{}}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "application/json" {
		body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest))
		if err != nil {
			return nil, err
		}
		if err := c.readJSON(body); err != nil {
			return nil, err
		}
	} else if err := r.ParseForm(); err != nil {
		return nil, err
	}
	for field := range r.Form {
		c.params[field] = r.Form.Get(field)
	}
	c.token = c.params["token"]
	if bearer, given := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); given {
		c.token = bearer
	}
	return c, nil
}

func (c *call) readJSON(body []byte) error {
	if len(body) == 0 || string(body) == "null" {
		return nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return err
	}
	for field, raw := range fields {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw)
		}
		c.params[field] = text
	}
	return nil
}

// write sends what every answer is in
// (docs.slack.dev/apis/web-api/#responses).
func write(w http.ResponseWriter, r reply) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	fields := map[string]any{"ok": r.refused == ""}
	for name, value := range r.fields {
		fields[name] = value
	}
	if r.refused != "" {
		fields["error"] = r.refused
	}
	if r.needed != "" {
		fields["needed"] = r.needed
	}
	if r.retryAfter > 0 {
		w.Header().Set("Retry-After", fmt.Sprint(r.retryAfter))
		w.WriteHeader(http.StatusTooManyRequests)
	}
	body, _ := json.Marshal(fields)
	_, _ = w.Write(body)
}
