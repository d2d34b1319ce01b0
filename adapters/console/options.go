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
	// Folder is where this machine keeps what was typed and the files that were
	// sent to the console, see [Erase]. Empty: files are named and not saved,
	// and there is no history.
	Folder string
	// OpenBlob opens the content of an Upload that lies in the blob store.
	OpenBlob func(ctx context.Context, place chat.Address, hash string) (io.ReadCloser, error)
	Log      *slog.Logger
	// Language is that of whoever sits there, in BCP 47, as far as their
	// surroundings tell. Empty: unknown.
	Language string
}

// limits are those of a terminal: none, but a pace at which text can be read
// while it grows.
func limits() chat.Limits { return chat.Limits{Unit: chat.CodePoints, EditPace: editPace} }
