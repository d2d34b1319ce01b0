package export

import (
	"context"
	"errors"
	"fmt"

	"talaria/core/person"
	"talaria/core/trace"
	"talaria/storage"
)

// Where consent lies in a person's partition.
const (
	consents = "consent"
	training = "training"
)

// consent is what a person said.
type consent struct {
	Given bool `json:"given"`
}

// SetConsent keeps whether a person's traces may be exported.
func SetConsent(ctx context.Context, s *storage.Store, who person.ID, given bool) error {
	b := storage.On(storage.Person(string(who))).Put(consents, training, consent{given}, storage.Any)
	if _, err := s.Commit(ctx, b); err != nil {
		return fmt.Errorf("keep the consent to export: %w", err)
	}
	return nil
}

// Consented reports whether a person's traces may be exported; otherwise is the
// answer for those who have not said.
func Consented(ctx context.Context, s *storage.Store, who person.ID, otherwise bool) (bool, error) {
	d, err := storage.Get[consent](ctx, s, storage.Person(string(who)), consents, training)
	if errors.Is(err, storage.ErrNotFound) {
		return otherwise, nil
	}
	if err != nil {
		return false, fmt.Errorf("look up the consent to export: %w", err)
	}
	return d.Value.Given, nil
}

// agreed remembers who agreed, for the time of one export.
type agreed struct {
	store     *storage.Store
	otherwise bool
	known     map[person.ID]bool
}

// all reports whether everybody who spoke in a task agreed.
func (a *agreed) all(ctx context.Context, t trace.Task) (bool, error) {
	for _, who := range t.People() {
		yes, known := a.known[who]
		if !known {
			var err error
			if yes, err = Consented(ctx, a.store, who, a.otherwise); err != nil {
				return false, err
			}
			a.known[who] = yes
		}
		if !yes {
			return false, nil
		}
	}
	return true, nil
}

// NewLinked returns the mover of consents: one no is a no.
func NewLinked(s *storage.Store) person.Mover {
	return person.Choice[consent]{Store: s, Collection: consents, Key: training, Join: func(mine, theirs consent) consent {
		return consent{mine.Given && theirs.Given}
	}}
}
