package manifest

import (
	"fmt"
	"slices"
)

// maxComplaints is how much is said of one skill.
const maxComplaints = 20

// complaints collects what was odd while a skill is read.
type complaints struct{ messages []Message }

// warn adds a message, once. Nobody reads hundreds; the last one says that there
// are more.
func (c *complaints) warn(format string, args ...any) {
	m := Message{Level: Warn, Text: fmt.Sprintf(format, args...)}
	switch {
	case len(c.messages) > maxComplaints, slices.Contains(c.messages, m):
		return
	case len(c.messages) == maxComplaints:
		m.Text = "There is more that is odd"
	}
	c.messages = append(c.messages, m)
}

// refuse ends the messages with the reason of a refusal.
func (c *complaints) refuse(err error) []Message {
	return append(c.messages, Message{Level: Refuse, Text: err.Error()})
}

// refused is why a skill can't be used.
type refused struct{ reason string }

func (r *refused) Error() string { return r.reason }
func (r *refused) Unwrap() error { return ErrRefused }

// refusal is an error for people, a whole sentence as every message.
func refusal(format string, args ...any) error {
	return &refused{reason: fmt.Sprintf(format, args...)}
}
