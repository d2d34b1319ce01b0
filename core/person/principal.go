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
}
