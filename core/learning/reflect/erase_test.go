package reflect_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"talaria/core/agent"
	"talaria/core/learning"
	"talaria/core/learning/reflect"
	"talaria/core/person"
	"talaria/core/trace"
	"talaria/storage"
)

// ben is not the one who asked.
const ben = person.ID("pben")

func joined(t *trace.Task, _ *learning.Observed) {
	t.Turns = append(t.Turns, trace.Turn{ID: "t9", Who: ben, Asked: "and cups", Answered: "Yes.", Ending: agent.Answered})
}

func names(t *testing.T, folder string) (all []string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		all = append(all, f.Name())
	}
	return all
}

// kept are the documents of reviews.
func (w *world) kept() (all []string) {
	w.Helper()
	err := w.store.Dump(context.Background(), shard, func(r storage.Record) error {
		if c := r.Data["collection"]; slices.Contains([]string{"learning.report", "learning.review", "learning.budget"}, c) {
			all = append(all, c+" "+r.Key)
		}
		return nil
	})
	if err != nil {
		w.Fatal(err)
	}
	return all
}

func TestReportsOfTheForgottenGoWithTheirCopies(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "reports")
	w := newWorld(t, says(oneRule), func(c *reflect.Config) { c.Path = folder })
	w.mustLook(w.task("20260101T000000Z-1", reasoned))
	w.mustLook(w.task("20260101T000001Z-2", reasoned, joined))
	e := reflect.Eraser{Store: w.store, Copies: reflect.Copies{Path: folder, Keep: w.config.Keep}}
	n := storage.ShardOf(room.Platform, room.Workspace, room.Chat)

	if err := e.EraseShard(t.Context(), n, person.Subject{People: []person.ID{ben}}); err != nil {
		t.Fatal(err)
	}
	left := w.reports()
	if len(left) != 1 || left[0].Task != "20260101T000000Z-1" {
		t.Fatalf("after somebody who joined in is forgotten: %+v", left)
	}
	if got := names(t, folder); !slices.Equal(got, []string{left[0].ID + ".md"}) {
		t.Errorf("copies: %q", got)
	}

	if err := e.EraseShard(t.Context(), n, person.Subject{People: []person.ID{w.who().Person}}); err != nil {
		t.Fatal(err)
	}
	if kept, copies := w.kept(), names(t, folder); len(kept)+len(copies) > 0 {
		t.Errorf("after the one who asked is forgotten: %q, %q", kept, copies)
	}
}

func TestAReportStaysUntilItsCopyCanBeRemoved(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "reports")
	w := newWorld(t, says(oneRule), func(c *reflect.Config) { c.Path = folder })
	w.mustLook(w.task("20260101T000000Z-1", reasoned))
	stuck := filepath.Join(folder, w.reports()[0].ID+".md")
	if err := os.Remove(stuck); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(stuck, "full"), 0o700); err != nil { // nothing removes that like a file
		t.Fatal(err)
	}
	e := reflect.Eraser{Store: w.store, Copies: reflect.Copies{Path: folder, Keep: w.config.Keep}}
	n, who := storage.ShardOf(room.Platform, room.Workspace, room.Chat), person.Subject{People: []person.ID{w.who().Person}}
	if err := e.EraseShard(t.Context(), n, who); err == nil || len(w.reports()) != 1 {
		t.Errorf("%v, %d reports", err, len(w.reports()))
	}
	if err := os.RemoveAll(stuck); err != nil {
		t.Fatal(err)
	}
	if err := e.EraseShard(t.Context(), n, who); err != nil || len(w.reports()) != 0 {
		t.Errorf("once it can be: %v, %d reports", err, len(w.reports()))
	}
}

func TestCopiesGoWhenTheirReportsHaveExpired(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"20200101-120000-abcdefgh.md", "20200101-notes.md", "20200101-120000-abcdefgh.txt"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w := newWorld(t, says(oneRule), func(c *reflect.Config) { c.Path = folder })
	w.mustLook(w.task("20260101T000000Z-1", reasoned))
	got := names(t, folder)
	want := []string{"20200101-120000-abcdefgh.txt", "20200101-notes.md", w.reports()[0].ID + ".md"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	e := reflect.Eraser{Store: w.store, Copies: reflect.Copies{Path: folder, Keep: time.Nanosecond}}
	if err := e.Erase(t.Context(), person.Subject{}); err != nil || len(names(t, folder)) != 2 {
		t.Errorf("%v, %q", err, names(t, folder))
	}
}

func TestAReviewLeavesNothingOfSomebodyForgottenMeanwhile(t *testing.T) {
	m := &model{}
	w := newWorld(t, m)
	n := w.task("20260101T000000Z-1", reasoned)
	m.say = func(ctx context.Context, _ int, _ agent.Request) ([]agent.Delta, error) {
		return answer(oneRule), w.store.Bury(ctx, storage.Person(string(n.Person)))
	}
	w.mustLook(n)
	if m.calls() != 1 || len(w.reports()) != 0 || len(w.cards()) != 0 {
		t.Errorf("%d calls, %d reports, %d cards", m.calls(), len(w.reports()), len(w.cards()))
	}
}

func TestAPersonIsToldOfReportsOfTheirOwnTasksAlone(t *testing.T) {
	w := newWorld(t, says(oneRule))
	w.mustLook(w.task("20260101T000000Z-1", reasoned))
	w.mustLook(w.task("20260101T000001Z-2", reasoned, joined))
	x := reflect.Exporter{Store: w.store}
	got, err := x.Export(t.Context(), person.Subject{People: []person.ID{w.who().Person}})
	if all, _ := got.([]reflect.Report); err != nil || len(all) != 1 || !strings.HasSuffix(all[0].Task, "-1") {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := x.Export(t.Context(), person.Subject{People: []person.ID{ben}}); err != nil || got != nil {
		t.Errorf("of somebody who only joined in: %+v, %v", got, err)
	}
}
