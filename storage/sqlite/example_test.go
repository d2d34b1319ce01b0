package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"talaria/storage"
	"talaria/storage/sqlite"
)

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	ctx := context.Background()
	driver, err := sqlite.Open(ctx, filepath.Join(dir, "store.db"), sqlite.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	store := storage.New(driver)
	defer store.Close()

	ann := storage.Person("ann")
	if _, err := store.Commit(ctx, storage.On(ann).Durable().Put("cards", "tea", "green", storage.Absent)); err != nil {
		fmt.Println(err)
		return
	}
	card, err := storage.Get[string](ctx, store, ann, "cards", "tea")
	fmt.Println(card.Value, card.Revision, err)
	// Output: green 1 <nil>
}
