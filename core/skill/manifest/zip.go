package manifest

import (
	"archive/zip"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Limits of an archive, which may hold many skills.
const (
	MaxArchive      = 64 << 20 // bytes of all files, unpacked
	maxArchiveFiles = 20_000
)

// OpenZip opens an archive as a tree of files, after a look at every entry: paths
// that lead out, links, two entries of one name and sizes past the limits are
// refused. Reading from it is bounded by [ReadBundle], whatever the sizes it
// states.
func OpenZip(r io.ReaderAt, size int64) (fs.FS, error) {
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return nil, refusal("It is no ZIP archive that can be read: %s", firstLine(err))
	}
	if len(archive.File) > maxArchiveFiles {
		return nil, refusal("The archive has more than %d files", maxArchiveFiles)
	}
	total, seen := uint64(0), make(map[string]bool, len(archive.File))
	for _, f := range archive.File {
		f.Name = strings.ReplaceAll(f.Name, `\`, "/") // some packers of Windows write theirs
		name := strings.TrimSuffix(f.Name, "/")
		if !fs.ValidPath(name) || strings.Contains(name, "\x00") || name == "." {
			return nil, refusal("The archive has a file whose path leads out of it: %q", clip(f.Name))
		}
		if mode := f.Mode(); !mode.IsRegular() && !mode.IsDir() {
			return nil, refusal("%q is a link or a device; a skill holds files alone", clip(f.Name))
		}
		if total += min(f.UncompressedSize64, MaxArchive+1); total > MaxArchive {
			return nil, refusal("The files of the archive have more than %d bytes", MaxArchive)
		}
		if seen[name] {
			return nil, refusal("The archive has two files of the name %q", clip(name))
		}
		seen[name] = true
	}
	return archive, nil
}

// ReadZip reads a skill from an archive that holds one, at its top or in one
// folder; folder is that folder's name or "".
func ReadZip(r io.ReaderAt, size int64) (b Bundle, folder string, messages []Message, err error) {
	fsys, err := OpenZip(r, size)
	if err != nil {
		return nil, "", (&complaints{}).refuse(err), err
	}
	dir, err := only(fsys)
	if err != nil {
		return nil, "", nil, fmt.Errorf("read skill: %w", err)
	}
	if dir != "." {
		folder = path.Base(dir)
		if fsys, err = fs.Sub(fsys, dir); err != nil {
			return nil, "", nil, fmt.Errorf("read skill: %w", err)
		}
	}
	b, messages, err = ReadBundle(fsys)
	return b, folder, messages, err
}

// only goes down through folders that hold nothing but one folder.
func only(fsys fs.FS) (string, error) {
	dir := "."
	for range maxSegments {
		entries, err := fs.ReadDir(fsys, dir)
		if err != nil {
			return "", err
		}
		var folders []string
		for _, e := range entries {
			if strings.EqualFold(e.Name(), MainFile) {
				return dir, nil
			}
			if e.IsDir() && e.Name() != "__MACOSX" {
				folders = append(folders, e.Name())
			}
		}
		if len(folders) != 1 {
			return dir, nil
		}
		dir = path.Join(dir, folders[0])
	}
	return dir, nil
}

// Zip writes the files as an archive in a folder of the given name. The same
// files give the same bytes.
func (b Bundle) Zip(w io.Writer, folder string) error {
	archive := zip.NewWriter(w)
	for _, p := range b.Paths() {
		header := &zip.FileHeader{Name: path.Join(folder, p), Method: zip.Deflate}
		header.SetMode(b.mode(p))
		f, err := archive.CreateHeader(header)
		if err != nil {
			return fmt.Errorf("pack %q: %w", p, err)
		}
		if _, err := f.Write(b[p]); err != nil {
			return fmt.Errorf("pack %q: %w", p, err)
		}
	}
	if err := archive.Close(); err != nil {
		return fmt.Errorf("pack skill: %w", err)
	}
	return nil
}
