package main

import (
	"fmt"
	"io"
	"os"
)

// maxInput is the largest file that a preview reads, in bytes.
const maxInput = 64 << 20

// input reads the file that the caller named, or standard input.
func (p *process) input(args []string) ([]byte, error) {
	r := p.in
	if len(args) > 0 {
		f, err := os.Open(args[0])
		if err != nil {
			return nil, usageError{err}
		}
		defer f.Close()
		r = f
	}
	data, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	switch {
	case err != nil:
		return nil, usageError{fmt.Errorf("read input: %w", err)}
	case len(data) > maxInput:
		return nil, usageError{fmt.Errorf("read input: longer than %d bytes", maxInput)}
	}
	return data, nil
}
