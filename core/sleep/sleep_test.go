package sleep

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestFor(t *testing.T) {
	for name, c := range map[string]struct {
		ends, wait time.Duration // the context ends after ends
		want       bool
		took       time.Duration
	}{
		"the time passes":             {ends: time.Hour, wait: time.Minute, want: true, took: time.Minute},
		"the context ends meanwhile":  {ends: time.Second, wait: time.Minute, took: time.Second},
		"the context has ended":       {ends: 0, wait: time.Minute},
		"nothing to wait for":         {ends: time.Hour, wait: 0, want: true},
		"less than nothing":           {ends: time.Hour, wait: -time.Second, want: true},
		"nothing, and it is too late": {ends: 0, wait: 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), c.ends)
				defer cancel()
				begin := time.Now()
				if got := For(ctx, c.wait); got != c.want {
					t.Errorf("For = %t, want %t", got, c.want)
				}
				if took := time.Since(begin); took != c.took {
					t.Errorf("waited for %v, want %v", took, c.took)
				}
			})
		})
	}
}
