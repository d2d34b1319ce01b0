package scheduler

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"talaria/core/person"
	"talaria/storage"
)

// buckets is how many partitions hold jobs and timers. It must not change:
// where a job lies follows from it.
const buckets = 16

const (
	jobs    = "job"     // documents in a bucket, by id
	indexes = "jobs"    // documents in a person's partition
	self    = "self"    // the only key of an index
	wake    = "job.due" // topic: a timer was set
)

func bucket(n int) storage.Partition { return storage.System(fmt.Sprintf("jobs/%02d", n)) }

func bucketOf(id string) storage.Partition {
	h := fnv.New32a()
	h.Write([]byte(id))
	return bucket(int(h.Sum32() % buckets))
}

// kind is what a timer is for.
type kind string

const (
	slotTimer kind = "slot" // the next slot of a job
	runTimer  kind = "run"  // a run that somebody asked for
	lookTimer kind = "look" // to see what became of a run
)

// errand is the value of a timer.
type errand struct {
	Kind kind      `json:"kind"`
	Job  string    `json:"job"`
	At   time.Time `json:"at,omitzero"` // with lookTimer: the slot
}

func (e errand) timer() string {
	if e.Kind == slotTimer || e.Kind == runTimer { // a job has one of each
		return string(e.Kind) + "/" + e.Job
	}
	return fmt.Sprintf("%s/%s/%d", e.Kind, e.Job, e.At.UnixMilli())
}

func readErrand(t storage.Timer) (errand, error) {
	var e errand
	if err := json.Unmarshal(t.Value, &e); err != nil {
		return e, fmt.Errorf("timer %q: %w: %v", t.ID, storage.ErrCorrupt, err)
	}
	return e, nil
}

// index is a person's jobs. It may name some that do not exist, never the
// other way round.
type index struct {
	IDs []string `json:"ids"`
}

// stored is a job with its revision.
type stored struct {
	Job
	revision storage.Revision
}

// load returns a job, or ErrNoJob.
func (s *Scheduler) load(ctx context.Context, id string) (stored, error) {
	d, err := storage.Get[Job](ctx, s.cfg.Store, bucketOf(id), jobs, id)
	if errors.Is(err, storage.ErrNotFound) {
		return stored{}, ErrNoJob
	}
	if err != nil {
		return stored{}, fmt.Errorf("read job %s: %w", id, err)
	}
	return stored{d.Value, d.Revision}, nil
}

// put adds to a batch that the job is what it is now.
func (s *Scheduler) put(b *storage.Batch, j stored) {
	ttl := time.Duration(0)
	if j.Over {
		ttl = keptOver
	}
	b.PutFor(jobs, j.ID, j.Job, j.revision, ttl)
}

// indexed lists the ids of a person's jobs.
func (s *Scheduler) indexed(ctx context.Context, who person.ID) ([]string, error) {
	d, err := storage.Get[index](ctx, s.cfg.Store, storage.Person(string(who)), indexes, self)
	if errors.Is(err, storage.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list jobs of a person: %w", err)
	}
	return d.Value.IDs, nil
}

// reindex changes a person's index by compare-and-set.
func (s *Scheduler) reindex(ctx context.Context, who person.ID, change func(ids []string) ([]string, error)) error {
	at := storage.Person(string(who))
	for {
		d, err := storage.Get[index](ctx, s.cfg.Store, at, indexes, self)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return fmt.Errorf("list jobs of a person: %w", err)
		}
		ids, err := change(slices.Clone(d.Value.IDs))
		if err != nil || slices.Equal(ids, d.Value.IDs) {
			return err
		}
		b := storage.On(at).Durable().Put(indexes, self, index{ids}, d.Revision)
		if _, err = s.cfg.Store.Commit(ctx, b); !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
}

// update changes a job by compare-and-set. What is due by now is decided on
// first, so that a change never alters it.
func (s *Scheduler) update(ctx context.Context, id string, change func(j *Job, b *storage.Batch, now time.Time) error) (Job, error) {
	for {
		j, err := s.load(ctx, id)
		if err != nil {
			return Job{}, err
		}
		now, err := s.cfg.Store.Now(ctx)
		if err != nil {
			return Job{}, err
		}
		if s.cfg.Hand != nil && (j.Firing != nil || j.isDue(now)) {
			if err := s.settle(ctx, j, now); err != nil && !errors.Is(err, storage.ErrConflict) {
				return Job{}, err
			}
			continue
		}
		b := storage.On(bucketOf(id)).Durable()
		if err := change(&j.Job, b, now); err != nil {
			return Job{}, err
		}
		s.put(b, j)
		_, err = s.cfg.Store.Commit(ctx, b)
		if errors.Is(err, storage.ErrConflict) {
			continue
		}
		if err == nil {
			s.alarm(ctx)
		}
		return j.Job, err
	}
}

// arm adds the timer of the job's next slot to a batch, or takes it away.
func (j *Job) arm(b *storage.Batch) {
	e := errand{Kind: slotTimer, Job: j.ID}
	if j.Next.IsZero() {
		// A timer can only be settled under its due time; one that is set and
		// settled in one step is gone whatever it was.
		b.SetTimer(e.timer(), time.UnixMilli(0), e).SettleTimer(e.timer(), time.UnixMilli(0), time.Time{})
		return
	}
	b.SetTimer(e.timer(), j.due(j.Next), e)
}

// alarm has every replica look at the timers anew. Best effort: they look
// every few seconds anyway.
func (s *Scheduler) alarm(ctx context.Context) {
	select {
	case s.woken <- struct{}{}:
	default:
	}
	_ = s.cfg.Store.Publish(ctx, wake, nil)
}

// idOf makes ids from a request's key, n of them until one is free.
func idOf(key string, n int) string {
	sum := sha256.Sum256([]byte(key))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:5+2*n])
}
