package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"talaria/core/skill/patch"
)

// skillsPatchCommand tries a patch on a file.
func skillsPatchCommand() command {
	var o patchOptions
	return command{
		name: "skills patch", args: "[FILE]", help: "Replace a piece of a SKILL.md that is quoted from memory, or say why not.",
		flags: func(f *flag.FlagSet) {
			f.StringVar(&o.old, "old", "", "`TEXT` to replace")
			f.StringVar(&o.new, "new", "", "`TEXT` to put there")
			f.BoolVar(&o.all, "all", false, "replace every exact match")
			f.BoolVar(&o.jsonl, "jsonl", false, "read lines of {id, original, old_string, new_string, replace_all}, write lines of {id, result, error, strategy, count, candidates}")
		},
		run: func(_ context.Context, p *process, args []string) error {
			if o.jsonl {
				return eachLine(p.in, p.out, patchLine)
			}
			return patchFile(p, o, args)
		},
	}
}

// patchOptions say what is replaced.
type patchOptions struct {
	old, new   string
	all, jsonl bool
}

// patchFile writes the patched text, and how it came about to the errors. The
// file itself stays as it is.
func patchFile(p *process, o patchOptions, args []string) error {
	if o.old == "" {
		return usageError{errors.New("skills patch: --old is missing")}
	}
	text, err := p.input(args)
	if err != nil {
		return err
	}
	r, err := patch.Apply(string(text), patch.Edit{Old: o.old, New: o.new, All: o.all})
	if err != nil {
		fmt.Fprintln(p.err, err)
		return errReported
	}
	fmt.Fprintf(p.err, "%d replaced, strategy %s\n", r.Count, r.Strategy)
	_, err = fmt.Fprint(p.out, r.Text)
	return err
}

// patchAnswer is one line of the --jsonl form.
type patchAnswer struct {
	ID         string            `json:"id"`
	Result     *string           `json:"result"`
	Error      *patch.Reason     `json:"error"`
	Strategy   patch.Strategy    `json:"strategy"`
	Count      int               `json:"count"`
	Candidates []patch.Candidate `json:"candidates,omitempty"`
}

func patchLine(line []byte) (any, error) {
	var in struct {
		ID         string `json:"id"`
		Original   string `json:"original"`
		Old        string `json:"old_string"`
		New        string `json:"new_string"`
		ReplaceAll bool   `json:"replace_all"`
	}
	if err := decode(line, &in); err != nil {
		return nil, err
	}
	r, err := patch.Apply(in.Original, patch.Edit{Old: in.Old, New: in.New, All: in.ReplaceAll})
	if refused, ok := errors.AsType[*patch.Refusal](err); ok {
		return patchAnswer{ID: in.ID, Error: &refused.Reason, Candidates: refused.Candidates}, nil
	}
	return patchAnswer{ID: in.ID, Result: &r.Text, Strategy: r.Strategy, Count: r.Count}, err
}
