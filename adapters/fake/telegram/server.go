package telegram

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"talaria/adapters/fake/sim"
)

// The bot that the simulator serves.
const (
	BotID    = 7100000001
	BotName  = "simulated_bot"
	botTitle = "Simulated"
)

// Options set up a Server. The zero value enforces everything.
type Options struct {
	Token       string        // empty: one of the bot's own
	NoFlood     bool          // no flood control
	ChatBurst   int           // calls into one chat before the pace counts; zero: 3
	Privacy     bool          // getMe says that privacy mode is on
	NoDrafts    bool          // as a server before Bot API 9.3, it knows no sendMessageDraft
	Placeholder string        // text that is no answer yet; empty: "…"
	Retry       time.Duration // pause before a webhook is called again; zero: 20 ms
	Upload      int           // bytes of the largest file that is taken; zero: 50 MB
	PressLife   time.Duration // how long a press can be answered; zero: 15 s
	// Shown is called with every message of the bot's as it is sent or edited,
	// one call after the other for a chat. It must return at once. May be nil.
	Shown func(Message)
}

// Server is one simulated bot account and the people and groups around it.
type Server struct {
	*sim.Host
	sim.Log[Refusal]
	sim.Signal

	opts   Options
	faults sim.Faults[Fault]

	places  places
	updates updates
	hook    webhook
	flood   flood
	presses sync.Map // callback query id -> *press
	files   sync.Map // file id -> *file
	ids     atomic.Int64

	mu    sync.Mutex
	menus map[menuKey]json.RawMessage
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
	if opts.Token == "" {
		opts.Token = strconv.Itoa(BotID) + ":SIMULATED-token-of-no-value"
	}
	if opts.Upload == 0 {
		opts.Upload = maxUpload
	}
	if opts.PressLife == 0 {
		opts.PressLife = pressLife
	}
	if opts.ChatBurst == 0 {
		opts.ChatBurst = 3
	}
	if opts.Placeholder == "" {
		opts.Placeholder = "…"
	}
	if opts.Retry == 0 {
		opts.Retry = 20 * time.Millisecond
	}
	if opts.Shown == nil {
		opts.Shown = func(Message) {}
	}
	host, err := sim.Listen("Bot API")
	if err != nil {
		return nil, err
	}
	s := &Server{opts: opts, Host: host}
	s.updates.init()
	s.Serve(s)
	return s, nil
}

// Close ends all connections and waits for everything that runs.
func (s *Server) Close() {
	s.Host.Close(func() {})
}

// URL is the address to be used in place of api.telegram.org's.
func (s *Server) URL() string { return "http://" + s.Address() }

// Token is the bot's token.
func (s *Server) Token() string { return s.opts.Token }

// ServeHTTP implements http.Handler: /bot<token>/<method> and
// /file/bot<token>/<path>.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if path, ok := strings.CutPrefix(r.URL.Path, "/file/bot"); ok {
		s.serveFile(w, path)
		return
	}
	path, ok := strings.CutPrefix(r.URL.Path, "/bot")
	slash := strings.LastIndexByte(path, '/')
	if !ok || slash < 0 {
		write(w, refuse(http.StatusNotFound, "Not Found"))
		return
	}
	if path[:slash] != s.opts.Token {
		write(w, refuse(http.StatusUnauthorized, "Unauthorized"))
		return
	}
	s.serveMethod(w, r, path[slash+1:])
}

// call is one call with its parameters.
type call struct {
	ctx    context.Context
	method string
	params params
}

// reply is what a method answers: a result in JSON, or a refusal.
type reply struct {
	result      []byte
	code        int
	description string
	retryAfter  int
	migrateTo   int64
}

func refuse(code int, description string) reply { return reply{code: code, description: description} }

func badRequest(why string) reply { return refuse(http.StatusBadRequest, "Bad Request: "+why) }

var yes = reply{result: []byte("true")}

func result(v any) reply {
	data, err := json.Marshal(v)
	if err != nil {
		return refuse(http.StatusInternalServerError, err.Error())
	}
	return reply{result: data}
}

// methods are the methods that are simulated.
var methods = map[string]func(*Server, *call) reply{
	"getMe":               (*Server).getMe,
	"getUpdates":          (*Server).getUpdates,
	"setWebhook":          (*Server).setWebhook,
	"deleteWebhook":       (*Server).deleteWebhook,
	"getWebhookInfo":      (*Server).getWebhookInfo,
	"getMyCommands":       (*Server).getMyCommands,
	"setMyCommands":       (*Server).setMyCommands,
	"sendMessage":         (*Server).sendMessage,
	"sendMessageDraft":    (*Server).sendMessageDraft,
	"sendDocument":        (*Server).sendDocument,
	"editMessageText":     (*Server).editMessageText,
	"deleteMessage":       (*Server).deleteMessage,
	"sendChatAction":      (*Server).sendChatAction,
	"answerCallbackQuery": (*Server).answerCallbackQuery,
	"getFile":             (*Server).getFile,
	"getChat":             (*Server).getChat,
	"getChatMember":       (*Server).getChatMember,
}

func (s *Server) serveMethod(w http.ResponseWriter, r *http.Request, name string) {
	method := methods[name]
	if method == nil || name == "sendMessageDraft" && s.opts.NoDrafts {
		write(w, refuse(http.StatusNotFound, "Not Found: method not found"))
		return
	}
	c := &call{ctx: r.Context(), method: name}
	if err := c.params.read(r); err != nil {
		write(w, badRequest("can't parse the request: "+err.Error()))
		return
	}
	s.Called(name)
	s.Raise()
	fault := s.fault(c)
	if fault.before(c.ctx, w) {
		return
	}
	answer := method(s, c)
	if answer.code != 0 {
		s.Refused(Refusal{c.method, int64(c.params.Chat), answer.code, answer.description, time.Now()})
	}
	s.Raise()
	if !fault.after(w) {
		write(w, answer)
	}
}

// write sends the envelope that every answer is in
// (core.telegram.org/bots/api#making-requests).
func write(w http.ResponseWriter, r reply) {
	w.Header().Set("Content-Type", "application/json")
	if r.code == 0 {
		body := make([]byte, 0, len(r.result)+24)
		body = append(body, `{"ok":true,"result":`...)
		body = append(append(body, r.result...), '}')
		_, _ = w.Write(body)
		return
	}
	envelope := map[string]any{"ok": false, "error_code": r.code, "description": r.description}
	parameters := map[string]any{}
	if r.retryAfter > 0 {
		parameters["retry_after"] = r.retryAfter
	}
	if r.migrateTo != 0 {
		parameters["migrate_to_chat_id"] = r.migrateTo
	}
	if len(parameters) > 0 {
		envelope["parameters"] = parameters
	}
	body, _ := json.Marshal(envelope)
	w.WriteHeader(r.code)
	_, _ = w.Write(body)
}

// maxRequest is more than the largest file that a bot may send (50 MB).
const maxRequest = 64 << 20

// read takes parameters from the query, a form or a JSON object.
func (p *params) read(r *http.Request) error {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "application/json" {
		body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest))
		if err != nil {
			return err
		}
		if len(body) == 0 || body[0] != '{' {
			return fmt.Errorf("no JSON object")
		}
		return json.Unmarshal(body, p)
	}
	if err := r.ParseMultipartForm(maxRequest); err != nil && err != http.ErrNotMultipart {
		return err
	}
	fields := map[string]string{}
	for name, values := range r.Form {
		fields[name] = values[0]
	}
	flat, _ := json.Marshal(fields)
	if err := json.Unmarshal(flat, p); err != nil {
		return err
	}
	return p.readFile(r)
}

// readFile takes a document that is a part of the form, or is named as one
// (core.telegram.org/bots/api#sending-files).
func (p *params) readFile(r *http.Request) error {
	name, attached := strings.CutPrefix(p.Document, "attach://")
	if !attached {
		name = "document"
	}
	f, header, err := r.FormFile(name)
	if err != nil {
		return nil // no file in it
	}
	defer f.Close()
	p.fileName = header.Filename
	p.file, err = io.ReadAll(f)
	return err
}
