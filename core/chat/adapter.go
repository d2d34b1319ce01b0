package chat

import (
	"context"
	"io"
	"time"
)

// Handler takes events from adapters. Calls may overlap; two events of one
// chat must be handed over one after the other, in the platform's order.
type Handler interface {
	// Handle returns nil once the event is kept (or is known already, or is
	// refused for good); only then the adapter may acknowledge it. After an
	// error the event must be handed over again, by the platform or by the
	// adapter.
	Handle(ctx context.Context, e Event) error
}

// Adapter connects one account on one platform.
type Adapter interface {
	// Platform is the adapter's name as used in addresses.
	Platform() string
	// Run receives until ctx ends and then returns nil. It reconnects by
	// itself; an error means that it can't go on without a person's help, and
	// names the remedy.
	Run(ctx context.Context, h Handler) error
	// Render turns a post into final payloads within Limits, in order. It is
	// pure: no network, no clock. No parts where nothing may be sent.
	Render(p Post) []Part
	// Send performs d once, without retrying. Errors are *Error. Calls may
	// overlap.
	Send(ctx context.Context, d Delivery) (Receipt, error)
	// Limits are the platform's numbers. They do not change.
	Limits() Limits
}

// Editor is the power to replace a message. Without it a live preview is not
// shown and the answer is sent when it is whole.
type Editor interface {
	// Edit replaces d.Message by d.Payload, once. Putting in what is there
	// already is a success.
	Edit(ctx context.Context, d Delivery) (Receipt, error)
}

// Previewer is the power to show the beginning of an answer as the beginning
// of a well-formed one. Without it the beginning is rendered like an answer,
// and what it left open may flicker.
type Previewer interface {
	// Preview is the first message of the answer so far; false while there is
	// nothing to be seen. It is pure.
	Preview(markdown string) (Part, bool)
}

// Drafter is the power to show a growing answer as something that passes by
// itself and is no message yet. Without it, or where Drafts says no, an answer
// grows in its own message.
type Drafter interface {
	// Drafts reports whether growing answers are shown as drafts at a. It makes
	// no call, and may change its answer when a call of Draft was refused.
	Drafts(a Address) bool
	// Draft shows d.Payload as far as it has come; d.Key tells one answer from
	// another. The answer itself is sent by Send, whose outcome no draft tells.
	Draft(ctx context.Context, d Delivery) error
}

// Placeholder is the power to send safely on a platform that neither knows
// idempotency keys nor lets a bot read back: a short first message is sent,
// and the answer put in by an edit, which can be repeated. Without it, or when
// Placeholder returns nil, parts are sent as they are.
type Placeholder interface {
	Placeholder() *Part
}

// Prober is the power to say whether the platform is reached. Without it an
// adapter that runs counts as connected.
type Prober interface {
	// Probe is nil while events come in or none are to come because Run is not
	// up; else it says for how long and why. It makes no call, and its error
	// holds no secret.
	Probe() error
}

// Remover is the power to delete a message of the bot's.
type Remover interface {
	Remove(ctx context.Context, a Address, message string) error
}

// Typer is the power to show that an answer is on its way, for about five
// seconds a call. Without it there is silence.
type Typer interface {
	Typing(ctx context.Context, a Address) error
}

// Linker is the power to say where a message is found on the web. Without it
// what was found is told without a way back.
type Linker interface {
	// Link is the address of a message, empty where it has none or none is
	// known. It is pure.
	Link(a Address, message string) string
}

// Finder is the power to read back whether a delivery took effect. Without it
// an unclear delivery stays of unknown outcome and is shown as such.
type Finder interface {
	// Find returns the receipt of an earlier Send with d.Key, or false where
	// it certainly had no effect. An error leaves the outcome unknown.
	Find(ctx context.Context, d Delivery) (Receipt, bool, error)
}

// Historian is the power to read a place's past messages, as normalised
// events in order, those after the message id first. Without it nothing is
// fetched after a gap.
type Historian interface {
	History(ctx context.Context, a Address, after string, limit int) ([]Event, error)
}

// Threader is the power to list the threads below a place's messages that may
// have new messages since a time, the latest written to first, at most limit of
// them. Threads that are not open to all members of the place are left out.
// Without it threads are read only where their address is known.
type Threader interface {
	Threads(ctx context.Context, a Address, since time.Time, limit int) ([]Address, error)
}

// Downloader is the power to fetch an attachment's bytes. Without it files
// are named but not read.
type Downloader interface {
	Download(ctx context.Context, a Attachment) (io.ReadCloser, error)
}

// Inviter is the power to say whether a sender is a full member of the place
// (not a guest, not restricted). Without it nobody is.
type Inviter interface {
	Member(ctx context.Context, a Address, who Identity) (bool, error)
}

// Exclusive marks an adapter whose Run may be active in one replica only.
type Exclusive interface {
	// Exclusive names the lease, the same in all replicas of one account; empty
	// where, as it is set up, every replica may receive after all.
	Exclusive() string
}

// Checkpointed is the power to go on where another replica stopped.
type Checkpointed interface {
	// UseCheckpoint is called once, before Run.
	UseCheckpoint(c Checkpoint)
}

// Checkpoint keeps an adapter's small state (a session id, a sequence number)
// under its exclusive lease. Load returns nil where nothing was saved.
type Checkpoint interface {
	Load(ctx context.Context) ([]byte, error)
	Save(ctx context.Context, state []byte) error
}

// Menu lists the chat commands that an adapter shows natively.
type Menu struct{ Commands []MenuCommand }

// MenuCommand is one command of the menu. A platform that has no form for
// verbs and options shows the name, and the rest is typed.
type MenuCommand struct {
	Name        string
	Description string
	Told        map[string]string // Description in other languages, by ISO 639-1 code
	Direct      bool              // it is of use in a direct conversation alone
	Verbs       []MenuVerb        // what it can do; with none, Options are its own
	Options     []MenuOption      //
}

// MenuVerb is one thing that a command can do.
type MenuVerb struct {
	Name        string
	Description string
	Unsaid      bool // the command does it without a verb: Name is not typed
	Options     []MenuOption
}

// MenuOption is a value that is typed after a command or a verb. Values stand
// in the order of the options, with a blank between.
type MenuOption struct {
	Name        string
	Description string
	Required    bool     // no required one follows one that is not
	Choices     []string // all that it can be; empty where anything can be said
	Completed   bool     // a Door completes it
}

// MenuHolder is the power to register commands with the platform.
type MenuHolder interface {
	// UseMenu is called once, before Run; the adapter registers it when it
	// connects, and only where it differs from what is registered.
	UseMenu(m Menu)
}

// Door answers what can't wait in a queue: completions, and the opening of
// forms. It is stateless, so any replica can.
type Door interface {
	Answer(ctx context.Context, e Event) (Reply, error)
}

// Reply is a stateless answer: completions, a form to open, or neither, which
// means that the interaction is deferred and its event goes to the Handler.
type Reply struct {
	Choices []Choice
	Form    *FormSpec
}

// Choice is one completion of an option.
type Choice struct {
	Value string // what is put in
	Label string // what is shown; empty for the value
}

// FormSpec is a form to be shown.
type FormSpec struct {
	Title  string
	Action string
	Token  string
	Fields []Field
}

// Field is one input of a form.
type Field struct {
	Name, Label, Value string
	Lines              int // 1 for a single line
	Required           bool
}

// Stateless is the power to answer through a Door. Without it everything goes
// to the Handler.
type Stateless interface {
	// UseDoor is called once, before Run.
	UseDoor(d Door)
}

// Checker is the power to say what is wrong with an account's set-up.
type Checker interface {
	// Check asks the platform and returns findings for people, none if all is
	// well. The texts hold no secret.
	Check(ctx context.Context) []Finding
}

// Finding is one result of a check.
type Finding struct {
	OK     bool   `json:"ok"`
	What   string `json:"what"`             // what was looked at, with what was seen
	Remedy string `json:"remedy,omitempty"` // what to do, where it is not OK
}
