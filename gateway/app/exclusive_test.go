package app

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/chat"
	"talaria/storage"
	"talaria/storage/fault"
	"talaria/storage/sqlite"
)

// poller is an adapter that only one replica may run. What it saves at its end
// goes to the store.
type poller struct {
	chat.Adapter
	began chan struct{}
	save  func() error
}

func (p poller) Platform() string  { return "test" }
func (p poller) Exclusive() string { return "test:account" }

func (p poller) Run(ctx context.Context, _ chat.Handler) error {
	p.began <- struct{}{}
	<-ctx.Done()
	return p.save()
}

func TestAPlatformComesBackAfterTheStoreWasAwayForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		faults := fault.Wrap(d, 1)
		store := storage.New(faults)
		defer store.Close()
		p := poller{began: make(chan struct{}, 10), save: func() error {
			_, err := store.Commit(context.WithoutCancel(t.Context()), storage.On(adapterPartition("test:account")).Put("checkpoint", "state", "", storage.Any))
			return err
		}}
		ctx, stop := context.WithCancel(t.Context())
		over := make(chan error, 1)
		go func() {
			over <- receiver{adapter: p, store: store, replica: "one", log: slog.New(slog.DiscardHandler)}.run(ctx, nil)
		}()
		<-p.began
		faults.Set(fault.Rule{Fault: fault.Unavailable()})
		time.Sleep(time.Minute)
		faults.Set()
		select {
		case <-p.began:
		case err := <-over:
			t.Fatalf("the platform stopped for good: %v", err)
		}
		stop()
		if err := <-over; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}
