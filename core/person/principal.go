package person

import "talaria/core/chat"

// ID identifies one human across platforms. It is opaque and never shown.
type ID string

// TeamID identifies a tenant. It is stable: configuration names point to it.
type TeamID string

// Role is what somebody may do, in growing order of rights.
type Role string

// The roles.
const (
	Nobody   Role = ""
	BotRole  Role = "bot"
	Guest    Role = "guest"
	Member   Role = "member"
	Approver Role = "approver"
	Admin    Role = "admin"
)

// String is the role's name as people write it: that of no rights is "nobody".
func (r Role) String() string {
	if r == Nobody {
		return "nobody"
	}
	return string(r)
}

// Principal is on whose behalf something is done, and where. It is made by
// this package from a platform-verified author and bound into every handle to
// stored data; no model and no tool argument can name another.
type Principal struct {
	Person   ID
	Identity chat.Identity
	Name     string // display name: hostile data, for showing only
	Team     TeamID
	Role     Role
	Place    chat.Address // where the request was made, thread included
	Direct   bool         // Place is a conversation of this person and the bot
	// Guest: the platform has the account as its guest, and nobody's word in the
	// configuration makes more of it.
	Guest bool `json:",omitempty"`
}

var ranks = map[Role]int{Nobody: 0, BotRole: 1, Guest: 2, Member: 3, Approver: 4, Admin: 5}

// AtLeast reports whether a role has all the rights of another. A bot has
// none of a person's, and an unknown role is nobody's.
func AtLeast(have, need Role) bool {
	if have == BotRole || ranks[have] == 0 {
		return false
	}
	return ranks[have] >= ranks[need]
}
