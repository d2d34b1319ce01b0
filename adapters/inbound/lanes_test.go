package inbound_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"talaria/adapters/inbound"
)

func TestLanesKeepOrderAndRunSideBySide(t *testing.T) {
	l := inbound.NewLanes()
	var mu sync.Mutex
	var done []string
	together := make(chan struct{})
	for _, key := range []string{"a", "b"} {
		for i := range 3 {
			l.Add(t.Context(), key, func(context.Context) {
				if i == 0 {
					meet(together) // blocks until the other lane is here too
				}
				mu.Lock()
				defer mu.Unlock()
				done = append(done, fmt.Sprint(key, i))
			})
		}
	}
	l.Wait()
	for _, key := range []string{"a", "b"} {
		if !(slices.Index(done, key+"0") < slices.Index(done, key+"1") && slices.Index(done, key+"1") < slices.Index(done, key+"2")) {
			t.Errorf("order %v", done)
		}
	}
}

// meet returns once two have come.
func meet(c chan struct{}) {
	select {
	case c <- struct{}{}:
	case <-c:
	}
}
