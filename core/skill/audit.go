package skill

import (
	"time"

	"talaria/core/chat"
	"talaria/core/person"
)

// Entry is one decision in the audit log, refused ones too.
type Entry struct {
	At      time.Time     `json:"at"`
	Action  string        `json:"action"` // such as "approve"
	Ref     Ref           `json:"ref"`
	Hash    string        `json:"hash,omitempty"`
	By      person.ID     `json:"by,omitempty"` // empty: Talaria itself
	As      chat.Identity `json:"as,omitzero"`
	Role    person.Role   `json:"role,omitempty"`
	Place   string        `json:"place,omitempty"`
	Reason  string        `json:"reason,omitempty"`
	Refused string        `json:"refused,omitempty"` // why; empty: it was done
}
