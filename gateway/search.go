package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"talaria/core/memory"
	"talaria/core/vector"
	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/storage"
)

// searchOptions say what is searched, and how.
type searchOptions struct {
	corpus string
	top    int
	user   string
	jsonl  bool
}

// searchCommand tries the session search on a collection of one's own.
func searchCommand() command {
	var o searchOptions
	return command{
		name: "search", args: "[QUERY]", help: "Try the session search on a file of messages.",
		flags: func(f *flag.FlagSet) {
			f.StringVar(&o.corpus, "corpus", "", "`FILE` with lines of {id, user, session, at?, text}, in order")
			countVar(f, &o.top, 1, "top", 10, "at most `N` results of a query")
			f.StringVar(&o.user, "user", "", "`ID` of whose messages the query is about; with QUERY")
			f.BoolVar(&o.jsonl, "jsonl", false, "read lines of {id, user, query}, write lines of {id, ids}")
		},
		run: func(ctx context.Context, p *process, args []string) error { return search(ctx, p, o, args) },
	}
}

// vectorsWithin is how long a query waits for an embedder: nobody talks here.
const vectorsWithin = time.Minute

// search searches a store in memory: the user's own is not touched.
func search(ctx context.Context, p *process, o searchOptions, args []string) error {
	in := p.in
	switch {
	case o.corpus == "":
		return usageError{fmt.Errorf("search: --corpus is missing")}
	case o.jsonl:
	case len(args) == 0 || o.user == "":
		return usageError{fmt.Errorf("search: name a query and a --user, or --jsonl")}
	default:
		in = query(o.user, args[0])
	}
	corpus, err := os.Open(o.corpus)
	if err != nil {
		return usageError{fmt.Errorf("search: %w", err)}
	}
	defer corpus.Close()
	cfg, err := p.load()
	if err != nil {
		return err
	}
	vectors, err := app.NewVectors(cfg.Model.Embedding, vectorsWithin, newLogger(cfg, p.err))
	if err != nil {
		return err
	}
	s, err := app.OpenStore(ctx, config.Storage{URL: config.NewSecret("sqlite::memory:")})
	if err != nil {
		return fmt.Errorf("search: %w", err)
	}
	defer s.Close()
	return o.answers(ctx, s, vectors, corpus, in, p.out)
}

// answers writes lines for programs, or the ids alone for people.
func (o searchOptions) answers(ctx context.Context, s *storage.Store, e vector.Embedder, corpus, in io.Reader, out io.Writer) error {
	var found strings.Builder
	to := out
	if !o.jsonl {
		to = &found
	}
	err := memory.SearchCorpus(ctx, s, e, corpus, in, to, o.top)
	switch {
	case err != nil && ctx.Err() == nil:
		return usageError{fmt.Errorf("search: %w", err)} // nothing but the input can be wrong
	case err != nil, o.jsonl:
		return err
	}
	var answer struct{ IDs []string }
	if err := decode([]byte(found.String()), &answer); err != nil {
		return fmt.Errorf("search: %w", err)
	}
	for _, id := range answer.IDs {
		fmt.Fprintln(out, id)
	}
	return nil
}

// query is one line of input.
func query(user, text string) io.Reader {
	line, _ := json.Marshal(map[string]string{"id": "1", "user": user, "query": text}) // strings can always be encoded
	return strings.NewReader(string(line) + "\n")
}
