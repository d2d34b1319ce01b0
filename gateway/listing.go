package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
)

// listing is how a list is shown: to people or to programs, and how much of it.
type listing struct {
	json  bool
	limit int
}

// flags are the options of a command that lists things.
func (l *listing) flags(f *flag.FlagSet, things string) {
	f.BoolVar(&l.json, "json", false, "write a line of JSON for each")
	countVar(f, &l.limit, 1, "limit", 50, "at most `N` "+things)
}

// write writes each of the things as a line: of JSON, or what line says of it.
// Of none it says so to people, and nothing to programs.
func write[T any](w io.Writer, l listing, things []T, none string, line func(T) string) error {
	if len(things) == 0 && !l.json {
		fmt.Fprintln(w, none)
	}
	for _, thing := range things {
		var err error
		if l.json {
			err = json.NewEncoder(w).Encode(thing)
		} else {
			_, err = fmt.Fprintln(w, line(thing))
		}
		if err != nil {
			return fmt.Errorf("write list: %w", err)
		}
	}
	return nil
}
