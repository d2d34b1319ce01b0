package reflect

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/storage"
)

// Where reports lie, in the shard of their task's place.
const (
	reports = "learning.report" // documents of Report, by id
	reviews = "learning.review" // documents of reviewed, by task
)

// reviewed is how far a task was looked at.
type reviewed struct {
	Turns int   `json:"turns"`
	Depth Depth `json:"depth"`
}

// covers reports whether there is nothing more to be seen.
func (r reviewed) covers(turns int, d Depth) bool {
	return r.Turns >= turns && r.Depth.level() >= d.level()
}

// idOf names a report: the same look at the same task has the same one, and
// ids sort by time.
func idOf(t trace.Task, turns int, d Depth, at time.Time) string {
	sum := sha256.Sum256([]byte(fmt.Sprintf("%s %d %s", t.ID, turns, d)))
	return at.UTC().Format(idTime) + "-" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:5]))
}

const idTime = "20060102-150405"

// writtenAt is when the report of an id was written, false for what is none.
func writtenAt(id string) (time.Time, bool) {
	if len(id) != len(idTime)+len("-")+8 || id[len(idTime)] != '-' {
		return time.Time{}, false
	}
	at, err := time.Parse(idTime, id[:len(idTime)])
	return at, err == nil
}

// keep stores a report and how far the task was seen, in one step.
func (r *Reviewer) keep(ctx context.Context, t trace.Task, rep Report) error {
	key, seen := t.ID, reviewed{rep.Seen, rep.Depth}
	if rep.Cause == learning.Midway {
		key, seen.Turns = midwayKey(t), t.Calls
	}
	b := storage.On(person.ShardOf(t.Place)).PutFor(reviews, key, seen, storage.Any, r.cfg.Keep)
	if r.cfg.Reports {
		b.PutFor(reports, rep.ID, rep, storage.Any, r.cfg.Keep)
	}
	if _, err := r.cfg.Store.Commit(ctx, b); err != nil {
		return fmt.Errorf("keep report: %w", err)
	}
	if !r.cfg.Reports {
		return nil // without the report, nobody would know whose the copy is
	}
	if err := (Copies{r.cfg.Path, r.cfg.Keep}).write(rep); err != nil {
		r.cfg.Log.Warn("no copy of a report", "report", rep.ID, "err", err)
	}
	return nil
}

// seen is how far a task was looked at.
func (r *Reviewer) seen(ctx context.Context, p storage.Partition, key string) (reviewed, error) {
	d, err := storage.Get[reviewed](ctx, r.cfg.Store, p, reviews, key)
	if errors.Is(err, storage.ErrNotFound) {
		return reviewed{}, nil
	}
	return d.Value, err
}

// Each calls yield for the reports of a shard, the oldest first.
func Each(ctx context.Context, s *storage.Store, p storage.Partition, yield func(Report) error) error {
	return each(ctx, s, p, reports, func(_ string, r Report) error { return yield(r) })
}

// each calls yield for every document of a collection, in order.
func each[T any](ctx context.Context, s *storage.Store, p storage.Partition, collection string, yield func(key string, v T) error) error {
	for d, err := range storage.All[T](ctx, s, p, collection, "") {
		if err != nil {
			return fmt.Errorf("list %s: %w", collection, err)
		}
		if err := yield(d.Key, d.Value); err != nil {
			return err
		}
	}
	return nil
}

// Reports are the latest reports of a place, the latest first.
func Reports(ctx context.Context, s *storage.Store, place chat.Address, limit int) ([]Report, error) {
	var out []Report
	err := Each(ctx, s, person.ShardOf(place), func(r Report) error {
		if r.Place == place.Place().String() {
			out = append(out, r)
		}
		return nil
	})
	slices.Reverse(out)
	return out[:min(len(out), limit)], err
}

// ErrNoReport: there is no such report at that place.
var ErrNoReport = errors.New("no report has that id")

// ReportOf is one report of a place, named by its id or a part of it that no
// other has.
func ReportOf(ctx context.Context, s *storage.Store, place chat.Address, id string) (Report, error) {
	const all = 1000
	found, err := Reports(ctx, s, place, all)
	if err != nil {
		return Report{}, err
	}
	found = slices.DeleteFunc(found, func(r Report) bool { return id == "" || !strings.Contains(r.ID, id) })
	if len(found) != 1 {
		return Report{}, ErrNoReport
	}
	return found[0], nil
}
