package config

import (
	"fmt"
	"log/slog"
)

const redacted = "[redacted]"

// Secret is a value that is never written out: not by fmt, not by
// encoding/json or toml, not by slog. The zero value is unset.
//
// The text lies behind a pointer because fmt can't call methods on unexported
// fields: printing a struct that holds a Secret in one shows an address.
type Secret struct{ text *string }

// NewSecret returns s as a secret; an empty s is an unset one.
func NewSecret(s string) Secret {
	if s == "" {
		return Secret{}
	}
	return Secret{&s}
}

// Reveal returns the text, empty if unset.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// IsSet reports whether there is a text.
func (s Secret) IsSet() bool { return s.text != nil }

// String returns a stand-in, empty if unset.
func (s Secret) String() string {
	if s.text == nil {
		return ""
	}
	return redacted
}

// GoString is String for %#v.
func (s Secret) GoString() string { return "Secret(" + s.String() + ")" }

// Format writes the stand-in whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, s.String()) }

// MarshalText returns the stand-in; a configuration that was written out can
// not be read back with its secrets.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText sets the text.
func (s *Secret) UnmarshalText(b []byte) error {
	*s = NewSecret(string(b))
	return nil
}

// LogValue implements slog.LogValuer.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
