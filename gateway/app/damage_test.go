package app

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"talaria/storage"
)

func TestWhoWaitsForAnAnswerIsToldOfADamagedStoreOnlyIfItKeepsTheAnswer(t *testing.T) {
	for what, c := range map[string]struct {
		before, meanwhile bool          // damage was met
		takes             time.Duration // the answer
		told              bool
	}{
		"no damage, a slow answer":        {takes: time.Hour},
		"damage that was there before":    {before: true, takes: time.Hour},
		"damage that does not matter":     {meanwhile: true, takes: time.Second},
		"damage that is met all the time": {meanwhile: true, takes: time.Hour, told: true},
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var d damage
				if c.before {
					d.note(storage.ErrCorrupt)
				}
				time.Sleep(time.Second)
				begin := time.Now()
				err := d.unless(t.Context(), func() bool {
					if c.meanwhile {
						d.note(storage.ErrCorrupt)
					}
					return time.Since(begin) >= c.takes
				})
				if errors.Is(err, storage.ErrCorrupt) != c.told || err != nil && !c.told {
					t.Errorf("told %v", err)
				}
			})
		})
	}
}
