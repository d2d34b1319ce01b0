package isolation_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	fake "talaria/adapters/fake/telegram"
	"talaria/storage"
)

func TestAnExportHoldsAllThatIsKeptOfAPersonAndNothingElse(t *testing.T) {
	onBothStores(t, func(t *testing.T, storeURL string) {
		w := parting(t, storeURL)
		w.asks(leaver, group, "/export@"+fake.BotName, "direct conversation")
		w.asks(leaver, leaver, "/export", "Everything that I keep about you")
		exported := unzipped(t, w)
		all := map[string]bool{}
		leaves(t, exported["everything.json"], all)
		for name, data := range exported {
			if bytes.Contains(data, []byte(others)) {
				t.Errorf("%s holds what is another person's", name)
			}
		}
		if readable := string(exported["readable.md"]); !strings.Contains(readable, "the public codeword is "+mine) || strings.Contains(readable, "telegram//") {
			t.Errorf("readable.md: %s", readable)
		}
		if !slices.ContainsFunc(slices.Collect(keysOf(exported)), func(n string) bool { return strings.HasSuffix(n, "/note.txt") }) {
			t.Error("the person's file is not in the export")
		}
		for _, kept := range keptStrings(t, w.store()) {
			if !all[kept] {
				t.Errorf("kept, and not in the export: %q", kept)
			}
		}
	})
}

func keysOf(m map[string][]byte) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// unzipped waits for the export's file and reads it.
func unzipped(t *testing.T, w *world) map[string][]byte {
	t.Helper()
	var data []byte
	err := w.telegram.Await(t.Context(), func() bool {
		for _, m := range w.telegram.Sent(leaver) {
			if m.File != nil && m.File.Name == "talaria-about-me.zip" {
				data = m.File.Data
			}
		}
		return data != nil
	})
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if out[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// keptStrings are all strings of the store that hold the leaver's canary, but
// for what is made anew from others: frozen prompts, terms of the index.
func keptStrings(t *testing.T, s *storage.Store) []string {
	t.Helper()
	found := map[string]bool{}
	for shard := range storage.Shards {
		collect(t, s, storage.Shard(shard), found)
	}
	var out []string
	for text := range found {
		if strings.Contains(text, mine) {
			out = append(out, text)
		}
	}
	if len(out) < 5 {
		t.Fatalf("the test looks in the wrong place: only %q", out)
	}
	return out
}

func collect(t *testing.T, s *storage.Store, p storage.Partition, found map[string]bool) {
	t.Helper()
	err := s.Dump(t.Context(), p, func(r storage.Record) error {
		stored, err := r.Stored()
		switch {
		case err != nil:
			return err
		case stored.Document != nil && stored.Document.Collection != "prefix":
			leaves(t, stored.Document.Value, found)
		case stored.Entry != nil:
			leaves(t, stored.Entry.Value, found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// leaves adds all strings of a JSON value.
func leaves(t *testing.T, data []byte, found map[string]bool) {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	addLeaves(v, found)
}

func addLeaves(v any, found map[string]bool) {
	switch v := v.(type) {
	case string:
		found[v] = true
	case []any:
		for _, e := range v {
			addLeaves(e, found)
		}
	case map[string]any:
		for _, e := range v {
			addLeaves(e, found)
		}
	}
}
