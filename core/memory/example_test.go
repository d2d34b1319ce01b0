package memory_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"talaria/core/memory"
	"talaria/storage"
	"talaria/storage/sqlite"
)

func ExampleSearchCorpus() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "corpus")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	d, err := sqlite.Open(ctx, filepath.Join(dir, "store.db"), sqlite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	s := storage.New(d)
	defer s.Close()

	corpus := strings.NewReader(`{"id": "1", "user": "ana", "session": 1, "text": "When is the offsite?"}
{"id": "2", "user": "ana", "session": 1, "text": "In Lisbon, from the 4th of June."}
{"id": "3", "user": "bob", "session": 1, "text": "My offsite is a secret."}`)
	query := strings.NewReader(`{"id": "q", "user": "ana", "query": "where is the offsite"}`)
	var out strings.Builder
	if err := memory.SearchCorpus(ctx, s, nil, corpus, query, &out, 3); err != nil {
		log.Fatal(err)
	}
	fmt.Print(out.String())
	// Output: {"id":"q","ids":["2","1"]}
}
