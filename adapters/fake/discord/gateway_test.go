package discord_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"talaria/adapters/fake/discord"

	"github.com/gorilla/websocket"
)

// frame is a payload of the gateway.
type frame struct {
	Op   int             `json:"op"`
	Type string          `json:"t"`
	Seq  int64           `json:"s"`
	Data json.RawMessage `json:"d"`
}

// line is a connection to the gateway.
type line struct {
	t  *testing.T
	ws *websocket.Conn
}

func dial(t *testing.T, s *discord.Server, path string) *line {
	t.Helper()
	ws, resp, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(s.URL(), "http")+path+"?v=9&encoding=json", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	t.Cleanup(func() { ws.Close() })
	l := &line{t, ws}
	_ = ws.SetReadDeadline(time.Now().Add(patience))
	if f := l.next(); f.Op != 10 {
		t.Fatalf("begins with %+v", f)
	}
	return l
}

func (l *line) next() (f frame) {
	l.t.Helper()
	if err := l.ws.ReadJSON(&f); err != nil {
		l.t.Fatal(err)
	}
	return f
}

func (l *line) say(op int, data any) {
	l.t.Helper()
	if err := l.ws.WriteJSON(map[string]any{"op": op, "d": data}); err != nil {
		l.t.Fatal(err)
	}
}

// until reads up to a kind of dispatch, and returns what came before it too.
func (l *line) until(kind string) []frame {
	l.t.Helper()
	var all []frame
	for {
		f := l.next()
		all = append(all, f)
		if f.Type == kind {
			return all
		}
	}
}

func (l *line) closedWith(code int) {
	l.t.Helper()
	for {
		_, _, err := l.ws.ReadMessage()
		var e *websocket.CloseError
		if errors.As(err, &e) {
			if e.Code != code {
				l.t.Errorf("closed with %d, not %d", e.Code, code)
			}
			return
		}
		if err != nil {
			l.t.Fatal(err)
		}
	}
}

func identify(s *discord.Server) map[string]any {
	return map[string]any{"token": s.Token(), "intents": 1 << 15}
}

func TestResumeRepeatsInOrder(t *testing.T) {
	s, ctx := newServer(t, discord.Options{})
	l := dial(t, s, "/gateway")
	l.say(2, identify(s))
	var ready struct {
		Session string `json:"session_id"`
		Resume  string `json:"resume_gateway_url"`
	}
	if err := json.Unmarshal(l.until("READY")[0].Data, &ready); err != nil {
		t.Fatal(err)
	}
	l.until("GUILD_CREATE")
	kept := s.Say(ada, lobby, "one")
	heard := l.until("MESSAGE_CREATE")
	l.say(1, heard[0].Seq)
	if f := l.next(); f.Op != 11 {
		t.Errorf("a heartbeat is answered with %+v", f)
	}
	if !s.Acknowledged(kept) {
		t.Error("not acknowledged")
	}
	s.Drop()
	if err := s.Await(ctx, func() bool { return s.Connections() == 0 }); err != nil {
		t.Fatal(err)
	}
	missed := s.Say(ada, lobby, "two")
	path := ready.Resume[strings.LastIndexByte(ready.Resume, '/'):]
	resume := map[string]any{"token": s.Token(), "session_id": ready.Session, "seq": heard[0].Seq}
	l = dial(t, s, path)
	l.say(6, resume)
	if all := l.until("RESUMED"); len(all) != 2 || !strings.Contains(string(all[0].Data), "two") || s.Acknowledged(missed) {
		t.Errorf("repeated: %+v", all)
	}
	l = dial(t, s, "/gateway") // not where sessions are resumed
	l.say(6, resume)
	if f := l.next(); f.Op != 9 || string(f.Data) != "false" {
		t.Errorf("came: %+v", f)
	}
	resume["seq"] = 1000
	l = dial(t, s, path)
	l.say(6, resume)
	l.closedWith(4007)
	s.ForgetSessions()
	resume["seq"] = 1
	l = dial(t, s, path)
	l.say(6, resume)
	if f := l.next(); f.Op != 9 || string(f.Data) != "false" {
		t.Errorf("came: %+v", f)
	}
}

func TestRefusedConnections(t *testing.T) {
	s, _ := newServer(t, discord.Options{NoContent: true})
	l := dial(t, s, "/gateway")
	l.say(2, identify(s))
	l.closedWith(4014)
	l = dial(t, s, "/gateway")
	l.say(2, map[string]any{"token": "another", "intents": 1})
	l.closedWith(4004)
	l = dial(t, s, "/gateway")
	l.say(99, nil)
	l.closedWith(4001)
	if s.Identifies() != 0 {
		t.Error("a session began")
	}
}

func TestANormalCloseEndsTheSession(t *testing.T) {
	s, ctx := newServer(t, discord.Options{})
	l := dial(t, s, "/gateway")
	l.say(2, identify(s))
	var ready struct {
		Session string `json:"session_id"`
	}
	if err := json.Unmarshal(l.until("READY")[0].Data, &ready); err != nil {
		t.Fatal(err)
	}
	_ = l.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(1000, ""), time.Now().Add(time.Second))
	if err := s.Await(ctx, func() bool { return len(s.Closes()) == 1 }); err != nil {
		t.Fatal(err)
	}
	l = dial(t, s, "/resume-here")
	l.say(6, map[string]any{"token": s.Token(), "session_id": ready.Session, "seq": 1})
	if f := l.next(); f.Op != 9 {
		t.Errorf("came: %+v", f)
	}
}
