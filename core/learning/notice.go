package learning

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/storage"
)

// Cause is why somebody is told of a task.
type Cause string

// The causes.
const (
	Quiet    Cause = "quiet"    // nothing was said for a while; the task may still go on
	Over     Cause = "over"     // the task is settled
	Remember Cause = "remember" // somebody asked to keep this way of working
	Third    Cause = "third"    // it is at least the third alike request
	Late     Cause = "late"     // feedback came after the task was over
	Tenth    Cause = "tenth"    // it has somebody's tenth, twentieth, ... turn
	Midway   Cause = "midway"   // a long turn of it is under way
)

// Notice tells of a task that is worth a look now.
type Notice struct {
	Task    string         `json:"task"`
	Cause   Cause          `json:"cause"`
	Ended   trace.Settling `json:"ended,omitempty"` // with Over: by what
	Place   chat.Address   `json:"place"`           // its shard holds trace and observation
	Session string         `json:"session"`
	Person  person.ID      `json:"person"`
	At      time.Time      `json:"at"`
	// So is the task as it stands, with Midway: it is kept nowhere else.
	So *Midways `json:"so,omitempty"`
}

// Midways is a task in the middle of a turn.
type Midways struct {
	Task     trace.Task `json:"task"`
	Observed Observed   `json:"observed"`
}

// ErrLater is the error of a Listener that has a good reason to be told again.
var ErrLater = errors.New("it is looked at later")

// Listener is told of tasks. A notice is told again, maybe by another process,
// until Task returns nil; of one task several may wait. Calls do not overlap.
type Listener interface {
	Task(ctx context.Context, n Notice) error
}

// notify adds a notice to b. One of the same cause that still waits is replaced.
func (r *Recorder) notify(b *storage.Batch, t trace.Task, c Cause) {
	if r.cfg.Listener == nil {
		return
	}
	n := Notice{Task: t.ID, Cause: c, Place: t.Place, Session: t.Session, Person: t.Person, At: t.Last()}
	if c == Over {
		n.Ended = t.Settled
	}
	b.Put(notices, t.ID+" "+string(c), n, storage.Any)
}

// tell tells the listener of a task, unless learning was switched off since.
func (r *Recorder) tell(ctx context.Context, n Notice) error {
	if off, err := Stopped(ctx, r.cfg.Store, n.Place, n.Person); err != nil || off {
		return err
	}
	return r.cfg.Listener.Task(ctx, n)
}

// Tell hands a shard's notices to the listener, as Run does by itself. One that
// fails stays for the next time, and does not hold up the others.
func (r *Recorder) Tell(ctx context.Context, shard int) error {
	const most = 100
	p := storage.Shard(shard)
	docs, err := storage.List[Notice](ctx, r.cfg.Store, p, notices, "", most)
	if err != nil {
		return fmt.Errorf("list notices: %w", err)
	}
	for _, d := range docs {
		if err := r.tell(ctx, d.Value); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			level := slog.LevelWarn
			if errors.Is(err, ErrLater) {
				level = slog.LevelDebug
			}
			r.cfg.Log.Log(ctx, level, "task not looked at", "task", d.Value.Task, "cause", d.Value.Cause, "err", err)
			continue
		}
		b := storage.On(p).Delete(notices, d.Key, d.Revision)
		if _, err := r.cfg.Store.Commit(ctx, b); err != nil && ctx.Err() == nil {
			r.cfg.Log.Debug("notice told and not removed", "task", d.Value.Task, "err", err)
		}
	}
	return nil
}
