package slack_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"talaria/adapters/fake/slack"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	ada     = "UADA01"
	general = "C0GENERAL"
)

// patience bounds each wait. It is far above what anything takes.
const patience = 3 * time.Minute

// peer is a client that knows nothing but the documentation.
type peer struct {
	t      *testing.T
	ctx    context.Context
	server *slack.Server
	client *http.Client
}

// answer is what answers of the methods hold
// (https://docs.slack.dev/apis/web-api/#responses).
type answer struct {
	OK       bool   `json:"ok"`
	Error    string `json:"error"`
	TS       string `json:"ts"`
	URL      string `json:"url"`
	Upload   string `json:"upload_url"`
	File     string `json:"file_id"`
	Messages []struct {
		TS       string          `json:"ts"`
		Text     string          `json:"text"`
		Metadata json.RawMessage `json:"metadata"`
	} `json:"messages"`
	Meta struct {
		Cursor string `json:"next_cursor"`
	} `json:"response_metadata"`
	status int
	retry  string
}

func newPeer(t *testing.T, opts slack.Options) *peer {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	p := &peer{t: t, ctx: ctx, client: &http.Client{Transport: &http.Transport{}}}
	server, err := slack.Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	p.server = server
	t.Cleanup(func() {
		server.Close()
		p.client.CloseIdleConnections()
	})
	server.People(slack.Person{ID: ada, Name: "Ada"})
	server.Channel(general, ada)
	return p
}

func calm(t *testing.T) *peer { return newPeer(t, slack.Options{NoLimits: true}) }

// quiet are the parameters of a message that breaks no peace.
func quiet(change map[string]string) url.Values {
	v := url.Values{"channel": {general}, "text": {"hi"}, "unfurl_links": {"false"}, "unfurl_media": {"false"}}
	for name, value := range change {
		v.Set(name, value)
	}
	return v
}

// call makes a call with the bot's token in the header.
func (p *peer) call(method string, params url.Values) answer {
	p.t.Helper()
	return p.do(method, params, p.server.BotToken())
}

func (p *peer) do(method string, params url.Values, bearer string) answer {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.ctx, http.MethodPost, p.server.URL()+method, strings.NewReader(params.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if bearer != "" {
		req.Header.Set("Authorization", "Bearer "+bearer)
	}
	resp, err := p.client.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode, retry: resp.Header.Get("Retry-After")}
	data, err := io.ReadAll(resp.Body)
	if err == nil {
		err = json.Unmarshal(data, &a)
	}
	if err != nil {
		p.t.Fatalf("%s: %v in %q", method, err, data)
	}
	return a
}

func (p *peer) refused(a answer, want string) {
	p.t.Helper()
	if a.OK || a.Error != want {
		p.t.Errorf("answer %+v, not %s", a, want)
	}
}
