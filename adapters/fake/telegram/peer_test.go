package telegram_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"talaria/adapters/fake/telegram"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	ada   = 11
	ben   = 12
	group = -1001
)

// patience bounds each wait. It is far above what anything takes.
const patience = 3 * time.Minute

// peer is a client that knows nothing but the documentation.
type peer struct {
	t      *testing.T
	ctx    context.Context
	server *telegram.Server
	client *http.Client
}

// answer is the documented envelope
// (https://core.telegram.org/bots/api#making-requests).
type answer struct {
	OK          bool            `json:"ok"`
	Result      json.RawMessage `json:"result"`
	Code        int             `json:"error_code"`
	Description string          `json:"description"`
	Parameters  struct {
		RetryAfter int   `json:"retry_after"`
		MigrateTo  int64 `json:"migrate_to_chat_id"`
	} `json:"parameters"`
}

func newPeer(t *testing.T, opts telegram.Options) *peer {
	s, err := telegram.Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	p := &peer{t: t, ctx: ctx, server: s, client: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(func() { cancel(); p.client.CloseIdleConnections(); s.Close() })
	return p
}

func calm(t *testing.T) *peer { return newPeer(t, telegram.Options{NoFlood: true}) }

// call posts JSON.
func (p *peer) call(method, params string) answer {
	p.t.Helper()
	a, err := p.try(p.ctx, method, params)
	if err != nil {
		p.t.Fatalf("%s: %v", method, err)
	}
	return a
}

func (p *peer) try(ctx context.Context, method, params string) (a answer, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.server.URL()+"/bot"+p.server.Token()+"/"+method, strings.NewReader(params))
	if err != nil {
		return a, err
	}
	req.Header.Set("Content-Type", "application/json")
	return p.do(req)
}

func (p *peer) do(req *http.Request) (a answer, err error) {
	resp, err := p.client.Do(req)
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	return a, json.NewDecoder(resp.Body).Decode(&a)
}

func (p *peer) refused(a answer, code int, description string) {
	p.t.Helper()
	if a.OK || a.Code != code || !strings.Contains(a.Description, description) {
		p.t.Errorf("answered %v %d %q, not %d %q", a.OK, a.Code, a.Description, code, description)
	}
}

func (p *peer) updates(params string) (ids []int64) {
	p.t.Helper()
	a := p.call("getUpdates", params)
	var list []struct {
		ID int64 `json:"update_id"`
	}
	if err := json.Unmarshal(a.Result, &list); err != nil {
		p.t.Fatalf("getUpdates: %+v: %v", a, err)
	}
	for _, u := range list {
		ids = append(ids, u.ID)
	}
	return ids
}
