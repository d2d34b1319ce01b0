package manifest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// Bundle is a skill's files by their path below its folder, with slashes. Its
// main file is always under [MainFile].
type Bundle map[string][]byte

// leftovers are what tools leave behind in a folder; no skill needs them.
var leftovers = []string{
	".git", ".github", ".svn", ".hg", "node_modules", "__pycache__", ".venv", "venv", "__MACOSX",
	".pytest_cache", ".mypy_cache", ".ruff_cache", ".DS_Store", "Thumbs.db", "desktop.ini",
}

// ReadBundle reads the skill whose folder is the root of fsys. Messages tell
// which files were left out; a link, an unsafe path or a file past its limit
// refuses the skill.
func ReadBundle(fsys fs.FS) (Bundle, []Message, error) {
	r := reader{fsys: fsys, bundle: Bundle{}, say: &complaints{}}
	err := fs.WalkDir(fsys, ".", r.visit)
	if err == nil {
		err = r.main()
	}
	switch {
	case errors.Is(err, ErrRefused):
		return nil, r.say.refuse(err), err
	case err != nil:
		return nil, r.say.messages, fmt.Errorf("read skill: %w", err)
	}
	return r.bundle, r.say.messages, nil
}

// reader walks through a skill's folder.
type reader struct {
	fsys   fs.FS
	bundle Bundle
	total  int
	say    *complaints
}

func (r *reader) visit(p string, entry fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return err
	case slices.Contains(leftovers, path.Base(p)):
		r.say.warn("%q was left out", clip(p))
		if entry.IsDir() {
			return fs.SkipDir
		}
		return nil
	case entry.IsDir():
		return nil
	case entry.Type()&fs.ModeSymlink != 0:
		return refusal("%q is a link; a skill holds files alone", clip(p))
	case !entry.Type().IsRegular():
		return refusal("%q is no regular file", clip(p))
	case len(r.bundle) == MaxFiles:
		return refusal("The skill has more than %d files", MaxFiles)
	}
	if err := SafePath(p); err != nil {
		return err
	}
	return r.add(p)
}

func (r *reader) add(p string) error {
	limit, tooLong := MaxSupportFile, refusal("The file %q has more than %d bytes", clip(p), MaxSupportFile)
	if strings.EqualFold(p, MainFile) {
		limit, tooLong = maxMainFile, errTooLong
	}
	data, err := readAtMost(r.fsys, p, limit, tooLong)
	if err != nil {
		return err
	}
	if r.total += len(data); r.total > MaxBundle {
		return refusal("The files of the skill have more than %d bytes together", MaxBundle)
	}
	r.bundle[p] = data
	return nil
}

// main puts the main file where it belongs.
func (r *reader) main() error {
	if _, ok := r.bundle[MainFile]; ok {
		return nil
	}
	for _, p := range slices.Sorted(maps.Keys(r.bundle)) {
		if !strings.EqualFold(p, MainFile) {
			continue
		}
		r.say.warn("The file is called %q and kept as %s", p, MainFile)
		r.bundle[MainFile] = r.bundle[p]
		delete(r.bundle, p)
		return nil
	}
	return refusal("There is no %s", MainFile)
}

// readAtMost reads a file, and returns tooLong past its limit in bytes.
func readAtMost(fsys fs.FS, p string, limit int, tooLong error) ([]byte, error) {
	f, err := fsys.Open(p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", p, err)
	}
	if len(data) > limit {
		return nil, tooLong
	}
	return data, nil
}

// Manifest reads the main file.
func (b Bundle) Manifest(folder string) (Manifest, []Message, error) {
	return Read(b[MainFile], folder)
}

// Paths are the files in order, the main one first.
func (b Bundle) Paths() []string {
	return slices.SortedFunc(maps.Keys(b), func(x, y string) int {
		switch MainFile {
		case x:
			return -1
		case y:
			return 1
		}
		return strings.Compare(x, y)
	})
}

// Hash is the identity of the contents, "sha256:" and 64 hexadecimal digits: the
// same for the same files, in whatever order or form they came.
func (b Bundle) Hash() string {
	h := sha256.New()
	for _, p := range b.Paths() {
		var lengths [16]byte // in front of each part, so that none can pass for another
		binary.BigEndian.PutUint64(lengths[:8], uint64(len(p)))
		binary.BigEndian.PutUint64(lengths[8:], uint64(len(b[p])))
		h.Write(lengths[:])
		io.WriteString(h, p)
		h.Write(b[p])
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// WriteTo writes the files below dir, which must not exist or be empty. Scripts
// that name their interpreter can be run.
func (b Bundle) WriteTo(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write skill: %w", err)
	}
	if entries, err := os.ReadDir(dir); err != nil {
		return fmt.Errorf("write skill: %w", err)
	} else if len(entries) > 0 {
		return fmt.Errorf("write skill: %s is not empty", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("write skill: %w", err)
	}
	defer root.Close()
	for _, p := range b.Paths() {
		if err := b.write(root, p); err != nil {
			return fmt.Errorf("write skill: %w", err)
		}
	}
	return nil
}

func (b Bundle) write(root *os.Root, p string) error {
	if err := SafePath(p); err != nil {
		return err
	}
	if err := root.MkdirAll(path.Dir(p), 0o755); err != nil {
		return err
	}
	return root.WriteFile(p, b[p], b.mode(p))
}

// mode lets scripts be run that name their interpreter.
func (b Bundle) mode(p string) fs.FileMode {
	if bytes.HasPrefix(b[p], []byte("#!")) {
		return 0o755
	}
	return 0o644
}
