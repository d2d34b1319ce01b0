package manifest

import (
	"io"
	"io/fs"
)

// Bundle is a skill's files by their path below its folder, with slashes. Its
// main file is always under [MainFile].
type Bundle map[string][]byte

// ReadBundle reads the skill whose folder is the root of fsys. Messages tell
// which files were left out; a link, an unsafe path or a file past its limit
// refuses the skill.
func ReadBundle(fsys fs.FS) (Bundle, []Message, error) { return nil, nil, nil }

// ReadZip reads a skill from an archive that holds one, at its top or in one
// folder; folder is that folder's name or "".
func ReadZip(r io.ReaderAt, size int64) (b Bundle, folder string, messages []Message, err error) {
	return nil, "", nil, nil
}

// Manifest reads the main file.
func (b Bundle) Manifest(folder string) (Manifest, []Message, error) {
	return Read(b[MainFile], folder)
}

// Paths are the files in order, the main one first.
func (b Bundle) Paths() []string { return nil }

// Hash is the identity of the contents, "sha256:" and 64 hexadecimal digits: the
// same for the same files, in whatever order or form they came.
func (b Bundle) Hash() string { return "" }

// WriteTo writes the files below dir, which must not exist or be empty.
func (b Bundle) WriteTo(dir string) error { return nil }

// Zip writes the files as an archive in a folder of the given name. The same
// files give the same bytes.
func (b Bundle) Zip(w io.Writer, folder string) error { return nil }
