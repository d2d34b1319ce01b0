package storage_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"talaria/storage"
	"talaria/storage/sqlite"
)

// A batch under a lease applies as a whole, and only while the lease is held.
func ExampleUnder() {
	ctx := context.Background()
	driver, err := sqlite.Open(ctx, ":memory:", sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	store := storage.New(driver)
	defer store.Close()

	shard := storage.Shard(storage.ShardOf("slack", "T1", "C1"))
	fence, err := store.Acquire(ctx, shard, "replica-1", 9*time.Second)
	if err != nil {
		fmt.Println(err)
		return
	}
	step := func() *storage.Batch {
		return storage.Under(fence).Durable().
			Append("transcript", "hello").
			Queue("reply-1", storage.Queued, "hello to you")
	}
	results, err := store.Commit(ctx, step())
	fmt.Println(results[0].Offset, err)

	if err := store.Release(ctx, fence); err != nil {
		fmt.Println(err)
		return
	}
	_, err = store.Commit(ctx, step())
	fmt.Println(errors.Is(err, storage.ErrFenced))
	// Output:
	// 1 <nil>
	// true
}

// A restored store does nothing by itself until it is told that it is live.
func ExampleRestore() {
	ctx := context.Background()
	open := func() *storage.Store {
		driver, err := sqlite.Open(ctx, ":memory:", sqlite.Options{})
		if err != nil {
			panic(err)
		}
		return storage.New(driver)
	}
	old, restored := open(), open()
	defer old.Close()
	defer restored.Close()

	if _, err := old.Commit(ctx, storage.On(storage.Team("t")).Put("skills", "s", "text", storage.Absent)); err != nil {
		fmt.Println(err)
		return
	}
	var backup bytes.Buffer
	if _, err := storage.Backup(ctx, old, &backup); err != nil {
		fmt.Println(err)
		return
	}
	report, err := storage.Restore(ctx, restored, bytes.NewReader(backup.Bytes()), nil)
	fmt.Println(report.Partitions, report.Records, err)

	live, err := restored.Live(ctx)
	fmt.Println(live, err)
	// Output:
	// 1 1 <nil>
	// false <nil>
}
