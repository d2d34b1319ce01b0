package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"talaria/core/agent"
)

// fault is a vendor's error as far as we use it.
type fault struct {
	Type    string
	Code    string
	Message string
}

// Fault makes an error of what an endpoint sent: an answer's status and body,
// or the body of an error event with status zero.
func (e *Endpoint) Fault(status int, body []byte) *agent.ModelError {
	f, ok := parseFault(body)
	if code, err := strconv.Atoi(f.Code); err == nil && status < 300 && code >= 400 && code < 600 {
		status = code // gateways put the status of the provider behind them here
	}
	text := "an error event"
	if status != 0 {
		text = strings.TrimSpace(fmt.Sprintf("status %d %s", status, http.StatusText(status)))
	}
	if name := cmp.Or(f.Code, f.Type); name != "" {
		text += " (" + name + ")"
	}
	if ok {
		text += ": " + f.Message
	}
	return e.Error(f.kind(status), errors.New(text))
}

// parseFault reads the error shapes in use: an object under "error" (both
// vendors), a bare string there, the same in a list, or the fields at the top
// or a "detail" (several servers of open models).
func parseFault(body []byte) (fault, bool) {
	body = bytes.TrimSpace(body)
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var top struct {
		Error   json.RawMessage `json:"error"`
		Object  string          `json:"object"`
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &top) != nil {
		return fault{}, false
	}
	switch {
	case present(top.Error):
		return parseFields(top.Error), true
	case present(top.Message):
		return parseFields(body), true
	case present(top.Detail):
		return fault{Message: plain(top.Detail)}, true
	}
	return fault{}, false
}

func parseFields(raw json.RawMessage) fault {
	var fields struct {
		Type    json.RawMessage `json:"type"`
		Code    json.RawMessage `json:"code"`
		Message json.RawMessage `json:"message"`
	}
	if json.Unmarshal(raw, &fields) != nil {
		return fault{Message: plain(raw)}
	}
	return fault{Type: plain(fields.Type), Code: plain(fields.Code), Message: plain(fields.Message)}
}

func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// plain is a JSON string's text, and any other value as it is written.
func plain(raw json.RawMessage) string {
	if !present(raw) {
		return ""
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// names are the types and codes that say more than the status does. Sources:
// the vendors' pages on errors, platform.openai.com/docs/guides/error-codes
// and platform.claude.com/docs/en/api/errors.
var names = map[string]agent.ModelErrorKind{
	"authentication_error": agent.ModelAuth,
	"permission_error":     agent.ModelAuth,
	"invalid_api_key":      agent.ModelAuth,
	"account_deactivated":  agent.ModelAuth,

	"insufficient_quota":         agent.ModelUnpaid, // comes with 429, but waiting does not help
	"billing_error":              agent.ModelUnpaid,
	"billing_not_active":         agent.ModelUnpaid,
	"billing_hard_limit_reached": agent.ModelUnpaid,

	"not_found_error":      agent.ModelSetUp,
	"model_not_found":      agent.ModelSetUp,
	"deployment_not_found": agent.ModelSetUp,

	"rate_limit_error":    agent.ModelRateLimited,
	"rate_limit_exceeded": agent.ModelRateLimited,

	"overloaded_error": agent.ModelTransient,
	"api_error":        agent.ModelTransient,
	"server_error":     agent.ModelTransient,
	"timeout_error":    agent.ModelTransient,

	"context_length_exceeded":   agent.ModelTooLong,
	"request_too_large":         agent.ModelTooLong,
	"exceed_context_size_error": agent.ModelTooLong,

	"invalid_request_error": agent.ModelInvalid,
}

// unpaid are the words for used-up credit where no code says so: Anthropic's
// "invalid_request_error" with status 400, and those of several gateways.
var unpaid = []string{"credit balance is too low", "insufficient credits", "insufficient balance", "your specified api usage limits"}

// tooLong are the words for an exceeded context window where no code says so,
// and for a request above a whole minute's allowance, which never fits either.
var tooLong = []string{
	"maximum context length", "context window", "context length", "context limit", "context size",
	"prompt is too long", "input is too long", "request too large", "tokens must be reduced",
	"exceeds the maximum number of tokens",
}

// noModel are the words for an unknown model where no code says so and the
// status is that of any bad request.
var noModel = []string{"model not exist", "model does not exist", "not a valid model", "invalid model", "unknown model"}

func (f fault) kind(status int) agent.ModelErrorKind {
	switch status {
	case 0, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusTooManyRequests:
		if f.says(tooLong) {
			return agent.ModelTooLong
		}
	}
	switch {
	case status >= 500:
	case f.says(unpaid):
		return agent.ModelUnpaid
	case f.says(noModel):
		return agent.ModelSetUp
	}
	named, ok := names[f.Code]
	if !ok {
		named, ok = names[f.Type]
	}
	byStatus := statusKind(status)
	general := named != agent.ModelSetUp && named != agent.ModelUnpaid
	if !ok || general && (byStatus == agent.ModelAuth || byStatus == agent.ModelUnpaid || byStatus == agent.ModelSetUp) {
		return byStatus // whatever general type the text gives it
	}
	return named
}

func (f fault) says(any []string) bool {
	lower := strings.ToLower(f.Message)
	return slices.ContainsFunc(any, func(words string) bool { return strings.Contains(lower, words) })
}

func statusKind(status int) agent.ModelErrorKind {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return agent.ModelAuth
	case http.StatusPaymentRequired:
		return agent.ModelUnpaid
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone:
		return agent.ModelSetUp
	case http.StatusTooManyRequests:
		return agent.ModelRateLimited
	case http.StatusRequestEntityTooLarge:
		return agent.ModelTooLong
	case 0, http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly:
		return agent.ModelTransient
	}
	switch {
	case status >= 500:
		return agent.ModelTransient
	case status >= 300 && status < 400:
		return agent.ModelSetUp // a redirect: see the package's decisions
	}
	return agent.ModelInvalid
}
