package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// maxSameName is how many files of one name are kept side by side.
const maxSameName = 1000

// save writes a file into the folder for it and returns the line that tells
// where. Nothing that is there is written over.
func (o Options) save(ctx context.Context, a chat.Address, u chat.Upload) (string, error) {
	name := inbound.Label(u.Name)
	if name == "" {
		name = "file"
	}
	if o.Folder == "" || (u.Blob != "" && o.OpenBlob == nil) {
		return "[file: " + name + "]", nil
	}
	content, err := o.open(ctx, a, u)
	if err != nil {
		return "", fmt.Errorf("file %q: %w", name, err)
	}
	defer content.Close()
	f, err := o.create(name)
	if err != nil {
		return "", fmt.Errorf("file %q: %w", name, err)
	}
	_, err = io.Copy(f, content)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("file %q: %w", name, err)
	}
	return "[file: " + f.Name() + "]", nil
}

func (o Options) open(ctx context.Context, a chat.Address, u chat.Upload) (io.ReadCloser, error) {
	if u.Blob == "" {
		return io.NopCloser(bytes.NewReader(u.Data)), nil
	}
	return o.OpenBlob(ctx, a, u.Blob)
}

// create makes a new file called name, or "name (2)" and so on, and notes that
// it is there for [Erase].
func (o Options) create(name string) (*os.File, error) {
	dir := filesIn(o.Folder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	extension := filepath.Ext(name)
	stem := strings.TrimSuffix(name, extension)
	for n := 1; n <= maxSameName; n++ {
		if n > 1 {
			name = fmt.Sprintf("%s (%d)%s", stem, n, extension)
		}
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := note(o.Folder, name); err != nil {
			return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
		return f, nil
	}
	return nil, fmt.Errorf("there are %d files of this name in %s", maxSameName, dir)
}
