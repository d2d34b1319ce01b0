package rights

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/tool"
	"talaria/gateway/lane"
	"talaria/storage"
)

// maxFiles is how many bytes of files an export carries; beyond, files are
// named only.
const maxFiles = 16 << 20

// export is everything that is kept of a person.
type export struct {
	At        time.Time      `json:"at"`
	Account   string         `json:"account"`
	Role      person.Role    `json:"role"`
	Documents []document     `json:"documents"` // of their own partitions, as they are
	Said      []statement    `json:"said"`
	Given     []given        `json:"given_to_spaces,omitempty"`
	Sessions  []lane.Told    `json:"conversations"`
	More      map[string]any `json:"more,omitempty"`

	cards []memory.Card
	files []file
}

type document struct {
	Collection string          `json:"collection"`
	Key        string          `json:"key"`
	Value      json.RawMessage `json:"value"`
}

// statement is a turn of the person's, or the answer to one.
type statement struct {
	Place   string    `json:"place"`
	At      time.Time `json:"at"`
	Answer  bool      `json:"answer,omitempty"`
	Text    string    `json:"text"`
	Message string    `json:"message,omitempty"`
}

type given struct {
	Place string      `json:"place"`
	Card  memory.Card `json:"card"`
}

type file struct {
	name string
	data []byte
}

// Export puts everything that is kept of a person into a zip: JSON with all of
// it, Markdown to read, and their files. It lies in the shard of the direct
// conversation for a day.
func (r *Rights) Export(ctx context.Context, who person.Principal) (chat.Upload, error) {
	if !who.Direct {
		return chat.Upload{}, ErrShared
	}
	x, err := r.collect(ctx, who)
	if err != nil {
		return chat.Upload{}, fmt.Errorf("export: %w", err)
	}
	data, err := x.zip()
	if err != nil {
		return chat.Upload{}, fmt.Errorf("export: %w", err)
	}
	at := person.ShardOf(who.Place)
	blob, err := r.cfg.Store.PutBlob(ctx, at, data)
	if err == nil {
		_, err = r.cfg.Store.Commit(ctx, storage.On(at).Put(exports, exportKey(blob, who.Person), x.At, storage.Any))
	}
	if err != nil {
		return chat.Upload{}, fmt.Errorf("export: keep the file: %w", err)
	}
	return chat.Upload{Name: "talaria-about-me.zip", MIME: "application/zip", Blob: blob}, nil
}

func (r *Rights) collect(ctx context.Context, who person.Principal) (*export, error) {
	subject, err := r.cfg.Directory.Subject(ctx, who)
	if err != nil {
		return nil, err
	}
	x := &export{Account: who.Identity.String(), Role: who.Role, More: map[string]any{}}
	if x.At, err = r.cfg.Store.Now(ctx); err != nil {
		return nil, err
	}
	if x.cards, err = memory.For(r.cfg.Store, who).List(ctx); err != nil {
		return nil, err
	}
	for _, id := range subject.People {
		if err := r.cfg.Store.Dump(ctx, storage.Person(string(id)), x.document); err != nil {
			return nil, err
		}
	}
	err = memory.SaidBy(ctx, r.cfg.Store, subject, func(place chat.Address, t memory.Turn) error {
		x.Said = append(x.Said, statement{place.String(), t.At, t.Who == "", t.Text, t.Message})
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = memory.GivenBy(ctx, r.cfg.Store, subject, func(place chat.Address, c memory.Card) error {
		x.Given = append(x.Given, given{place.String(), c})
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := lane.SessionsOf(ctx, r.cfg.Store, subject, func(t lane.Told) error { return x.session(ctx, r.cfg.Store, t) }); err != nil {
		return nil, err
	}
	for name, e := range r.cfg.Exporters {
		if x.More[name], err = e.Export(ctx, subject); err != nil {
			return nil, err
		}
	}
	return x, nil
}

func (x *export) document(record storage.Record) error {
	s, err := record.Stored()
	if err != nil || s.Document == nil {
		return err
	}
	x.Documents = append(x.Documents, document{s.Document.Collection, s.Document.Key, s.Document.Value})
	return nil
}

// session takes up a session, with the content of its files as far as there is
// room.
func (x *export) session(ctx context.Context, s *storage.Store, t lane.Told) error {
	x.Sessions = append(x.Sessions, t)
	size := 0
	for _, f := range x.files {
		size += len(f.data)
	}
	files := tool.NewFiles(s, storage.Fence{Partition: storage.Shard(t.Shard)}, t.Session, nil)
	for _, f := range t.Files {
		if f.Missing != "" || size+int(f.Size) > maxFiles {
			continue
		}
		_, data, err := files.Read(ctx, f.Name)
		if err != nil {
			return err
		}
		size += len(data)
		x.files = append(x.files, file{path.Join("files", fmt.Sprint(len(x.Sessions)), f.Name), data})
	}
	return nil
}

func (x *export) zip() ([]byte, error) {
	all, err := json.MarshalIndent(x, "", "  ")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range append([]file{{"everything.json", all}, {"readable.md", x.markdown()}}, x.files...) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: x.At})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return out.Bytes(), err
}

// markdown is the part that people read: what is remembered, and what was said.
func (x *export) markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# What is kept about %s\n\nAs of %s. everything.json holds all of it.\n\n## Remembered\n\n",
		x.Account, x.At.Format("2006-01-02 15:04 UTC"))
	for _, c := range x.cards {
		fmt.Fprintf(&b, "- %s (%s, %s, %.0f%%)\n", c.Text, c.Kind, c.State, 100*c.Confidence)
	}
	for _, g := range x.Given {
		fmt.Fprintf(&b, "- %s (given to %s)\n", g.Card.Text, readable(g.Place))
	}
	b.WriteString("\n## Said\n")
	for _, s := range x.Said {
		speaker := "you"
		if s.Answer {
			speaker = "answer"
		}
		fmt.Fprintf(&b, "\n%s, %s, %s:\n\n> %s\n", s.At.Format("2006-01-02 15:04"), readable(s.Place), speaker, bytes.ReplaceAll([]byte(s.Text), []byte("\n"), []byte("\n> ")))
	}
	return b.Bytes()
}

// readable is a place for people: less the parts that it has none of, and those
// that say the same again.
func readable(place string) string {
	a, ok := chat.ParseAddress(place)
	if !ok {
		return place
	}
	parts := []string{a.Platform, a.Workspace, a.Chat}
	parts = slices.Compact(slices.DeleteFunc(parts, func(p string) bool { return p == "" }))
	return strings.Join(parts, "/")
}
