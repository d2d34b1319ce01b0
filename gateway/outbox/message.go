package outbox

import (
	"encoding/json"
	"fmt"
	"time"

	"talaria/core/chat"
	"talaria/storage"
)

// keep is how long a settled row is known, so that a turn that runs again
// after a crash does not say the same thing twice.
const keep = 7 * 24 * time.Hour

// Message is one message to be said, as its row holds it.
type Message struct {
	Delivery chat.Delivery `json:"delivery"`         // Delivery.Message once the platform gave an id
	Text     string        `json:"text"`             // what a reader sees
	Live     bool          `json:"live,omitempty"`   // shown while it grows
	Fixed    bool          `json:"fixed,omitempty"`  // can't be put in by an edit
	Final    bool          `json:"final"`            // the payload is the answer's, not a placeholder's
	Notice   bool          `json:"notice,omitempty"` // tells of another message's failure; no notice about itself
	Told     bool          `json:"told,omitempty"`   // Text is kept after it is settled
	Moved    bool          `json:"moved,omitempty"`  // its thread is gone: it goes to the thread's place
	Over     string        `json:"over,omitempty"`   // turn whose last message with words this is put into
	Since    time.Time     `json:"since"`            // when it was first due, by the store's clock
	Error    string        `json:"error,omitempty"`  // why it failed, for people
}

// Key is the row's key, which is also the idempotency key of the delivery.
func (m *Message) Key() string { return m.Delivery.Key }

// PartKey is the key of a turn's n-th message, from 0.
func PartKey(turn string, n int) string { return fmt.Sprintf("%s/%03d", turn, n) }

func decode(r storage.Row) (*Message, error) {
	m := new(Message)
	if err := json.Unmarshal(r.Value, m); err != nil {
		return nil, fmt.Errorf("outbox row %q: %w: %v", r.Key, storage.ErrCorrupt, err)
	}
	return m, nil
}

// Read returns a row's message, for who wants to know what became of it.
func Read(r storage.Row) (Message, error) {
	m, err := decode(r)
	if err != nil {
		return Message{}, err
	}
	return *m, nil
}
