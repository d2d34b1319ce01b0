package person

// Reason says in a word why an event was not served, for logs and previews.
type Reason string

// The reasons.
const (
	OwnMessage        Reason = "own_message"         // the bot's own
	BotMessage        Reason = "bot_message"         // another bot's or a webhook's, and those are not let in
	NotAddressed      Reason = "not_addressed"       // said where the bot can hear it, but not to the bot
	Duplicate         Reason = "duplicate"           // kept before
	EditWithoutChange Reason = "edit_without_change" // the text is what it was
	EditAfterTurn     Reason = "edit_after_turn"     // the message was answered or never was for the bot
	Deleted           Reason = "deleted"             // the message is gone
	SystemMessage     Reason = "system_message"      // the platform speaks, not a person
	AnonymousSender   Reason = "anonymous_sender"    // speaks as a chat: no identity, no rights
	Stale             Reason = "stale"               // older than what is still served
	Stranger          Reason = "stranger"            // nobody let this person in
	GuestInSpace      Reason = "guest"               // a guest of the workspace, outside a direct conversation
	SpaceClosed       Reason = "space_closed"        // an admin closed this place to the bot
	Blocked           Reason = "blocked"             // an admin took this person's access away
)
