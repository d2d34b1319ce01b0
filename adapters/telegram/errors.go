package telegram

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"talaria/adapters/wire"
	"talaria/core/chat"
)

// notModified is what an edit that changes nothing is refused with: what was
// to be there is there.
const notModified = "message is not modified"

// tooOld is what an answer to a press is refused with that comes too late, or a
// second time.
const tooOld = "query is too old"

// floodWait is waited where a 429 doesn't say how long.
const floodWait = 5 * time.Second

// envelope is what every answer is in
// (core.telegram.org/bots/api#making-requests).
type envelope struct {
	OK          bool   `json:"ok"`
	Result      any    `json:"result"` // decoded into what it points to
	Code        int    `json:"error_code"`
	Description string `json:"description"`
	Parameters  struct {
		RetryAfter int         `json:"retry_after"`
		MigrateTo  json.Number `json:"migrate_to_chat_id"`
	} `json:"parameters"`
}

// outcome reads what came of a call. A status of 200 says nothing by itself.
func (c *client) outcome(op string, x *wire.Exchange, err error, result any) error {
	if x.Status == 0 || x.Err != nil {
		return c.failure(op, x, err)
	}
	e := envelope{Result: result}
	unread := json.Unmarshal(x.Body, &e)
	switch {
	case e.OK && (unread == nil || result == nil):
		return nil
	case e.OK:
		return &chat.Error{Kind: chat.UnknownOutcome, Op: op, Err: fmt.Errorf("read result: %w", unread)}
	case e.Description == "":
		e.Description = "without a description in JSON"
	}
	return c.refusal(op, e, x.Status)
}

// failure is a call that got no answer.
func (c *client) failure(op string, x *wire.Exchange, err error) error {
	return x.Failure(op, err, c.token)
}

// redact takes addresses and tokens out of an error.
func (c *client) redact(err error) error { return wire.Redact(err, c.token) }

// refusal is a call that the server refused, classified.
func (c *client) refusal(op string, e envelope, status int) error {
	code := cmp.Or(e.Code, status) // in front of a server may stand one that knows no JSON
	err := &chat.Error{Op: op, Err: c.redact(fmt.Errorf("%d %s", code, e.Description))}
	text := strings.ToLower(e.Description)
	switch {
	case code == http.StatusTooManyRequests:
		err.Kind = chat.RateLimited
		err.RetryAfter = cmp.Or(time.Duration(e.Parameters.RetryAfter)*time.Second, floodWait)
	case e.Parameters.MigrateTo != "":
		err.Kind, err.To = chat.Moved, e.Parameters.MigrateTo.String()
	case code == http.StatusUnauthorized, code == http.StatusNotFound:
		err.Kind, err.Whole = chat.NotAllowed, true
	case code == http.StatusConflict:
		err.Kind = chat.Transient
	case code < http.StatusBadRequest, code >= http.StatusInternalServerError:
		err.Kind = chat.UnknownOutcome
	case holdsAny(text, threadGone):
		err.Kind, err.Thread = chat.Gone, true
	case holdsAny(text, placeGone):
		err.Kind = chat.Gone
	case code == http.StatusForbidden, holdsAny(text, noRights):
		err.Kind = chat.NotAllowed
	default:
		err.Kind = chat.Permanent
	}
	return err
}

// The Bot API tells refusals apart by their text alone.
var (
	threadGone = []string{"message thread not found", "topic_deleted", "topic_closed"}
	placeGone  = []string{
		"chat not found", "user not found", "peer_id_invalid", "chat was deleted", "group is deactivated",
		"bot was blocked by the user", "user is deactivated", "bot was kicked", "bot is not a member",
		"can't initiate conversation", "bot can't send messages to bots",
	}
	noRights = []string{"not enough rights", "no rights to send", "chat_write_forbidden", "chat_restricted", "chat_admin_required"}
)

func holdsAny(text string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// saysText reports whether err is a refusal with this text.
func saysText(err error, text string) bool {
	e, ok := errors.AsType[*chat.Error](err)
	return ok && e.Err != nil && strings.Contains(strings.ToLower(e.Err.Error()), text)
}
