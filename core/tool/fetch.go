package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/tool/egress"
)

//go:embed fetch.md
var fetchDescription string

// maxLinked bounds how many links of read pages are remembered in a turn.
const maxLinked = 2000

// fetch reads pages for one turn.
type fetch struct {
	client *http.Client
	open   []string

	mu     sync.Mutex
	linked map[string]bool // links of the pages that this turn has read
}

func (t *fetch) Spec() agent.Spec {
	return agent.Spec{
		Name: fetchTool, Description: fetchDescription, Effect: agent.Read, Permission: "network", Timeout: 40 * time.Second,
		Schema: json.RawMessage(`{"type":"object","required":["url"],"properties":{"url":{"type":"string"}}}`),
	}
}

// Outward reports whether an address may have been made up to carry something:
// it stands neither in the author's words nor in a page that was read.
func (t *fetch) Outward(in agent.Invocation) bool {
	u, err := target(in)
	if err != nil {
		return false
	}
	for _, h := range t.open {
		below, wild := strings.CutPrefix(h, "*.")
		if strings.EqualFold(h, u.Hostname()) || wild && strings.HasSuffix(strings.ToLower(u.Hostname()), "."+strings.ToLower(below)) {
			return false
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.linked[u.String()] && !spokenURL(u, in.Spoken)
}

// spokenURL reports whether an author wrote this very address, with or without
// its scheme.
func spokenURL(u *url.URL, spoken string) bool {
	want := addressOf(u)
	for word := range strings.FieldsSeq(spoken) {
		said, err := parseURL(strings.Trim(word, "<>()[]\"'`.,;:!?*"))
		if err == nil && addressOf(said) == want {
			return true
		}
	}
	return false
}

func addressOf(u *url.URL) string {
	return strings.ToLower(u.Host) + strings.TrimSuffix(u.EscapedPath(), "/") + "?" + u.RawQuery
}

func (t *fetch) Call(ctx context.Context, in agent.Invocation) (agent.Result, error) {
	res := agent.Result{Origin: chat.External}
	u, err := target(in)
	if err != nil {
		return agent.Result{}, err
	}
	answer, body, err := t.get(ctx, u)
	if err != nil {
		return agent.Result{}, err
	}
	if res.Text, err = t.write(answer, body); err != nil {
		return res, fmt.Errorf("fetch %s: %w", u.Host, err)
	}
	if answer.StatusCode >= 400 {
		return res, fmt.Errorf("fetch %s: the server answered %s\n%s", u.Host, answer.Status, res.Text)
	}
	return res, nil
}

// get fetches an address; of what is too large it is the beginning.
func (t *fetch) get(ctx context.Context, u *url.URL) (*http.Response, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, nil, errNoURL
	}
	r.Header.Set("User-Agent", "Mozilla/5.0 (compatible; Talaria)")
	r.Header.Set("Accept", "text/html, text/*;q=0.9, application/json;q=0.9, */*;q=0.5")
	answer, err := t.client.Do(r)
	if err != nil {
		return nil, nil, fmt.Errorf("fetch %s: %s", u.Host, egress.Reason(err))
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil && !errors.Is(err, egress.ErrTooLarge) {
		return nil, nil, fmt.Errorf("fetch %s: %s", u.Host, egress.Reason(err))
	}
	return answer, body, nil
}

// write turns an answer into text for the model.
func (t *fetch) write(r *http.Response, body []byte) (string, error) {
	p, err := t.page(r, body)
	if err != nil {
		return "", err
	}
	header := "Address: " + p.Address + "\n"
	if p.HTML {
		return header + "Title: " + p.Title + "\n\n" + p.Text, nil
	}
	return header + "Type: " + p.Media + "\n\n" + p.Text, nil
}

// page reads an answer as text.
func (t *fetch) page(r *http.Response, body []byte) (Page, error) {
	p := Page{Address: r.Request.URL.String()}
	kind := r.Header.Get("Content-Type")
	if kind == "" {
		kind = http.DetectContentType(body)
	}
	media, _, err := mime.ParseMediaType(kind)
	if err != nil {
		media, _, _ = strings.Cut(kind, ";")
	}
	if media == "text/html" || media == "application/xhtml+xml" {
		utf, err := charset.NewReader(strings.NewReader(string(body)), kind)
		if err != nil {
			return p, errors.New("the page's letters can't be read")
		}
		read := readable(utf, r.Request.URL)
		t.remember(read.links)
		p.HTML, p.Title, p.Text = true, read.title, read.text
		return p, nil
	}
	text, ok := plainText(body, media, kind)
	if !ok {
		return p, fmt.Errorf("this is no text but %d bytes of %q", len(body), media)
	}
	p.Media, p.Text = media, text
	return p, nil
}

func (t *fetch) remember(links []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range links {
		if len(t.linked) < maxLinked {
			t.linked[l] = true
		}
	}
}

// plainText decodes what is text, whatever it calls itself.
func plainText(data []byte, media, kind string) (string, bool) {
	data = []byte(strings.TrimPrefix(string(data), "\uFEFF"))
	if utf8.Valid(data) && !strings.ContainsRune(string(data), 0) {
		return string(data), true
	}
	if !strings.HasPrefix(media, "text/") {
		return "", false
	}
	utf, err := charset.NewReader(strings.NewReader(string(data)), kind)
	if err != nil {
		return "", false
	}
	text, err := io.ReadAll(utf)
	return string(text), err == nil
}

var errNoURL = errors.New("this is not the address of a page; it must be a whole http or https URL")

func target(in agent.Invocation) (*url.URL, error) {
	args, err := decode[struct{ URL string }](in)
	if err != nil {
		return nil, err
	}
	return parseURL(args.URL)
}

// parseURL reads an address as people write it, with or without a scheme.
func parseURL(s string) (*url.URL, error) {
	s = strings.TrimSpace(s)
	if !strings.Contains(s, "://") {
		s = "https://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || len(s) > 4000 {
		return nil, errNoURL
	}
	u.Fragment = ""
	return u, nil
}
