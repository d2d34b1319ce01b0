package person

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"talaria/storage"
)

// Settings are what a person told about how they want to be served. They lie
// in the person's partition and are shown to nobody else.
type Settings struct {
	Zone     string `json:"zone,omitempty"`     // IANA name; empty: UTC
	Language string `json:"language,omitempty"` // as they call it; empty: the one they write in
	Quiet    *Quiet `json:"quiet,omitempty"`    // nil: none
	// Seen is the language that they write in or have their platform in, "en" or
	// "zh", as it was seen last. It is no word of theirs.
	Seen string `json:"seen,omitempty"`
}

// Quiet are the hours, in the person's zone, in which they are not to be
// written to unasked. From may be greater than To: over midnight.
type Quiet struct {
	From int `json:"from"` // hour, 0 to 23
	To   int `json:"to"`   // hour, 0 to 23, from which it is over
}

// Holds reports whether an instant lies in the quiet hours.
func (q Quiet) Holds(at time.Time) bool {
	h := at.Hour()
	if q.From <= q.To {
		return q.From <= h && h < q.To
	}
	return h >= q.From || h < q.To
}

// Location is the zone, UTC where none was told.
func (s Settings) Location() *time.Location {
	zone, err := time.LoadLocation(s.Zone)
	if err != nil {
		return time.UTC
	}
	return zone
}

const settings = "settings" // collection; self is its only key

// ReadSettings returns what p told, the zero value if nothing.
func ReadSettings(ctx context.Context, s *storage.Store, p Principal) (Settings, error) {
	doc, err := storage.Get[Settings](ctx, s, partition(p.Person), settings, self)
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		return Settings{}, fmt.Errorf("read a person's settings: %w", err)
	}
	return doc.Value, nil
}

// ErrZone: there is no such time zone.
var ErrZone = errors.New("that is no time zone; give its name, such as Europe/Berlin or Asia/Shanghai")

// ChangeSettings changes p's own settings. It returns ErrZone, and changes
// nothing, where the zone is none.
func ChangeSettings(ctx context.Context, s *storage.Store, p Principal, change func(*Settings)) error {
	err := update(ctx, s, partition(p.Person), settings, self, func(v *Settings) (bool, error) {
		change(v)
		if _, err := time.LoadLocation(v.Zone); err != nil || v.Zone == "Local" {
			return false, ErrZone
		}
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("change a person's settings: %w", err)
	}
	return nil
}

// LinkedSettings is the Mover of settings: what one account told is what holds,
// and the other's fills in what it did not tell.
func LinkedSettings(s *storage.Store) Mover {
	return Choice[Settings]{s, settings, self, func(mine, theirs Settings) Settings {
		mine.Zone, mine.Language = cmp.Or(mine.Zone, theirs.Zone), cmp.Or(mine.Language, theirs.Language)
		mine.Quiet, mine.Seen = cmp.Or(mine.Quiet, theirs.Quiet), cmp.Or(mine.Seen, theirs.Seen)
		return mine
	}}
}
