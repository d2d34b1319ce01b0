package learning

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talaria/core/chat"
	"talaria/core/learning/observe"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/storage"
)

// Where things lie in a place's shard.
const (
	openTasks    = "learning.open"        // documents of open, by session
	observations = "learning.observation" // documents of Observed, by task
	notices      = "learning.notice"      // documents of Notice
	said         = "learning.correction"  // documents of corrections, by scope
	kinds        = "learning.kind"        // documents of observe.Kind, by scope and id
	counts       = "learning.count"       // how many turns somebody had, by person
)

// open is a session's task that may still go on.
type open struct {
	Task    string       `json:"task"`
	Place   chat.Address `json:"place"`
	Last    time.Time    `json:"last"`    // end of its last turn
	Quieted bool         `json:"quieted"` // it was told to be quiet since then
	Asked   bool         `json:"asked"`   // that somebody asked to remember it was told
}

// Observed is what is kept of a task's observation.
type Observed struct {
	observe.Observation
	Scope  string       `json:"scope"`
	Place  chat.Address `json:"place"`
	At     time.Time    `json:"at"`
	Gate   Verdict      `json:"gate"`
	People []person.ID  `json:"people"`
}

// ObservationOf returns what was observed of a task, or storage.ErrNotFound.
func ObservationOf(ctx context.Context, s *storage.Store, p storage.Partition, task string) (Observed, error) {
	d, err := storage.Get[Observed](ctx, s, p, observations, task)
	if err != nil {
		return Observed{}, fmt.Errorf("read the observation of task %s: %w", task, err)
	}
	return d.Value, nil
}

// maxKinds bounds the kinds of task of one scope.
const maxKinds = 300

// Kinds are the kinds of task of a place's scope.
func Kinds(ctx context.Context, s *storage.Store, place chat.Address, scope string) ([]observe.Kind, error) {
	docs, err := kindDocs(ctx, s, person.ShardOf(place), scope)
	if err != nil {
		return nil, err
	}
	out := make([]observe.Kind, len(docs))
	for n, d := range docs {
		out[n] = d.Value
	}
	return out, nil
}

// KindOf is one kind of task of a place's scope, the zero one where it is known no
// more.
func KindOf(ctx context.Context, s *storage.Store, place chat.Address, scope, id string) (observe.Kind, error) {
	d, err := orNew[observe.Kind](ctx, s, person.ShardOf(place), kinds, kindKey(scope, id))
	if err != nil {
		return observe.Kind{}, fmt.Errorf("read a kind of task: %w", err)
	}
	return d.Value, nil
}

// kindKey is where a kind lies among those of its shard: behind its scope.
func kindKey(scope, id string) string { return scope + " " + id }

// kindPage is how many kinds are read at once: those of other scopes follow in
// the same shard, and each may hold hundreds of points to decode.
const kindPage = 20

func kindDocs(ctx context.Context, s *storage.Store, p storage.Partition, scope string) ([]storage.Doc[observe.Kind], error) {
	var docs []storage.Doc[observe.Kind]
	after := kindKey(scope, "")
	for len(docs) < maxKinds {
		page, err := storage.List[observe.Kind](ctx, s, p, kinds, after, min(kindPage, maxKinds-len(docs)))
		if err != nil {
			return nil, fmt.Errorf("list kinds of task: %w", err)
		}
		for _, d := range page {
			if d.Value.Scope != scope {
				return docs, nil
			}
			docs, after = append(docs, d), d.Key
		}
		if len(page) < kindPage {
			break
		}
	}
	return docs, nil
}

// corrections are the latest corrections in one scope that said no reason.
type corrections struct {
	Said []correction `json:"said"`
}

type correction struct {
	Task string    `json:"task"`
	Who  person.ID `json:"who"`
	Text string    `json:"text"`
}

const maxCorrections = 100

// earlier are the texts said by one of the people outside of a task.
func (c corrections) earlier(task string, who []person.ID) []string {
	var out []string
	for _, x := range c.Said {
		for _, p := range who {
			if x.Task != task && x.Who == p {
				out = append(out, x.Text)
			}
		}
	}
	return out
}

// with adds a task's corrections in place of those it had.
func (c corrections) with(t trace.Task, o observe.Observation) corrections {
	var out corrections
	for _, x := range c.Said {
		if x.Task != t.ID {
			out.Said = append(out.Said, x)
		}
	}
	for _, f := range o.Feedback {
		if f.Sign.Corrects() && !f.Other {
			out.Said = append(out.Said, correction{t.ID, t.Turns[f.Turn].Who, f.Text})
		}
	}
	out.Said = out.Said[max(len(out.Said)-maxCorrections, 0):]
	return out
}

// orNew reads a document that may not be there yet.
func orNew[T any](ctx context.Context, s *storage.Store, p storage.Partition, collection, key string) (storage.Doc[T], error) {
	d, err := storage.Get[T](ctx, s, p, collection, key)
	if errors.Is(err, storage.ErrNotFound) {
		return storage.Doc[T]{Key: key, Revision: storage.Absent}, nil
	}
	return d, err
}
