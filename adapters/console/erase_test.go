package console_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talaria/adapters/console"
	"talaria/core/chat"
)

func TestErasedConsoleKeepsNothingButWhatIsNotItsOwn(t *testing.T) {
	w := &world{answer: func(chat.Event) []chat.Post {
		return []chat.Post{{Files: []chat.Upload{{Name: "about.zip", Data: []byte("secret")}}}}
	}}
	var out strings.Builder
	o := w.options(t)
	p := console.NewPipe(strings.NewReader("one\ntwo\n"), &out, o)
	w.adapter = p
	if err := p.Run(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	ours := filepath.Join(o.Folder, "files", "notes.txt")
	if err := os.WriteFile(ours, []byte("the owner's"), 0o600); err != nil {
		t.Fatal(err)
	}
	left, err := console.History(o.Folder, func() {
		if err := console.Erase(o.Folder); err != nil {
			t.Fatal(err)
		}
	}, "my secret")
	if err != nil || left != "" {
		t.Errorf("a running console still offers %q, %v", left, err)
	}
	if err := console.Erase(o.Folder); err != nil {
		t.Errorf("a second time: %v", err)
	}
	var found []string
	_ = filepath.WalkDir(o.Folder, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			found = append(found, path)
		}
		return err
	})
	if len(found) != 1 || found[0] != ours {
		t.Errorf("left are %q", found)
	}
}

func TestHistoryIsKeptLineByLine(t *testing.T) {
	dir := t.TempDir()
	_, err := console.History(dir, func() {
		if kept, err := os.ReadFile(filepath.Join(dir, "history")); err != nil || string(kept) != "first\nsecond\n" {
			t.Errorf("kept is %q, %v", kept, err)
		}
	}, "first", "second")
	if err != nil {
		t.Fatal(err)
	}
}
