package wire

import (
	"bytes"
	"encoding/json"
)

// Arguments makes the arguments of an earlier call fit to be sent back. Models
// write broken JSON at times; endpoints then refuse the whole history, so the
// broken text goes back as a string within an object, where the model can
// still see what it wrote.
func Arguments(raw json.RawMessage) json.RawMessage {
	trimmed := bytes.TrimSpace(raw)
	if len(trimmed) == 0 {
		return json.RawMessage("{}")
	}
	if trimmed[0] == '{' && json.Valid(trimmed) {
		return json.RawMessage(trimmed)
	}
	wrapped, _ := json.Marshal(map[string]string{"unreadable_arguments": string(raw)}) // strings always marshal
	return wrapped
}

// Schema is a tool's schema as it is, or for a tool without one that of no
// arguments, for both formats demand one.
func Schema(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return raw
}
