package manifest_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"talaria/core/skill/manifest"
)

func kettle() manifest.Bundle {
	return manifest.Bundle{
		"SKILL.md":            []byte("\xef\xbb\xbf---\r\nname: kettle\r\ndescription: Boil.\r\n---\r\n\r\nBoil.\r\n"),
		"references/kinds.md": []byte("green\n"),
		"scripts/heat.sh":     []byte("#!/bin/sh\nexit 0\n"),
		"assets/cup.png":      {0x89, 'P', 'N', 'G', 0, 0xff},
		"LICENSE.txt":         []byte("MIT\n"),
	}
}

func TestBundleComesBackFromAFolderByteForByte(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kettle")
	if err := kettle().WriteTo(dir); err != nil {
		t.Fatal(err)
	}
	got, messages, err := manifest.ReadBundle(os.DirFS(dir))
	if err != nil || len(messages) > 0 {
		t.Fatal(messages, err)
	}
	if diff := cmp.Diff(kettle(), got); diff != "" {
		t.Error(diff)
	}
	if info, err := os.Stat(filepath.Join(dir, "scripts/heat.sh")); err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("the script can't be run: %v, %v", info.Mode(), err)
	}
	if err := kettle().WriteTo(dir); err == nil {
		t.Error("a folder that is not empty was written into")
	}
}

func TestBundleComesBackFromAnArchiveByteForByte(t *testing.T) {
	for _, folder := range []string{"", "kettle", "deep/er/kettle"} {
		var first, second bytes.Buffer
		if err := errors.Join(kettle().Zip(&first, folder), kettle().Zip(&second, folder)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Error("the same files gave two archives")
		}
		got, name, messages, err := manifest.ReadZip(bytes.NewReader(first.Bytes()), int64(first.Len()))
		if err != nil || len(messages) > 0 {
			t.Fatal(messages, err)
		}
		if diff := cmp.Diff(kettle(), got); diff != "" {
			t.Error(diff)
		}
		if want := filepath.Base(folder); folder != "" && name != want || folder == "" && name != "" {
			t.Errorf("folder %q of %q", name, folder)
		}
	}
}

func TestWriteToLeavesItsFolderNever(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "kettle")
	b := kettle()
	b["../loose.txt"] = []byte("x")
	if err := b.WriteTo(dir); !errors.Is(err, manifest.ErrRefused) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(filepath.Join(outside, "loose.txt")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a file was written outside")
	}
}

func TestHashIsOfContentsAlone(t *testing.T) {
	base := kettle().Hash()
	if !strings.HasPrefix(base, "sha256:") || len(base) != len("sha256:")+64 || kettle().Hash() != base {
		t.Errorf("hash %q", base)
	}
	for name, change := range map[string]func(manifest.Bundle){
		"a byte":   func(b manifest.Bundle) { b["LICENSE.txt"] = []byte("MIT") },
		"a path":   func(b manifest.Bundle) { b["LICENSE"] = b["LICENSE.txt"]; delete(b, "LICENSE.txt") },
		"one more": func(b manifest.Bundle) { b["assets/empty"] = nil },
		"exchanged": func(b manifest.Bundle) {
			b["LICENSE.txt"], b["references/kinds.md"] = b["references/kinds.md"], b["LICENSE.txt"]
		},
		"moved on": func(b manifest.Bundle) { b["a"] = []byte("bc"); delete(b, "LICENSE.txt") },
	} {
		b := kettle()
		change(b)
		if b.Hash() == base {
			t.Errorf("%s does not change the hash", name)
		}
	}
}

func TestMainFileComesFirst(t *testing.T) {
	want := []string{"SKILL.md", "LICENSE.txt", "assets/cup.png", "references/kinds.md", "scripts/heat.sh"}
	if diff := cmp.Diff(want, kettle().Paths()); diff != "" {
		t.Error(diff)
	}
}

func TestFolderIsCleanedOfLeftovers(t *testing.T) {
	b, messages, err := manifest.ReadBundle(fstest.MapFS{
		"skill.md":                  {Data: []byte("x")},
		".git/config":               {Data: []byte("x")},
		"scripts/__pycache__/a.pyc": {Data: []byte("x")},
		"scripts/a.py":              {Data: []byte("x")},
		".DS_Store":                 {Data: []byte("x")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"SKILL.md", "scripts/a.py"}, b.Paths()); diff != "" {
		t.Error(diff)
	}
	for _, words := range []string{".git", "__pycache__", ".DS_Store", `"skill.md"`} {
		if !strings.Contains(texts(messages), words) {
			t.Errorf("nothing is said of %s", words)
		}
	}
}

func TestFoldersThatAreRefused(t *testing.T) {
	main := &fstest.MapFile{Data: []byte("x")}
	many := fstest.MapFS{"SKILL.md": main}
	for i := range manifest.MaxFiles {
		many[fmt.Sprintf("assets/%d", i)] = main
	}
	heavy := fstest.MapFS{"SKILL.md": main}
	for i := range 17 {
		heavy[fmt.Sprintf("assets/%d", i)] = &fstest.MapFile{Data: make([]byte, manifest.MaxSupportFile)}
	}
	for name, c := range map[string]struct {
		files  fstest.MapFS
		reason string
	}{
		"no main file":   {fstest.MapFS{"README.md": main, "sub/SKILL.md": main}, "no SKILL.md"},
		"link":           {fstest.MapFS{"SKILL.md": main, "assets/x": {Mode: fs.ModeSymlink}}, "link"},
		"pipe":           {fstest.MapFS{"SKILL.md": main, "assets/x": {Mode: fs.ModeNamedPipe}}, "no regular file"},
		"large file":     {fstest.MapFS{"SKILL.md": main, "assets/x": {Data: make([]byte, manifest.MaxSupportFile+1)}}, "1048576 bytes"},
		"long main file": {fstest.MapFS{"SKILL.md": {Data: make([]byte, 5*manifest.MaxFile)}}, "100000 characters"},
		"many files":     {many, "500 files"},
		"heavy":          {heavy, "together"},
		"hidden signs":   {fstest.MapFS{"SKILL.md": main, "assets/a\u202egnp.exe": main}, "characters"},
	} {
		t.Run(name, func(t *testing.T) {
			b, messages, err := manifest.ReadBundle(c.files)
			if !errors.Is(err, manifest.ErrRefused) || b != nil || !strings.Contains(texts(messages), c.reason) {
				t.Errorf("%d files, %v, %v", len(b), messages, err)
			}
		})
	}
}

// packed is an archive of entries that nothing but a test would make.
func packed(t *testing.T, entries ...zip.FileHeader) *bytes.Reader {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		create := w.CreateHeader
		if e.UncompressedSize64 > 0 { // one that says more than it holds
			create = w.CreateRaw
		}
		f, err := create(&e)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, e.Comment); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(out.Bytes())
}

func TestArchivesThatAreRefused(t *testing.T) {
	link := zip.FileHeader{Name: "a/link"}
	link.SetMode(fs.ModeSymlink | 0o777)
	bomb := zip.FileHeader{Name: "a/big", UncompressedSize64: manifest.MaxArchive - 1}
	second := zip.FileHeader{Name: "a/second", UncompressedSize64: 2}
	var small bytes.Buffer // of what unpacks to more than a file may have
	large := manifest.Bundle{"SKILL.md": []byte("x"), "assets/big": make([]byte, manifest.MaxSupportFile+1)}
	if err := large.Zip(&small, "a"); err != nil || small.Len() > 1<<13 {
		t.Fatal(small.Len(), err)
	}
	for name, c := range map[string]struct {
		archive *bytes.Reader
		reason  string
	}{
		"path up":         {packed(t, zip.FileHeader{Name: "a/../../x"}), "leads out"},
		"path up, other":  {packed(t, zip.FileHeader{Name: `..\x`}), "leads out"},
		"absolute":        {packed(t, zip.FileHeader{Name: "/etc/x"}), "leads out"},
		"link":            {packed(t, zip.FileHeader{Name: "a/SKILL.md"}, link), "link"},
		"one name twice":  {packed(t, zip.FileHeader{Name: "a/SKILL.md"}, zip.FileHeader{Name: `a\SKILL.md`}), "two files"},
		"bomb":            {packed(t, bomb, second), "bytes"},
		"bomb of one":     {bytes.NewReader(small.Bytes()), "1048576 bytes"},
		"no skill":        {packed(t, zip.FileHeader{Name: "a/README.md"}), "no SKILL.md"},
		"several skills":  {packed(t, zip.FileHeader{Name: "a/SKILL.md"}, zip.FileHeader{Name: "b/SKILL.md"}), "no SKILL.md"},
		"no archive":      {bytes.NewReader([]byte("PK but not really")), "no ZIP"},
		"nothing in it":   {packed(t), "no SKILL.md"},
		"device as entry": {packed(t, func() zip.FileHeader { h := zip.FileHeader{Name: "a/dev"}; h.SetMode(fs.ModeDevice); return h }()), "device"},
	} {
		t.Run(name, func(t *testing.T) {
			b, _, messages, err := manifest.ReadZip(c.archive, c.archive.Size())
			if !errors.Is(err, manifest.ErrRefused) || b != nil || !strings.Contains(texts(messages), c.reason) {
				t.Errorf("%d files, %v, %v", len(b), messages, err)
			}
		})
	}
}

func TestArchiveOfWindowsPaths(t *testing.T) {
	r := packed(t, zip.FileHeader{Name: `kettle\SKILL.md`}, zip.FileHeader{Name: `kettle\scripts\a.py`})
	b, folder, messages, err := manifest.ReadZip(r, r.Size())
	if err != nil || folder != "kettle" || b["scripts/a.py"] == nil {
		t.Errorf("%v of %q, %v, %v", b.Paths(), folder, messages, err)
	}
}

func TestPaths(t *testing.T) {
	for p, want := range map[string]struct{ safe, writable bool }{
		"SKILL.md":                               {true, true},
		"references/a.md":                        {true, true},
		"scripts/sub/a.py":                       {true, true},
		"assets/日本 図.png":                        {true, true},
		"templates/a b (1).txt":                  {true, true},
		"skill.md":                               {true, false},
		"README.md":                              {true, false},
		"references":                             {true, false},
		"other/a.md":                             {true, false},
		".env":                                   {true, false},
		"":                                       {},
		".":                                      {},
		"..":                                     {},
		"../SKILL.md":                            {},
		"references/../SKILL.md":                 {},
		"references//a.md":                       {},
		"references/./a.md":                      {},
		"references/a/":                          {},
		"/references/a.md":                       {},
		`references\a.md`:                        {},
		"C:/references/a.md":                     {},
		"references/a.md:hidden":                 {},
		"references/a\x00.md":                    {},
		"references/a\nb.md":                     {},
		"references/\u200ba.md":                  {},
		"references/... /a.md":                   {},
		"references/a.md ":                       {},
		"references/a.":                          {},
		"references/\xff.md":                     {},
		"references/" + strings.Repeat("a", 300): {},
		"references/" + strings.Repeat("a/", 12) + "b": {},
	} {
		if err := manifest.SafePath(p); (err == nil) != want.safe {
			t.Errorf("safe %q: %v", p, err)
		}
		err := manifest.WritablePath(p)
		if (err == nil) != want.writable || err != nil && !errors.Is(err, manifest.ErrRefused) {
			t.Errorf("writable %q: %v", p, err)
		}
	}
}

func TestLoadTakesFolderAndFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kettle")
	if err := kettle().WriteTo(dir); err != nil {
		t.Fatal(err)
	}
	lower := filepath.Join(t.TempDir(), "skill.md")
	if err := os.WriteFile(lower, kettle()["SKILL.md"], 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]struct {
		files int
		level manifest.Level
	}{
		dir:                            {5, manifest.OK},
		filepath.Join(dir, "SKILL.md"): {1, manifest.OK},
		lower:                          {1, manifest.Warn},
	} {
		b, m, messages, err := manifest.Load(path)
		if err != nil || len(b) != want.files || m.Name != "kettle" || manifest.Worst(messages) != want.level {
			t.Errorf("%s: %d files, %q, %v, %v", path, len(b), m.Name, messages, err)
		}
	}
	if _, _, _, err := manifest.Load(filepath.Join(dir, "missing")); err == nil || errors.Is(err, manifest.ErrRefused) {
		t.Errorf("a missing path: %v", err)
	}
}
