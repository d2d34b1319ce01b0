package chat

import "context"

// Page is what a person's own page of the bot's shows. It is theirs alone.
type Page struct{ Sections []Section }

// Section is a part of a page: its entries, each with its buttons.
type Section struct {
	Title   string
	Entries []Post // of each, Markdown and Buttons are shown
}

// HomeKeeper is the power to show a person a page of their own. Without it they
// ask by commands.
type HomeKeeper interface {
	// ShowHome puts the page in place of the one before. The place is the
	// person's direct conversation, which what they press there is said to have
	// happened in, see Event.Page.
	ShowHome(ctx context.Context, place Address, who Identity, p Page) error
}

// Prompt is something that a person may say at a press.
type Prompt struct{ Label, Text string }

// Suggester is the power to offer what may be said where a conversation is still
// empty. Without it nothing is offered.
type Suggester interface {
	// Suggest puts prompts, of which the first four are shown, in place of those
	// before.
	Suggest(ctx context.Context, place Address, heading string, prompts []Prompt) error
}

// Titler is the power to name a conversation. Without it it has no name.
type Titler interface {
	// Title names the conversation, of a thread of its own, by a text that is
	// cut to what the platform takes.
	Title(ctx context.Context, place Address, title string) error
}
