package chat

import "context"

// Namer is the power to say what people call a place. Without it places go by
// their ids.
type Namer interface {
	// Names are its names there, the one to show first, without "#" or "@"; none
	// for a conversation that has no name.
	Names(ctx context.Context, a Address) ([]string, error)
}
