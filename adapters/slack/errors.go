package slack

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"talaria/adapters/wire"
	"talaria/core/chat"
)

// limitWait is waited where a refusal does not say how long.
const limitWait = 5 * time.Second

// answer is what every answer of the Web API has
// (docs.slack.dev/apis/web-api/#responses).
type answer struct {
	OK     bool   `json:"ok"`
	Error  string `json:"error"`
	Needed string `json:"needed"` // the scope that is missing
	Meta   struct {
		Messages []string `json:"messages"`
		Cursor   string   `json:"next_cursor"`
	} `json:"response_metadata"`
}

// outcome reads what came of a call. A status of 200 says nothing by itself.
func (c *client) outcome(op string, x *wire.Exchange, err error) error {
	if x.Status == 0 || x.Err != nil {
		return c.failure(op, x, err)
	}
	var a answer
	said := json.Unmarshal(x.Body, &a) == nil
	switch {
	case x.Status == http.StatusTooManyRequests:
		return limited(op, x.Header)
	case said && a.OK && x.Status == http.StatusOK:
		return nil
	case said && a.Error != "":
		return c.refusal(op, a, x.Header)
	case err == nil && x.Status == http.StatusOK && !strings.HasPrefix(strings.TrimSpace(string(x.Body)), "{"):
		return nil // an upload or a response_url, which answer in a word
	}
	return &chat.Error{Kind: chat.UnknownOutcome, Op: op, Err: fmt.Errorf("status %d without an answer in JSON", x.Status)}
}

// failure is a call that got no answer.
func (c *client) failure(op string, x *wire.Exchange, err error) error {
	return x.Failure(op, err, c.bot, c.app)
}

// redact takes addresses and tokens out of an error.
func (c *client) redact(err error) error { return wire.Redact(err, c.bot, c.app) }

// limited is a call over the limit of its method. That of posting holds for
// the channel, all others for the workspace
// (docs.slack.dev/apis/web-api/rate-limits).
func limited(op string, h http.Header) error {
	wait := limitWait
	if n, err := strconv.Atoi(h.Get("Retry-After")); err == nil && n > 0 {
		wait = time.Duration(n) * time.Second
	}
	return &chat.Error{Kind: chat.RateLimited, Op: op, RetryAfter: wait, Whole: op != opPost && op != opEphemeral}
}

// refusal is a call that Slack refused, classified by its error.
func (c *client) refusal(op string, a answer, h http.Header) error {
	if a.Error == "ratelimited" || a.Error == "rate_limited" {
		return limited(op, h)
	}
	text := a.Error
	if a.Needed != "" {
		text += " (needs the scope " + a.Needed + ")"
	}
	if len(a.Meta.Messages) > 0 {
		text += ": " + strings.Join(a.Meta.Messages, "; ")
	}
	e := &chat.Error{Kind: kindOf(a.Error), Op: op, Err: c.redact(errors.New(text))}
	e.Thread, e.Whole = threadGone[a.Error], botRefused[a.Error]
	if a.Error == "missing_scope" && strings.HasPrefix(op, "files.") {
		e.Whole = false // words can be sent all the same
	}
	return e
}

func kindOf(name string) chat.ErrorKind {
	switch {
	case botRefused[name], notAllowed[name], strings.HasPrefix(name, "restricted_action"):
		return chat.NotAllowed
	case gone[name], threadGone[name]:
		return chat.Gone
	case unclear[name]:
		return chat.UnknownOutcome
	case name == "request_timeout": // the request itself came in cut
		return chat.Transient
	}
	return chat.Permanent
}

// The errors of the methods used here
// (docs.slack.dev/reference/methods/chat.postMessage#errors and the like).
// What is not named is permanent.
var (
	// botRefused are those that hold wherever the bot turns to.
	botRefused = set("invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired",
		"missing_scope", "not_allowed_token_type", "no_permission", "org_login_required",
		"ekm_access_denied", "team_access_not_granted", "accesslimited", "enterprise_is_restricted")
	notAllowed = set("access_denied", "not_in_channel")
	gone       = set("channel_not_found", "is_archived", "user_not_found", "users_not_found", "user_disabled",
		"user_not_visible", "cannot_dm_bot", "messages_tab_disabled")
	threadGone = set("thread_not_found", "invalid_thread_ts", "cannot_reply_to_message", "thread_locked")
	// unclear are those of which Slack says that some of it may have happened.
	unclear = set("internal_error", "fatal_error", "service_unavailable")
)

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// refusedWith reports whether err is a refusal with one of the names.
func refusedWith(err error, names ...string) bool {
	e, ok := errors.AsType[*chat.Error](err)
	if !ok || e.Err == nil {
		return false
	}
	word, _, _ := strings.Cut(e.Err.Error(), " ")
	word = strings.TrimSuffix(word, ":")
	for _, n := range names {
		if word == n {
			return true
		}
	}
	return false
}
