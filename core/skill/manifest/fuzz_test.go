package manifest_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"unicode/utf8"

	"talaria/core/skill/manifest"
)

func FuzzRead(f *testing.F) {
	for _, front := range []string{
		"name: a\ndescription: b", "name: A b\ndescription: c: d\nmetadata: {\"x\": [1, {}]}", "a: &a [*a]\n<<: *a",
		"description: |\n  x\n\ty: z\n", "- a\n- b", "{name: x, description: \"\\u0041\"}", "? a\n: b", "name: !!str 1\ndescription: 'it''s'",
		"permissions: [memory, network]\nrequires: {bins: [a]}\nconfig: {k: v}\ndescription: >-\n  d\nname: n",
	} {
		f.Add([]byte("---\n"+front+"\n---\n\nbody\n"), "folder")
	}
	f.Add([]byte("\xef\xbb\xbf\r\n---\r\nname: x\r\n...\r\n"), "")
	f.Fuzz(func(t *testing.T, data []byte, folder string) {
		m, messages, err := manifest.Read(data, folder)
		if !bytes.Equal(m.Bytes(), data) {
			t.Fatal("the bytes were not kept")
		}
		if (err != nil) != (manifest.Worst(messages) == manifest.Refuse) {
			t.Fatalf("error %v beside %v", err, messages)
		}
		if err != nil {
			if !errors.Is(err, manifest.ErrRefused) || messages[len(messages)-1].Text != err.Error() {
				t.Fatalf("error %v beside %v", err, messages)
			}
			return
		}
		if !manifest.ValidName(m.Name) || strings.TrimSpace(m.Description) == "" || !utf8.ValidString(m.Description) {
			t.Fatalf("name %q, description %q", m.Name, m.Description)
		}
		again, _, err := manifest.Read(manifest.Compose(m.Fields), m.Name)
		if err != nil || again.Name != m.Name || again.Description != m.Description {
			t.Fatalf("composed: %q %q, %v", again.Name, again.Description, err)
		}
	})
}

func FuzzZip(f *testing.F) {
	var good, odd bytes.Buffer
	if err := (manifest.Bundle{"SKILL.md": []byte("x"), "scripts/a": []byte("#!y")}).Zip(&good, "a"); err != nil {
		f.Fatal(err)
	}
	w := zip.NewWriter(&odd)
	for _, name := range []string{"../x", "a/skill.md", `b\c`, "d/"} {
		if _, err := w.Create(name); err != nil {
			f.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add(good.Bytes())
	f.Add(odd.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		b, _, messages, err := manifest.ReadZip(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			if b != nil || errors.Is(err, manifest.ErrRefused) != (manifest.Worst(messages) == manifest.Refuse) {
				t.Fatalf("%d files and %v beside %v", len(b), messages, err)
			}
			return
		}
		if b[manifest.MainFile] == nil {
			t.Fatal("no main file")
		}
		for _, p := range b.Paths() {
			if err := manifest.SafePath(p); err != nil || !fs.ValidPath(p) {
				t.Errorf("path %q: %v", p, err)
			}
		}
	})
}
