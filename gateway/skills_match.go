package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"talaria/core/skill/match"
	"talaria/core/text"
)

// matchesTold is how many matches the command tells; more help nobody.
const matchesTold = 10

// matchOptions say which skills are matched, and how.
type matchOptions struct {
	pool  string
	query string
	jsonl bool
	count bool
}

// skillsMatchCommand tries which skill fits a request.
func skillsMatchCommand() command {
	var o matchOptions
	return command{
		name: "skills match", args: "[QUERY]", help: "Show which skills fit a request.",
		flags: func(f *flag.FlagSet) {
			f.StringVar(&o.pool, "pool", "", "`FILE` with lines of {name, description, tags?, body?}")
			f.BoolVar(&o.jsonl, "jsonl", false, "read lines of {id, query}, write lines of {id, ranked, scores, none}")
		},
		run: func(_ context.Context, p *process, args []string) error { return matchSkills(p, o, args) },
	}
}

func matchSkills(p *process, o matchOptions, args []string) error {
	if o.jsonl == (len(args) == 1) {
		return usageError{errors.New("skills match: name either a query or --jsonl")}
	}
	skills, err := readPool("skills match", o.pool)
	if err != nil {
		return err
	}
	ix := match.New(skills)
	if o.jsonl {
		return eachLine(p.in, p.out, func(line []byte) (any, error) { return matchLine(ix, line) })
	}
	r := ix.Match(args[0], match.BlockSkills)
	if r.None {
		fmt.Fprintln(p.out, "No skill fits.")
		return nil
	}
	for _, s := range r.Ranked {
		fmt.Fprintf(p.out, "%.2f  %s\n", s.Score, s.Name)
	}
	return nil
}

func matchLine(ix *match.Index, line []byte) (any, error) {
	var in struct{ ID, Query string }
	if err := decode(line, &in); err != nil {
		return nil, err
	}
	out := struct {
		ID     string    `json:"id"`
		Ranked []string  `json:"ranked"`
		Scores []float64 `json:"scores"`
		None   bool      `json:"none"`
	}{ID: in.ID, Ranked: []string{}, Scores: []float64{}}
	r := ix.Match(in.Query, matchesTold)
	out.None = r.None
	for _, s := range r.Ranked {
		out.Ranked, out.Scores = append(out.Ranked, s.Name), append(out.Scores, s.Score)
	}
	return out, nil
}

// skillsIndexCommand shows what of the skills a prompt carries.
func skillsIndexCommand() command {
	var o matchOptions
	return command{
		name: "skills index", help: "Show the list of skills as a prompt carries it, or with --query the matches before a message.",
		flags: func(f *flag.FlagSet) {
			f.StringVar(&o.pool, "pool", "", "`FILE` with lines of {name, description, tags?, body?, uses?}")
			f.StringVar(&o.query, "query", "", "`TEXT` of the message whose matches to show")
			f.BoolVar(&o.count, "count", false, "tell how many tokens it is estimated at instead of showing it")
			f.BoolVar(&o.jsonl, "jsonl", false, "read lines of {id, query}, write lines of {id, block, tokens}")
		},
		run: func(_ context.Context, p *process, _ []string) error { return skillsIndex(p, o) },
	}
}

func skillsIndex(p *process, o matchOptions) error {
	if o.jsonl && (o.query != "" || o.count) {
		return usageError{errors.New("skills index: --jsonl goes with neither --query nor --count")}
	}
	skills, err := readPool("skills index", o.pool)
	if err != nil {
		return err
	}
	ix := match.New(skills)
	if o.jsonl {
		return eachLine(p.in, p.out, func(line []byte) (any, error) { return blockLine(ix, line) })
	}
	out := match.Listing(skills, match.IndexBudget)
	if o.query != "" {
		out = blockFor(ix, o.query)
	}
	if o.count {
		out = fmt.Sprintln(text.Tokens(out))
	}
	_, err = io.WriteString(p.out, out)
	return err
}

// blockFor is what a prompt carries before a message.
func blockFor(ix *match.Index, query string) string {
	return ix.Block(ix.Match(query, match.BlockSkills), match.DefaultRoom())
}

func blockLine(ix *match.Index, line []byte) (any, error) {
	var in struct{ ID, Query string }
	if err := decode(line, &in); err != nil {
		return nil, err
	}
	block := blockFor(ix, in.Query)
	return struct {
		ID     string `json:"id"`
		Block  string `json:"block"`
		Tokens int    `json:"tokens"`
	}{in.ID, block, text.Tokens(block)}, nil
}

// readPool reads the skills of a file.
func readPool(name, path string) ([]match.Skill, error) {
	if path == "" {
		return nil, usageError{fmt.Errorf("%s: --pool is missing", name)}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", name, err)}
	}
	defer f.Close()
	var skills []match.Skill
	err = eachLine(f, io.Discard, func(line []byte) (any, error) {
		var s struct {
			Name, Description, Body string
			Tags, Triggers          []string
			Uses                    int
		}
		if err := decode(line, &s); err != nil {
			return nil, err
		}
		skills = append(skills, match.Skill{
			Name: s.Name, Description: s.Description, Body: s.Body,
			Triggers: append(s.Triggers, s.Tags...), Uses: s.Uses,
		})
		return nil, nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", name, path, err)
	}
	return skills, nil
}
