package tool_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/tool"
	"talaria/storage"
	"talaria/storage/teststore"
)

func shard(t *testing.T) (*storage.Store, storage.Fence) {
	t.Helper()
	s := teststore.Memory(t)
	f, err := s.Acquire(t.Context(), storage.Shard(3), "me", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return s, f
}

func TestFilesAreWrittenReadListedAndSent(t *testing.T) {
	s, fence := shard(t)
	b := tool.Binding{Principal: member, Files: tool.NewFiles(s, fence, "c1", noon)}
	set := &tool.Set{}
	in := agent.Invocation{Context: chat.External}
	res, err := invoke(t, bound(t, set, b, "files_write"), `{"name":"report.md","text":"# Tea\n","send":true}`, in)
	if err != nil || len(res.Files) != 1 || string(res.Files[0].Data) != "# Tea\n" || res.Files[0].Name != "report.md" {
		t.Fatalf("%+v, %v", res, err)
	}
	if res, err = invoke(t, bound(t, set, b, "files_read"), `{"name":"report.md"}`, in); err != nil || res.Text != "# Tea\n" || res.Origin != chat.External {
		t.Errorf("%+v, %v", res, err)
	}
	if res, err = invoke(t, bound(t, set, b, "files_list"), `{}`, in); err != nil || res.Text != `- "report.md", 6 bytes, 2030-03-04 12:00 UTC` {
		t.Errorf("%+v, %v", res, err)
	}
	other := tool.Binding{Principal: member, Files: tool.NewFiles(s, fence, "c2", noon)}
	if res, err = invoke(t, bound(t, set, other, "files_list"), `{}`, in); err != nil || res.Text != "There are no files." {
		t.Errorf("another conversation: %+v, %v", res, err)
	}
	if _, err = invoke(t, bound(t, set, other, "files_read"), `{"name":"report.md"}`, in); err == nil {
		t.Error("another conversation reads the file")
	}
}

func TestAttachmentsAppearOnce(t *testing.T) {
	s, fence := shard(t)
	hash, err := s.PutBlob(t.Context(), fence.Partition, []byte("\ufeffa;b\n1;2"))
	if err != nil {
		t.Fatal(err)
	}
	files := tool.NewFiles(s, fence, "c1", noon)
	list := []chat.Attachment{
		{Label: "data.csv", MIME: "text/csv", Size: 10, Ref: "f1", Blob: hash},
		{Label: "data.csv", MIME: "text/csv", Size: 10, Ref: "f2", Blob: hash},
		{Label: "../../etc/pass\u202ewd", Ref: "f3", Error: "too_large"},
	}
	for range 2 {
		if err := files.Attach(t.Context(), list); err != nil {
			t.Fatal(err)
		}
	}
	b := tool.Binding{Principal: member, Files: files}
	res, err := invoke(t, bound(t, &tool.Set{}, b, "files_list"), `{}`, agent.Invocation{})
	for _, part := range []string{`"data.csv"`, `"data-2.csv"`, `"_.._etc_pass_wd", 0 bytes`, "not copied: too_large"} {
		if err != nil || !strings.Contains(res.Text, part) || strings.Count(res.Text, "\n") != 2 {
			t.Errorf("list lacks %s: %s, %v", part, res.Text, err)
		}
	}
	read := bound(t, &tool.Set{}, b, "files_read")
	if res, err := invoke(t, read, `{"name":"data-2.csv"}`, agent.Invocation{}); err != nil || res.Text != "a;b\n1;2" || res.Origin != chat.External {
		t.Errorf("%+v, %v", res, err)
	}
	if _, err := invoke(t, read, `{"name":"_.._etc_pass_wd"}`, agent.Invocation{}); err == nil || !strings.Contains(err.Error(), "not copied") {
		t.Errorf("%v", err)
	}
	if _, err := files.Write(t.Context(), "data.csv", "x", chat.Member); err == nil {
		t.Error("an attachment was overwritten")
	}
}

func TestFileNamesAreNoPaths(t *testing.T) {
	s, fence := shard(t)
	files := tool.NewFiles(s, fence, "c1", noon)
	for _, name := range []string{
		"", ".", "..", ".env", "../a", "a/b", `a\b`, "/etc/passwd", "a\x00b", "a\nb", "a\u202eb", "a\u200bb", "\xff", " a", "a ", strings.Repeat("x", 101),
	} {
		if _, err := files.Write(t.Context(), name, "x", chat.Member); err == nil {
			t.Errorf("%q was written", name)
		}
		if _, _, err := files.Read(t.Context(), name); err == nil {
			t.Errorf("%q was read", name)
		}
	}
	for _, name := range []string{"a", "Übersicht 2030.md", "报告.txt", "e\u0301.txt", "a..b", "x-_(1)"} {
		if _, err := files.Write(t.Context(), name, "x", chat.Member); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestFilesAreBounded(t *testing.T) {
	s, fence := shard(t)
	files := tool.NewFiles(s, fence, "c1", noon)
	if _, err := files.Write(t.Context(), "big", strings.Repeat("x", 101<<10), chat.Member); err == nil {
		t.Error("a file over the limit was written")
	}
	for n := range 64 {
		if _, err := files.Write(t.Context(), fmt.Sprint(n), "x", chat.Member); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := files.Write(t.Context(), "one more", "x", chat.Member); err == nil {
		t.Error("a file too many was written")
	}
	if _, err := files.Write(t.Context(), "7", "changed", chat.Member); err != nil {
		t.Errorf("replace one of many: %v", err)
	}
	var many []chat.Attachment
	for n := range 250 {
		many = append(many, chat.Attachment{Label: "a", Ref: fmt.Sprint(n)})
	}
	if err := files.Attach(t.Context(), many); err != nil {
		t.Fatal(err)
	}
	if list, err := files.List(t.Context()); err != nil || len(list) != 264 {
		t.Errorf("%d files, %v", len(list), err)
	}
}

func TestLongFilesAreReadInPieces(t *testing.T) {
	s, fence := shard(t)
	files := tool.NewFiles(s, fence, "c1", noon)
	text := strings.Repeat("漢字 ", 9000)
	if _, err := files.Write(t.Context(), "long", text, chat.Member); err != nil {
		t.Fatal(err)
	}
	one := bound(t, &tool.Set{}, tool.Binding{Principal: member, Files: files}, "files_read")
	var got strings.Builder
	for offset, pieces := 0, 0; offset < len(text); pieces++ {
		res, err := invoke(t, one, fmt.Sprintf(`{"name":"long","offset":%d}`, offset), agent.Invocation{})
		if err != nil || !utf8.ValidString(res.Text) || pieces > 10 {
			t.Fatalf("piece %d at %d: %v", pieces, offset, err)
		}
		piece, _, _ := strings.Cut(res.Text, "\n[bytes")
		got.WriteString(piece)
		offset += len(piece)
	}
	if got.String() != text {
		t.Errorf("%d bytes in pieces, %d written", got.Len(), len(text))
	}
	for _, offset := range []int{-1, len(text) + 1} {
		if _, err := invoke(t, one, fmt.Sprintf(`{"name":"long","offset":%d}`, offset), agent.Invocation{}); err == nil {
			t.Errorf("offset %d: no error", offset)
		}
	}
}

func TestStaleHolderWritesNoFile(t *testing.T) {
	s, fence := shard(t)
	if err := s.Release(t.Context(), fence); err != nil {
		t.Fatal(err)
	}
	_, err := tool.NewFiles(s, fence, "c1", noon).Write(t.Context(), "a", "x", chat.Member)
	if !errors.Is(err, storage.ErrFenced) {
		t.Errorf("error %v", err)
	}
}

func FuzzFreeName(f *testing.F) {
	f.Add("../../a.txt")
	f.Add(strings.Repeat("é", 200) + ".docx")
	f.Add(" .\xff\u202e.")
	f.Fuzz(func(t *testing.T, label string) {
		taken := map[string]bool{}
		for range 3 {
			name := tool.FreeName(label, taken)
			if !tool.FileName(name) || taken[name] {
				t.Fatalf("%q becomes %q", label, name)
			}
			taken[name] = true
		}
	})
}
