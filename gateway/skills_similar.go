package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"talaria/core/skill/match"
)

// skillsSimilarCommand tries whether two skills are the same ability.
func skillsSimilarCommand() command {
	var jsonl bool
	return command{
		name: "skills similar", args: "[TEXT] [TEXT]", help: "Say whether two skills, each \"name: description\", are the same ability.",
		flags: func(f *flag.FlagSet) {
			f.BoolVar(&jsonl, "jsonl", false, "read lines of {id, a: {name, description}, b}, write lines of {id, similarity, same}")
		},
		run: func(_ context.Context, p *process, args []string) error {
			switch {
			case jsonl && len(args) == 0:
				return eachLine(p.in, p.out, similarLine)
			case jsonl || len(args) != 2:
				return usageError{errors.New("skills similar: name two texts, or --jsonl")}
			}
			s := match.Similarity(match.Skill{Description: args[0]}, match.Skill{Description: args[1]})
			fmt.Fprintf(p.out, "%.2f  %s\n", s, likeness(s))
			return nil
		},
	}
}

// likeness says a similarity in words.
func likeness(s float64) string {
	switch {
	case s >= match.Same:
		return "the same"
	case s >= match.Alike:
		return "alike"
	case s >= match.Another:
		return "related"
	}
	return "another"
}

func similarLine(line []byte) (any, error) {
	type skill struct{ Name, Description string }
	var in struct {
		ID   string
		A, B skill
	}
	if err := decode(line, &in); err != nil {
		return nil, err
	}
	s := match.Similarity(match.Skill{Name: in.A.Name, Description: in.A.Description}, match.Skill{Name: in.B.Name, Description: in.B.Description})
	return struct {
		ID         string  `json:"id"`
		Similarity float64 `json:"similarity"`
		Same       bool    `json:"same"`
	}{in.ID, s, s >= match.Same}, nil
}
