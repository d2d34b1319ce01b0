package propose

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talaria/core/person"
	"talaria/core/skill"
	"talaria/storage"
)

// quotas are the documents that count what was learned, by scope and day. They
// outlive the day a little, for clocks and zones.
const (
	quotas    = "learning.quota"
	quotaKeep = 72 * time.Hour
)

// spent is what was learned in one scope on one day.
type spent struct {
	Skills int `json:"skills"`
	Cards  int `json:"cards"`
}

// spend counts one more into what was learned today where c's scope is, or
// reports false where that would be too much. The day is that of the scope's
// zone.
func (p *Proposer) spend(ctx context.Context, who person.Principal, count func(*spent) (*int, int)) (bool, error) {
	at := storage.Team(string(who.Team))
	if who.Direct {
		at = storage.Person(string(who.Person))
	}
	for {
		day, err := p.today(ctx, who)
		if err != nil {
			return false, fmt.Errorf("count what is learned: %w", err)
		}
		key := skill.Here(who).String() + " " + day
		doc, err := storage.Get[spent](ctx, p.config.Store, at, quotas, key)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return false, fmt.Errorf("count what is learned: %w", err)
		}
		n, most := count(&doc.Value)
		if *n >= most {
			return false, nil
		}
		*n++
		_, err = p.config.Store.Commit(ctx, storage.On(at).PutFor(quotas, key, doc.Value, doc.Revision, quotaKeep))
		switch {
		case err == nil:
			return true, nil
		case !errors.Is(err, storage.ErrConflict):
			return false, fmt.Errorf("count what is learned: %w", err)
		}
	}
}

func (p *Proposer) skills(s *spent) (*int, int) { return &s.Skills, p.config.Limits.Skills }
func (p *Proposer) cards(s *spent) (*int, int)  { return &s.Cards, p.config.Limits.Cards }

// today is the date where somebody is.
func (p *Proposer) today(ctx context.Context, who person.Principal) (string, error) {
	now, err := p.config.Store.Now(ctx)
	if err != nil {
		return "", err
	}
	zone := p.config.Zone
	if who.Direct {
		told, err := person.ReadSettings(ctx, p.config.Store, who)
		if err != nil {
			return "", err
		}
		if told.Zone != "" {
			zone = told.Location()
		}
	}
	if zone == nil {
		zone = time.UTC
	}
	return now.In(zone).Format(time.DateOnly), nil
}
