package manifest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Load reads the skill at a path of the machine: a folder, or a SKILL.md alone,
// whose folder then is the one it lies in. Messages and error are those of
// [ReadBundle] and [Read]; an error that does not wrap [ErrRefused] is about
// opening the path.
func Load(name string) (Bundle, Manifest, []Message, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return nil, Manifest{}, nil, fmt.Errorf("find skill: %w", err)
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, Manifest{}, nil, fmt.Errorf("find skill: %w", err)
	}
	var b Bundle
	var odd []Message
	folder := filepath.Base(name)
	if info.IsDir() {
		b, odd, err = ReadBundle(os.DirFS(name))
	} else {
		folder = filepath.Base(filepath.Dir(name))
		b, odd, err = loadFile(name)
	}
	if err != nil {
		return nil, Manifest{}, odd, err
	}
	m, messages, err := b.Manifest(folder)
	return b, m, append(odd, messages...), err
}

// loadFile reads a main file alone, whatever it is called.
func loadFile(name string) (Bundle, []Message, error) {
	say := &complaints{}
	base := filepath.Base(name)
	data, err := readAtMost(os.DirFS(filepath.Dir(name)), base, maxMainFile, errTooLong)
	switch {
	case errors.Is(err, ErrRefused):
		return nil, say.refuse(err), err
	case err != nil:
		return nil, nil, fmt.Errorf("read skill: %w", err)
	}
	if base != MainFile {
		say.warn("The file is called %q and kept as %s", clip(base), MainFile)
	}
	return Bundle{MainFile: data}, say.messages, nil
}
