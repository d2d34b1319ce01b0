package chat

import "time"

// Kind is what sort of thing happened.
type Kind string

// The kinds of event. Which fields of Event are set beside the common ones
// stands with each.
const (
	Message  Kind = "message"  // Text, Attachments, Quoted
	Command  Kind = "command"  // Command
	Press    Kind = "press"    // Press: a button or a choice from a list
	Form     Kind = "form"     // Form: a submitted form
	Query    Kind = "query"    // Query: completion asked for while typing; never kept
	Reaction Kind = "reaction" // Reaction
	Edit     Kind = "edit"     // Text is the new text of Message
	Delete   Kind = "delete"   // Message is gone
	Join     Kind = "join"     // the bot or a person came into the place
	Leave    Kind = "leave"    // the bot or a person left it; nothing can be sent if it was the bot
	Migrate  Kind = "migrate"  // Migrate: the place has a new id
	Tick     Kind = "tick"     // Tick: a timer of our own fired
	// Opened: a person opened their own page of the bot's or, with a thread in the
	// address, an empty conversation with it. They ask for nothing yet.
	Opened Kind = "opened"
)

// Addressed says why an event is for the bot.
type Addressed string

// The ways in which an event can be addressed.
const (
	ByDM      Addressed = "dm"
	ByMention Addressed = "mention"
	ByReply   Addressed = "reply"   // a person replied to a message of the bot's
	ByThread  Addressed = "thread"  // said in a thread that the bot takes part in
	ByCommand Addressed = "command" // a command of the bot's
	Ambient   Addressed = "ambient" // said where the bot can hear it, to nobody in particular
)

// Event is one thing that happened on a platform, in the words of the core.
// Strings in it are valid UTF-8; all of them are hostile data.
type Event struct {
	Kind Kind `json:"kind"`
	// Keys identify the event across redeliveries, the canonical one first.
	// An event any of whose keys was kept before is a duplicate.
	Keys      []string  `json:"keys"`
	At        time.Time `json:"at"` // the platform's time, UTC
	Address   Address   `json:"address"`
	Direct    bool      `json:"direct,omitempty"`  // a conversation of exactly one person and the bot
	Message   string    `json:"message,omitempty"` // platform id of the message it is or concerns
	ReplyTo   string    `json:"reply_to,omitempty"`
	Author    Author    `json:"author"`
	Addressed Addressed `json:"addressed,omitempty"`
	Origin    Origin    `json:"origin"` // of Text; quotes and files have their own
	Text      string    `json:"text,omitempty"`
	// Edited says of a message that its text is not what was sent first: an exact
	// command in it, or a yes, decides nothing.
	Edited bool `json:"edited,omitempty"`

	Command     *CommandCall `json:"command,omitempty"`
	Quoted      *Quote       `json:"quoted,omitempty"`
	Forwarded   bool         `json:"forwarded,omitempty"` // Text is somebody else's: Origin is External
	Attachments []Attachment `json:"attachments,omitempty"`
	Press       *PressData   `json:"press,omitempty"`
	Form        *FormData    `json:"form,omitempty"`
	Query       *QueryData   `json:"query,omitempty"`
	Reaction    *Emoji       `json:"reaction,omitempty"`
	Migrate     *Migration   `json:"migrate,omitempty"`
	Tick        *TickData    `json:"tick,omitempty"`

	// Interaction lets the platform's short-lived private answer be used; the
	// outbox falls back to a direct message when it is absent or has expired.
	Interaction *Interaction `json:"interaction,omitempty"`
	// Page says that a press or a form was on the author's own page, where there
	// is no message to be changed: the page is shown anew.
	Page bool `json:"page,omitempty"`
}

// Key is the canonical dedupe key, empty if the event has none.
func (e Event) Key() string {
	if len(e.Keys) == 0 {
		return ""
	}
	return e.Keys[0]
}

// CommandCall is an exact command as its author typed it.
type CommandCall struct {
	Name string `json:"name"`           // lower case, without slash or bot suffix
	Args string `json:"args,omitempty"` // begins with a line break where it stands below the name
	// Shared says that it was said where other bots hear it too, and to none by
	// name: one that is not known here is theirs.
	Shared bool `json:"shared,omitempty"`
}

// Quote is what a message replies to or forwards: data, never instructions.
// Its origin is External whoever wrote it.
type Quote struct {
	User string `json:"user,omitempty"` // id of its author, where the platform tells
	Name string `json:"name,omitempty"`
	Text string `json:"text"`
	Own  bool   `json:"own,omitempty"` // the bot wrote it
}

// AttachmentKind is the rough sort of a file.
type AttachmentKind string

// The sorts of files.
const (
	Image AttachmentKind = "image"
	Audio AttachmentKind = "audio"
	Video AttachmentKind = "video"
	File  AttachmentKind = "file"
)

// Attachment is a file that came with an event.
type Attachment struct {
	Kind  AttachmentKind `json:"kind"`
	Label string         `json:"label"` // cleaned display name; never used as a path
	MIME  string         `json:"mime,omitempty"`
	Size  int64          `json:"size,omitempty"`  // bytes, as the platform says
	Ref   string         `json:"ref"`             // the platform's file id
	Blob  string         `json:"blob,omitempty"`  // hash of our copy, once copied
	Error string         `json:"error,omitempty"` // why there is no copy, such as "too_large"
}

// PressData is a pressed button. Action and Token are the halves of the
// opaque reference that Button carries; they authorise nothing by themselves.
type PressData struct {
	Action string `json:"action"`
	Token  string `json:"token,omitempty"`
	Value  string `json:"value,omitempty"` // the choice, where it was a list
}

// FormData is a submitted form.
type FormData struct {
	Action string            `json:"action"`
	Token  string            `json:"token,omitempty"`
	Values map[string]string `json:"values"`
}

// QueryData asks for completions of a half-typed command option.
type QueryData struct {
	Command string `json:"command"`
	Verb    string `json:"verb,omitempty"` // MenuVerb.Name, where the command has verbs
	Option  string `json:"option"`
	Typed   string `json:"typed"`
}

// Emoji is a reaction to Event.Message.
type Emoji struct {
	Name  string `json:"name"` // the character, or the platform's short name
	Added bool   `json:"added"`
}

// Migration says that everything kept for one place belongs to another now.
type Migration struct {
	From Address `json:"from"`
	To   Address `json:"to"`
}

// TickData is a timer's due moment.
type TickData struct {
	ID    string    `json:"id"`
	Due   time.Time `json:"due"`
	Value []byte    `json:"value,omitempty"`
}

// Interaction is the platform's handle for a private or late answer.
type Interaction struct {
	ID      string    `json:"id"`
	Token   string    `json:"token"`
	Expires time.Time `json:"expires"`
	// Room is how many UTF-16 units the private answer can have, where it is a
	// notice without buttons, and zero where it is a message like any other.
	Room int `json:"room,omitempty"`
}
