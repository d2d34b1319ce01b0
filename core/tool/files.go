package tool

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"talaria/core/chat"
	"talaria/storage"
)

// Bounds on the files of one conversation.
const (
	maxFiles    = 64        // written ones
	maxFileSize = 100 << 10 // bytes of a written one; a call's arguments have to hold it
	maxAttached = 200       // files that came with messages
	maxFileName = 100       // bytes
)

// Files are the files of one conversation: what its people attached and what
// the bot wrote. They lie in the shard of its place, under its fence.
type Files struct {
	store   *storage.Store
	fence   storage.Fence
	session string
	now     func() time.Time
}

// NewFiles returns the files of a session. A nil now stands for time.Now.
func NewFiles(s *storage.Store, fence storage.Fence, session string, now func() time.Time) *Files {
	if now == nil {
		now = time.Now
	}
	return &Files{s, fence, session, now}
}

// File describes one file.
type File struct {
	Name     string      `json:"-"`
	MIME     string      `json:"mime,omitempty"`
	Size     int64       `json:"size"`
	At       time.Time   `json:"at"`
	Origin   chat.Origin `json:"origin"`
	Attached bool        `json:"attached,omitempty"` // it came with a message
	Ref      string      `json:"ref,omitempty"`      // of an attachment, to know it again
	Blob     string      `json:"blob,omitempty"`     // of an attachment that was copied
	Missing  string      `json:"missing,omitempty"`  // why an attachment was not copied
}

// The errors of files, as told to the model.
var (
	errFileName = fmt.Errorf("a file name has at most %d bytes, no slash or backslash, does not begin with a dot and holds nothing invisible", maxFileName)
	errNoFile   = errors.New("there is no such file; files_list shows those there are")
	errAttached = errors.New("this file came with a message and can't be overwritten; choose another name")
)

func (f *Files) about() string   { return "files/" + f.session }
func (f *Files) content() string { return "file-text/" + f.session }

// List returns all files by name.
func (f *Files) List(ctx context.Context) ([]File, error) {
	docs, err := storage.List[File](ctx, f.store, f.fence.Partition, f.about(), "", maxFiles+maxAttached)
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	files := make([]File, len(docs))
	for n, d := range docs {
		files[n] = d.Value
		files[n].Name = d.Key
	}
	return files, nil
}

// Read returns a file with its bytes.
func (f *Files) Read(ctx context.Context, name string) (File, []byte, error) {
	if !fileName(name) {
		return File{}, nil, errFileName
	}
	doc, err := storage.Get[File](ctx, f.store, f.fence.Partition, f.about(), name)
	if errors.Is(err, storage.ErrNotFound) {
		return File{}, nil, errNoFile
	}
	if err != nil {
		return File{}, nil, fmt.Errorf("read file %q: %w", name, err)
	}
	file := doc.Value
	file.Name = name
	data, err := f.data(ctx, file)
	if err != nil {
		return file, nil, fmt.Errorf("read file %q: %w", name, err)
	}
	return file, data, nil
}

func (f *Files) data(ctx context.Context, file File) ([]byte, error) {
	switch {
	case file.Blob != "":
		return f.store.GetBlob(ctx, f.fence.Partition, file.Blob)
	case file.Attached:
		return nil, fmt.Errorf("it was not copied: %s", file.Missing)
	}
	doc, err := storage.Get[string](ctx, f.store, f.fence.Partition, f.content(), file.Name)
	return []byte(doc.Value), err
}

// Write makes a text file or replaces what was written before.
func (f *Files) Write(ctx context.Context, name, text string, origin chat.Origin) (File, error) {
	name = norm.NFC.String(name)
	switch {
	case !fileName(name):
		return File{}, errFileName
	case len(text) > maxFileSize:
		return File{}, fmt.Errorf("a file may have %d bytes, this has %d", maxFileSize, len(text))
	}
	files, err := f.List(ctx)
	if err != nil {
		return File{}, err
	}
	written := 0
	for _, old := range files {
		switch {
		case old.Name == name && old.Attached:
			return File{}, errAttached
		case old.Name != name && !old.Attached:
			written++
		}
	}
	if written >= maxFiles {
		return File{}, fmt.Errorf("this conversation has %d written files already, which is the most it may have", maxFiles)
	}
	file := File{Name: name, MIME: "text/plain; charset=utf-8", Size: int64(len(text)), At: f.now().UTC(), Origin: origin}
	b := storage.Under(f.fence).Put(f.about(), name, file, storage.Any).Put(f.content(), name, text, storage.Any)
	if _, err := f.store.Commit(ctx, b); err != nil {
		return File{}, fmt.Errorf("write file %q: %w", name, err)
	}
	return file, nil
}

// Attach adds files that came with a message. One that is there already, by
// its Ref, is left alone, so that a message may be gone through twice. Past 200
// the further ones are left out.
func (f *Files) Attach(ctx context.Context, attachments []chat.Attachment) error {
	files, err := f.List(ctx)
	if err != nil {
		return err
	}
	taken, known := map[string]bool{}, map[string]bool{}
	for _, old := range files {
		taken[old.Name] = true
		if old.Attached {
			known[old.Ref] = true
		}
	}
	b := storage.Under(f.fence)
	for _, a := range attachments {
		if known[a.Ref] || len(known) >= maxAttached {
			continue
		}
		name := freeName(a.Label, taken)
		taken[name], known[a.Ref] = true, true
		b.Put(f.about(), name, File{
			MIME: a.MIME, Size: a.Size, At: f.now().UTC(), Origin: chat.External,
			Attached: true, Ref: a.Ref, Blob: a.Blob, Missing: a.Error,
		}, storage.Absent)
	}
	if _, err := f.store.Commit(ctx, b); err != nil {
		return fmt.Errorf("keep attachments: %w", err)
	}
	return nil
}

// fileName reports whether a name may be used: it can't be mistaken for a path,
// and shows as what it is.
func fileName(name string) bool {
	if name == "" || len(name) > maxFileName || name[0] == '.' || !utf8.ValidString(name) || strings.TrimSpace(name) != name {
		return false
	}
	return !strings.ContainsFunc(name, func(c rune) bool {
		return c == '/' || c == '\\' || c == utf8.RuneError || c != ' ' && !unicode.IsPrint(c)
	})
}

// freeName makes a usable name of a label, one that is not taken.
func freeName(label string, taken map[string]bool) string {
	label = strings.Map(func(c rune) rune {
		if c == '/' || c == '\\' || c == utf8.RuneError || c != ' ' && !unicode.IsPrint(c) {
			return '_'
		}
		return c
	}, norm.NFC.String(strings.ToValidUTF8(label, "_")))
	base, ext := strings.TrimLeft(strings.TrimSpace(label), ". "), ""
	if n := strings.LastIndexByte(base, '.'); n > 0 && len(base)-n <= 10 {
		base, ext = base[:n], base[n:]
	}
	if base == "" {
		base = "file"
	}
	for n := 1; ; n++ {
		suffix := ext
		if n > 1 {
			suffix = fmt.Sprintf("-%d%s", n, ext)
		}
		name := strings.TrimSpace(base[:runeStart(base, min(len(base), maxFileName-len(suffix)))] + suffix)
		if !taken[name] {
			return name
		}
	}
}
