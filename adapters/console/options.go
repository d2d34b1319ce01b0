package console

import (
	"context"
	"io"
	"log/slog"

	"talaria/core/chat"
)

// Options connect a console to its surroundings. Idle and Log are required.
type Options struct {
	// Idle waits until everything that was handed over is answered and the
	// answers are out.
	Idle func(ctx context.Context) error
	// Files is the folder that files sent to the console are saved in. Empty:
	// they are named and not saved.
	Files string
	// OpenBlob opens the content of an Upload that lies in the blob store.
	OpenBlob func(ctx context.Context, place chat.Address, hash string) (io.ReadCloser, error)
	Log      *slog.Logger
}

// limits are those of a terminal: none, but a pace at which text can be read
// while it grows.
func limits() chat.Limits { return chat.Limits{Unit: chat.CodePoints, EditPace: editPace} }
