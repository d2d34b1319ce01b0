package redis_test

import (
	"context"
	"fmt"

	"talaria/storage"
	"talaria/storage/redis"
)

func ExampleOpen() {
	ctx := context.Background()
	d, err := redis.Open(ctx, single.URL(), redis.Options{Prefix: "example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	store := storage.New(d)
	defer store.Close()

	p := storage.Person("ada")
	if _, err := store.Commit(ctx, storage.On(p).Put("notes", "first", "hello", storage.Absent)); err != nil {
		fmt.Println(err)
		return
	}
	note, err := storage.Get[string](ctx, store, p, "notes", "first")
	fmt.Println(note.Value, note.Revision, err)
	// Output: hello 1 <nil>
}
