package slack

import (
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"

	"talaria/adapters/inbound"

	"github.com/slack-go/slack"
)

// maxBody is the largest request taken. Slack's own are far smaller.
const maxBody = 1 << 20

// ServeHTTP takes requests in HTTP mode: events, slash commands and
// interactions may all be sent here. Nothing of a request is looked at before
// its signature over the raw body is right and at most 300 seconds old. It
// answers 200 only once the event is kept; after anything else Slack sends an
// event again. Until Run is up it answers 503.
func (a *Adapter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.Error(w, "deliveries are posted", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	switch {
	case err != nil:
		http.Error(w, "request not read", http.StatusRequestEntityTooLarge)
		return
	case a.cfg.Mode != HTTP || !signed(r.Header, body, a.cfg.SigningSecret):
		http.Error(w, "not from Slack", http.StatusUnauthorized)
		return
	}
	raw, o := unwrap(r.Header.Get("Content-Type"), body)
	switch {
	case o.kind() == "url_verification":
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, o.Challenge)
	case a.foreign(o.installation()):
		http.Error(w, "not from this workspace", http.StatusUnauthorized)
	default:
		if err := a.takePosted(r.Context(), raw); err != nil {
			http.Error(w, "delivery not kept", http.StatusServiceUnavailable)
		}
	}
}

// signed checks Slack's signature
// (docs.slack.dev/authentication/verifying-requests-from-slack).
func signed(h http.Header, body []byte, secret string) bool {
	v, err := slack.NewSecretsVerifier(h, secret)
	if err != nil {
		return false
	}
	_, _ = v.Write(body) // a hash takes everything
	return v.Ensure() == nil
}

// unwrap brings a body into the form of Socket Mode: events come as JSON,
// interactions as JSON in a form, slash commands as a form.
func unwrap(contentType string, body []byte) (json.RawMessage, outer) {
	raw := json.RawMessage(body)
	if kind, _, _ := mime.ParseMediaType(contentType); kind == "application/x-www-form-urlencoded" {
		form, _ := url.ParseQuery(string(body))
		raw = json.RawMessage(form.Get("payload"))
		if len(raw) == 0 {
			fields := map[string]string{}
			for name := range form {
				fields[name] = form.Get(name)
			}
			raw, _ = json.Marshal(fields)
		}
	}
	var o outer
	read(raw, &o)
	if o.Team == "" {
		var p interaction
		read(raw, &p)
		o.Team = p.Team.ID
	}
	return raw, o
}

// foreign reports whether a delivery is for another workspace than ours. An
// app's secret is one for all workspaces that it is installed in.
func (a *Adapter) foreign(team string) bool {
	me := a.identity()
	return me.team != "" && team != "" && team != me.team
}

// takePosted returns nil once the delivery is kept.
func (a *Adapter) takePosted(ctx context.Context, raw json.RawMessage) error {
	a.posting.RLock()
	defer a.posting.RUnlock()
	if a.receiving == nil {
		return errNotRunning
	}
	return inbound.Await(ctx, func(done func(error)) { a.receiving.take(raw, done) })
}
