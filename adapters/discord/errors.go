package discord

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"talaria/adapters/wire"
	"talaria/core/chat"
)

// refusedToken is what a person is told of 401 and of close code 4004.
const refusedToken = "the bot's token is refused; reset it in the developer portal under Bot"

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
func (c *client) outcome(op string, x *wire.Exchange, err error, result any) error {
	switch {
	case x.Status == 0 || x.Err != nil:
		return c.failure(op, x, err)
	case x.Status >= 300:
		return c.refusal(op, x)
	case result == nil:
		return nil
	}
	if err := json.Unmarshal(x.Body, result); err != nil {
		return &chat.Error{Kind: chat.UnknownOutcome, Op: op, Err: fmt.Errorf("read result: %w", err)}
	}
	return nil
}

// failure is a call that got no answer.
func (c *client) failure(op string, x *wire.Exchange, err error) error {
	return x.Failure(op, err, c.token)
}

// redact takes addresses and tokens out of an error.
func (c *client) redact(err error) error { return wire.Redact(err, c.token) }

// refusal classifies a call that the server refused.
func (c *client) refusal(op string, x *wire.Exchange) error {
	var r refusal
	_ = json.Unmarshal(x.Body, &r) // in front of Discord stands a server that answers in HTML
	text := fmt.Sprintf("%d %s", x.Status, cmp.Or(r.Message, "without a reason in JSON"))
	if r.Code != 0 {
		text += fmt.Sprintf(" (code %d)", r.Code)
	}
	err := &chat.Error{Op: op, Err: errCode{r.Code, c.redact(errors.New(text)).Error()}}
	switch {
	case x.Status == http.StatusTooManyRequests:
		err.Kind = chat.RateLimited
		err.RetryAfter, err.Whole = retryAfter(x)
	case x.Status < 400, x.Status >= 500, x.Status == http.StatusRequestTimeout:
		err.Kind = chat.UnknownOutcome
	case slices.Contains(goneCodes, r.Code):
		err.Kind = chat.Gone
	case x.Status == http.StatusUnauthorized, x.Status == http.StatusForbidden, slices.Contains(notAllowedCodes, r.Code):
		// Without a code of its own it is no matter of this channel.
		err.Kind, err.Whole = chat.NotAllowed, !slices.Contains(notAllowedCodes, r.Code)
	default:
		err.Kind = chat.Permanent
	}
	return err
}
