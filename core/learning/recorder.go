package learning

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"talaria/core/chat"
	"talaria/core/learning/observe"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/storage"
)

// Config is what a Recorder is made of. Store, Redactor, Alike and Log are
// required.
type Config struct {
	Enabled  bool // false: what is handed over is dropped
	Store    *storage.Store
	Redactor *trace.Redactor
	// Alike is the calibrated likelihood that two requests ask for the same
	// kind of task.
	Alike func(a, b string) float64
	// Mine says which shards this process looks after; nil: all.
	Mine func(shard int) bool
	// Answers are the platform's ids of the messages that answer a turn, as far
	// as they are known; nil: reactions are not understood.
	Answers func(ctx context.Context, place chat.Address, turn string) ([]string, error)
	// Nearest is the existing skill most similar to a task; nil: there is none.
	Nearest  func(ctx context.Context, t trace.Task) Nearest
	Listener Listener        // told of tasks; nil: nobody is
	Quiet    time.Duration   // silence after which a task is quiet; a minute
	Idle     time.Duration   // silence that ends a task; half an hour
	Every    int             // turns of somebody after which their task is told of, whatever it was; 10
	Repeats  int             // tasks alike before one from which on it is told of; 2
	Gate     Measures        // DefaultMeasures
	Worths   observe.Worths  // observe.DefaultWorths
	Weights  observe.Weights // observe.DefaultWeights
	Keep     time.Duration   // of traces that nothing cites; 30 days
	KeepKind time.Duration   // of a kind of task that does not come again; 180 days
	Log      *slog.Logger
}

// Recorder makes traces and observations of what is handed over. It is safe for
// concurrent use.
type Recorder struct {
	cfg  Config
	wake chan int

	mu   sync.Mutex
	told map[int]bool // shards that may have notices
	more chan struct{}
}

// New returns a recorder. Run runs it.
func New(c Config) *Recorder {
	if c.Quiet == 0 {
		c.Quiet = time.Minute
	}
	const day = 24 * time.Hour
	c.Keep, c.KeepKind = cmp.Or(c.Keep, 30*day), cmp.Or(c.KeepKind, 180*day)
	c.Idle, c.Every, c.Repeats = cmp.Or(c.Idle, 30*time.Minute), cmp.Or(c.Every, 10), cmp.Or(c.Repeats, 2)
	c.Gate, c.Worths = cmp.Or(c.Gate, DefaultMeasures()), cmp.Or(c.Worths, observe.DefaultWorths())
	if c.Mine == nil {
		c.Mine = func(int) bool { return true }
	}
	return &Recorder{cfg: c, wake: make(chan int, 2*storage.Shards), told: map[int]bool{}, more: make(chan struct{}, 1)}
}

// Wake says that something was handed over in a shard. It returns at once.
func (r *Recorder) Wake(shard int) {
	select {
	case r.wake <- shard:
	default: // the sweep finds it
	}
}

// The pace of looking. What was handed over waits for the next tick, so that a
// burst of turns is taken together and after its replies. The sweep is for what
// nobody was woken for: left behind by a crash, or handed over by another
// process.
const (
	tick      = 500 * time.Millisecond
	sweepStep = 2 // shards looked at in every tick, all of them within about a minute
)

// Run works until ctx ends. Nothing is lost by ending it at any time.
func (r *Recorder) Run(ctx context.Context) {
	var listening sync.WaitGroup
	defer listening.Wait()
	if r.cfg.Listener != nil {
		listening.Go(func() { r.listen(ctx) })
	}
	due := map[int]time.Time{}
	for n := range storage.Shards {
		r.look(ctx, n, due)
	}
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for next := 0; ; {
		select {
		case <-ctx.Done():
			r.last(ctx, due)
			return
		case n := <-r.wake:
			due[n] = time.Time{}
		case now := <-ticker.C:
			r.lookDue(ctx, now, due)
			for range sweepStep {
				r.look(ctx, next, due)
				next = (next + 1) % storage.Shards
			}
		}
	}
}

func (r *Recorder) lookDue(ctx context.Context, now time.Time, due map[int]time.Time) {
	for n, at := range due {
		if !now.Before(at) {
			r.look(ctx, n, due)
		}
	}
}

// last takes what was handed over just before the end, as far as a moment
// allows. The next start takes the rest.
func (r *Recorder) last(ctx context.Context, due map[int]time.Time) {
	const moment = 2 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), moment)
	defer cancel()
	for len(r.wake) > 0 {
		due[<-r.wake] = time.Time{}
	}
	for n, at := range due {
		if !at.IsZero() {
			continue
		}
		if _, err := r.Catch(ctx, n); err != nil {
			r.cfg.Log.Warn("left to be observed with the next start", "shard", n, "err", err)
		}
	}
}

// look takes what waits in a shard, settles what is idle there, and notes when
// to look again.
func (r *Recorder) look(ctx context.Context, shard int, due map[int]time.Time) {
	if ctx.Err() != nil {
		return // what is due stays so until the last look
	}
	delete(due, shard)
	if !r.cfg.Mine(shard) {
		return
	}
	next, err := r.Catch(ctx, shard)
	if err != nil && ctx.Err() != nil {
		due[shard] = time.Time{} // the end cut it off
		return
	}
	if err != nil {
		level := slog.LevelWarn
		if errors.Is(err, storage.ErrConflict) {
			level = slog.LevelDebug // somebody else is at it: a replica, or who asked for a review
		}
		r.cfg.Log.Log(ctx, level, "not observed yet", "shard", shard, "err", err)
		next = time.Now().Add(tick)
	}
	if !next.IsZero() {
		due[shard] = next
	}
	if r.cfg.Listener != nil {
		r.mu.Lock()
		r.told[shard] = true
		r.mu.Unlock()
		signal(r.more)
	}
}

// Catch takes all that waits in a shard and settles what is idle there. It
// returns when the next task will be quiet or idle, zero for never.
func (r *Recorder) Catch(ctx context.Context, shard int) (time.Time, error) {
	const some = 32
	p := storage.Shard(shard)
	for {
		waiting, err := trace.Waiting(ctx, r.cfg.Store, p, some)
		if err != nil {
			return time.Time{}, err
		}
		for _, h := range waiting {
			if err := r.one(ctx, p, h); err != nil {
				return time.Time{}, err
			}
		}
		if len(waiting) < some {
			return r.idle(ctx, shard, time.Now())
		}
	}
}

// one takes a hand-over over. One that can never be taken is dropped: it would
// hold up all that come after it.
func (r *Recorder) one(ctx context.Context, p storage.Partition, h trace.Handover) error {
	wanted, err := r.wanted(ctx, h.Value)
	if err == nil && wanted {
		err = r.take(ctx, p, h)
	}
	switch {
	case err == nil && wanted:
		return nil
	case errors.Is(err, storage.ErrInvalid), errors.Is(err, storage.ErrCorrupt):
		r.cfg.Log.Error("hand-over dropped", "partition", p, "err", err)
	case err != nil:
		return err // also where the outcome is unknown: it waits still if nothing was done
	}
	b := storage.On(p)
	trace.Taken(b, h)
	_, err = r.cfg.Store.Commit(ctx, b)
	return err
}

// wanted reports whether what was handed over is to be kept: nothing is where
// learning is switched off, or of a person who has.
func (r *Recorder) wanted(ctx context.Context, raw trace.Raw) (bool, error) {
	if !r.cfg.Enabled || raw.Ended {
		return r.cfg.Enabled, nil // what was begun before may end
	}
	var who person.ID
	if raw.Turn != nil {
		who = raw.Turn.Who
	}
	off, err := Stopped(ctx, r.cfg.Store, raw.Place, who)
	return !off, err
}

// listen tells the listener, shard by shard, until ctx ends.
func (r *Recorder) listen(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.more:
		}
		r.mu.Lock()
		shards := r.told
		r.told = map[int]bool{}
		r.mu.Unlock()
		for n := range shards {
			if err := r.Tell(ctx, n); err != nil && ctx.Err() == nil {
				r.cfg.Log.Warn("nobody told of tasks", "shard", n, "err", err)
			}
		}
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
