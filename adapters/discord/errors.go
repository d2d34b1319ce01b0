package discord

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"talaria/core/chat"
)

// refusedToken is what a person is told of 401 and of close code 4004.
const refusedToken = "the bot's token is refused; reset it in the developer portal under Bot"

// errHelp is an error that only a person can remedy.
type errHelp struct{ error }

// Unwrap returns the cause.
func (e errHelp) Unwrap() error { return e.error }

// refusal is the body of a call that Discord refused.
type refusal struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Codes of refusals
// (discord.com/developers/docs/topics/opcodes-and-status-codes#json).
const (
	unknownChannel     = 10003
	unknownMember      = 10007
	unknownMessage     = 10008
	unknownUser        = 10013
	unknownWebhook     = 10015
	unknownInteraction = 10062
	alreadyAnswered    = 40060
	missingAccess      = 50001
	cannotMessageUser  = 50007
	missingPermissions = 50013
	invalidToken       = 50027 // of a webhook: an interaction's has expired
	noMutualServer     = 50278
	threadLocked       = 160005
)

var (
	goneCodes       = []int{unknownChannel, unknownMessage, unknownUser, unknownWebhook, unknownInteraction, cannotMessageUser, invalidToken, noMutualServer}
	notAllowedCodes = []int{missingAccess, missingPermissions, threadLocked}
)

// errCode carries the code of a refusal.
type errCode struct {
	code int
	text string
}

// Error implements error.
func (e errCode) Error() string { return e.text }

// codeOf is the code that Discord refused a call with, zero for none.
func codeOf(err error) int {
	e, _ := errors.AsType[errCode](err)
	return e.code
}

// outcome reads what came of a call.
func (c *client) outcome(op string, x *exchange, err error, result any) error {
	switch {
	case x.status == 0 || x.err != nil:
		return c.failure(op, x, err)
	case x.status >= 300:
		return c.refusal(op, x)
	case result == nil:
		return nil
	}
	if err := json.Unmarshal(x.body, result); err != nil {
		return &chat.Error{Kind: chat.UnknownOutcome, Op: op, Err: fmt.Errorf("read result: %w", err)}
	}
	return nil
}

// failure is a call that got no answer. Without an error of the transport the
// request could not even be made.
func (c *client) failure(op string, x *exchange, err error) error {
	kind := chat.Transient
	switch {
	case x.err == nil && x.status == 0 && !x.sent.Load():
		kind = chat.Permanent
	case x.sent.Load():
		kind = chat.UnknownOutcome
	}
	return &chat.Error{Kind: kind, Op: op, Err: c.redact(cmp.Or(x.err, err))}
}

// redact takes the address, which may hold an interaction's token, out of an
// error, and the bot's token wherever it stands.
func (c *client) redact(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if err != nil && strings.Contains(err.Error(), c.token) {
		return errors.New(strings.ReplaceAll(err.Error(), c.token, "[token]"))
	}
	return err
}

// refusal classifies a call that the server refused.
func (c *client) refusal(op string, x *exchange) error {
	var r refusal
	_ = json.Unmarshal(x.body, &r) // in front of Discord stands a server that answers in HTML
	text := fmt.Sprintf("%d %s", x.status, cmp.Or(r.Message, "without a reason in JSON"))
	if r.Code != 0 {
		text += fmt.Sprintf(" (code %d)", r.Code)
	}
	err := &chat.Error{Op: op, Err: errCode{r.Code, c.redact(errors.New(text)).Error()}}
	switch {
	case x.status == http.StatusTooManyRequests:
		err.Kind = chat.RateLimited
		err.RetryAfter, err.Whole = x.retryAfter()
	case x.status < 400, x.status >= 500, x.status == http.StatusRequestTimeout:
		err.Kind = chat.UnknownOutcome
	case slices.Contains(goneCodes, r.Code):
		err.Kind = chat.Gone
	case x.status == http.StatusUnauthorized, x.status == http.StatusForbidden, slices.Contains(notAllowedCodes, r.Code):
		// Without a code of its own it is no matter of this channel.
		err.Kind, err.Whole = chat.NotAllowed, !slices.Contains(notAllowedCodes, r.Code)
	default:
		err.Kind = chat.Permanent
	}
	return err
}
