package storage_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/storage"
)

func TestDeletedPeopleStayDeleted(t *testing.T) {
	_, s := memory(t)
	furnish(t, s)
	old := backup(t, s)
	if err := s.Bury(t.Context(), storage.Person("ann")); err != nil {
		t.Fatal(err)
	}
	d, restored := memory(t)
	if err := storage.CopyTombstones(t.Context(), s, restored); err != nil {
		t.Fatal(err)
	}
	report, err := storage.Restore(t.Context(), restored, bytes.NewReader(old), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"p/ann"}, names(report.Buried)); diff != "" {
		t.Error(diff)
	}
	all := content(t, d)
	if len(all["p/ann"]) > 0 || len(all["p/日本"]) == 0 {
		t.Errorf("restored %v", all["p/ann"])
	}
	graves, err := restored.Tombstones(t.Context())
	if _, ok := graves[storage.Person("ann")]; !ok || err != nil {
		t.Error("the tombstone is gone:", graves, err)
	}
}

func TestWhoWasDeletedBeforeTheBackupMayComeBack(t *testing.T) {
	_, s := memory(t)
	furnish(t, s)
	if err := s.Bury(t.Context(), storage.Person("ann")); err != nil {
		t.Fatal(err)
	}
	for begin, _ := s.Now(t.Context()); ; { // the backup begins in a later millisecond
		if now, err := s.Now(t.Context()); err != nil || now.After(begin) {
			break
		}
	}
	commit(t, s, storage.On(storage.Person("ann")).Put("notes", "back", 1, storage.Absent))
	_, restored := memory(t)
	report, err := storage.Restore(t.Context(), restored, bytes.NewReader(backup(t, s)), nil)
	if err != nil || len(report.Buried) > 0 {
		t.Fatal(report.Buried, err)
	}
	if _, err := storage.Get[int](t.Context(), restored, storage.Person("ann"), "notes", "back"); err != nil {
		t.Error(err)
	}
}

func TestTheLaterTombstoneCounts(t *testing.T) {
	_, first := memory(t)
	_, second := memory(t)
	for _, s := range []*storage.Store{first, second} {
		if err := s.Bury(t.Context(), storage.Person("ann")); err != nil {
			t.Fatal(err)
		}
	}
	if err := storage.CopyTombstones(t.Context(), first, second); err != nil {
		t.Fatal(err)
	}
	a, _ := first.Tombstones(t.Context())
	b, _ := second.Tombstones(t.Context())
	if b[storage.Person("ann")].Before(a[storage.Person("ann")]) {
		t.Errorf("%v became %v", a, b)
	}
}

func names(partitions []storage.Partition) []string {
	var out []string
	for _, p := range partitions {
		out = append(out, p.String())
	}
	return out
}
