package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"

	"talaria/adapters/console"
	"talaria/core/skill/manifest"
	"talaria/core/skill/scan"
)

// skillsScanCommand looks for hostile content in skills and other texts.
func skillsScanCommand() command {
	var jsonl bool
	var kind string
	return command{
		name: "skills scan", args: "[PATH...]", help: "Look for hostile content in skills (folders, files, ZIPs) and other texts. Exits 1 if one should be blocked.",
		flags: func(f *flag.FlagSet) {
			f.BoolVar(&jsonl, "jsonl", false, "read lines of {id, kind, text}, write lines of {id, verdict, findings}")
			f.StringVar(&kind, "kind", string(scan.Skill), "what single files are: skill, snippet or memory")
		},
		run: func(_ context.Context, p *process, args []string) error {
			switch {
			case !scan.Kind(kind).Valid():
				return usageError{fmt.Errorf("skills scan: unknown kind %q", kind)}
			case jsonl:
				return eachLine(p.in, p.out, skillsScanLine)
			case len(args) == 0:
				return usageError{errors.New("skills scan: name a path, or --jsonl")}
			}
			return scanAll(p, scan.Kind(kind), args)
		},
	}
}

// scanned is the answer to a line.
type scanned struct {
	ID json.RawMessage `json:"id"`
	scan.Report
}

func skillsScanLine(line []byte) (any, error) {
	var request struct {
		ID   json.RawMessage `json:"id"`
		Kind scan.Kind       `json:"kind"`
		Text string          `json:"text"`
	}
	if err := decode(line, &request); err != nil {
		return nil, err
	}
	if !request.Kind.Valid() {
		return nil, fmt.Errorf("unknown kind %q", request.Kind)
	}
	return scanned{request.ID, scan.Scan(request.Kind, request.Text)}, nil
}

// scanAll tells about every path. That one should be blocked is a failure.
func scanAll(p *process, kind scan.Kind, paths []string) error {
	var blocked error
	for _, name := range paths {
		reports, err := scanPaths(p, kind, name)
		if err != nil {
			return usageError{fmt.Errorf("skills scan: %w", err)}
		}
		for _, r := range reports {
			tellScanned(p.out, r.name, r.Report)
			if r.Verdict == scan.Block {
				blocked = errReported
			}
		}
	}
	return blocked
}

// named is a report with what it is about.
type named struct {
	name string
	scan.Report
}

// scanPaths scans each skill of an archive, or what is at a path.
func scanPaths(p *process, kind scan.Kind, name string) ([]named, error) {
	if !isArchive(name) {
		report, err := scanPath(p, kind, name)
		return []named{{name, report}}, err
	}
	found, err := archived(name)
	var out []named
	for _, f := range found {
		if f.Bundle == nil {
			return nil, fmt.Errorf("%s can't be read; skills check says why", f.Path)
		}
		out = append(out, named{f.Path, scan.ScanFiles(f.Bundle)})
	}
	return out, err
}

// scanPath scans the folder of a skill with all its files, or one file.
func scanPath(p *process, kind scan.Kind, name string) (scan.Report, error) {
	info, err := os.Stat(name)
	if err != nil {
		return scan.Report{}, err
	}
	if info.IsDir() {
		files, _, _, err := manifest.Load(name)
		if errors.Is(err, manifest.ErrRefused) && files != nil {
			err = nil // what is no proper skill can be scanned all the same
		}
		return scan.ScanFiles(files), err
	}
	data, err := p.input([]string{name})
	if err != nil {
		return scan.Report{}, err
	}
	if kind == scan.Skill {
		return scan.ScanFiles(map[string][]byte{path.Base(name): data}), nil
	}
	return scan.Scan(kind, string(data)), nil
}

// tellScanned writes a report for people.
func tellScanned(w io.Writer, name string, r scan.Report) {
	fmt.Fprintf(w, "%-6s  %s\n", r.Verdict, console.Line(name))
	for _, f := range r.Findings {
		place := fmt.Sprintf("line %d", f.Line)
		if f.File != "" {
			place = fmt.Sprintf("%s, line %d", console.Line(f.File), f.Line)
		}
		fmt.Fprintf(w, "        %s: %s: %s (%s)\n", f.Severity, place, f.Message, f.Rule)
	}
}
