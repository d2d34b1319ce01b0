package slack

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

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
func (c *client) outcome(op string, x *exchange, err error) error {
	if x.status == 0 || x.err != nil {
		return c.failure(op, x, err)
	}
	var a answer
	said := json.Unmarshal(x.body, &a) == nil
	switch {
	case x.status == http.StatusTooManyRequests:
		return limited(op, x.header)
	case said && a.OK && x.status == http.StatusOK:
		return nil
	case said && a.Error != "":
		return c.refusal(op, a, x.header)
	case err == nil && x.status == http.StatusOK && !strings.HasPrefix(strings.TrimSpace(string(x.body)), "{"):
		return nil // an upload or a response_url, which answer in a word
	}
	return &chat.Error{Kind: chat.UnknownOutcome, Op: op, Err: fmt.Errorf("status %d without an answer in JSON", x.status)}
}

// failure is a call that got no answer. Without an error of the transport the
// request could not even be made.
func (c *client) failure(op string, x *exchange, err error) error {
	kind := chat.Transient
	switch {
	case x.err == nil:
		kind = chat.Permanent
	case x.sent.Load():
		kind = chat.UnknownOutcome
	}
	return &chat.Error{Kind: kind, Op: op, Err: c.redact(cmp.Or(x.err, err))}
}

// redact takes addresses out of an error, which may hold a ticket, and tokens
// wherever they stand.
func (c *client) redact(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	text := err.Error()
	for _, secret := range []string{c.bot, c.app} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[token]")
		}
	}
	if text != err.Error() {
		return errors.New(text)
	}
	return err
}

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
