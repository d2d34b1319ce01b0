package storage_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"talaria/storage"
)

func TestRestoreGivesBackAllThatWasBackedUp(t *testing.T) {
	from, s := memory(t)
	furnish(t, s)
	var b bytes.Buffer
	written, err := storage.Backup(t.Context(), s, &b)
	if err != nil {
		t.Fatal(err)
	}
	to, restored := memory(t)
	read, err := storage.Restore(t.Context(), restored, bytes.NewReader(b.Bytes()), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(content(t, from), content(t, to), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(written, read, cmpopts.EquateEmpty()); diff != "" {
		t.Error("the reports differ:", diff)
	}
	if read.Partitions != 5 || read.Kinds["document"] != 10 || read.Records != 5*16 {
		t.Errorf("%+v", read)
	}
}

func TestBackupOfAnEmptyStore(t *testing.T) {
	_, s := memory(t)
	_, restored := memory(t)
	report, err := storage.Restore(t.Context(), restored, bytes.NewReader(backup(t, s)), nil)
	if err != nil || report.Records != 0 {
		t.Error(report, err)
	}
}

func TestLargePartitionsAreRestoredInParts(t *testing.T) {
	from, s := memory(t)
	b := storage.On(storage.Shard(1))
	for n := range 2500 {
		b.Append("log", n)
	}
	commit(t, s, b)
	for n := range 3 {
		if _, err := s.PutBlob(t.Context(), storage.Shard(1), bytes.Repeat([]byte{byte(n)}, 3<<20)); err != nil {
			t.Fatal(err)
		}
	}
	to, restored := memory(t)
	if _, err := storage.Restore(t.Context(), restored, bytes.NewReader(backup(t, s)), nil); err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(content(t, from), content(t, to), cmp.Comparer(bytes.Equal)) {
		t.Error("something is missing")
	}
}

func TestRestoreIntoAStoreThatIsNotEmptyIsRefused(t *testing.T) {
	_, s := memory(t)
	furnish(t, s)
	d, other := memory(t)
	commit(t, other, storage.On(storage.Team("mine")).Put("c", "k", 1, storage.Any))
	before := content(t, d)
	_, err := storage.Restore(t.Context(), other, bytes.NewReader(backup(t, s)), nil)
	if !errors.Is(err, storage.ErrInvalid) || !strings.Contains(err.Error(), "name a new one") || strings.Contains(err.Error(), "t/mine") {
		t.Error(err)
	}
	if diff := cmp.Diff(before, content(t, d)); diff != "" {
		t.Error(diff)
	}
}

func TestRestoredStoreIsNotLiveUntilToldSo(t *testing.T) {
	_, s := memory(t)
	furnish(t, s)
	if live, err := s.Live(t.Context()); !live || err != nil {
		t.Fatal("the first store:", live, err)
	}
	_, restored := memory(t)
	if _, err := storage.Restore(t.Context(), restored, bytes.NewReader(backup(t, s)), nil); err != nil {
		t.Fatal(err)
	}
	if live, err := restored.Live(t.Context()); live || err != nil {
		t.Fatal("after the restore:", live, err)
	}
	if err := restored.SetLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	if live, err := restored.Live(t.Context()); !live || err != nil {
		t.Fatal("after being told:", live, err)
	}
	_, third := memory(t)
	if _, err := storage.Restore(t.Context(), third, bytes.NewReader(backup(t, restored)), nil); err != nil {
		t.Fatal(err)
	}
	if live, err := third.Live(t.Context()); live || err != nil {
		t.Fatal("a copy of a live one:", live, err)
	}
}

func TestTheFirstStoreNeedsNotBeToldThatItIsLive(t *testing.T) {
	d, s := memory(t)
	if err := s.SetLive(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := content(t, d); len(left) > 0 {
		t.Error(left)
	}
}

// cutter is a backup whose second reading fails, as a disk may.
type cutter struct {
	*bytes.Reader
	again bool
}

func (c *cutter) Seek(offset int64, whence int) (int64, error) {
	c.again = true
	return c.Reader.Seek(offset, whence)
}

func (c *cutter) Read(p []byte) (int, error) {
	if c.again && c.Len() < int(c.Size())/2 {
		return 0, errors.New("the disk is gone")
	}
	return c.Reader.Read(p[:min(len(p), 64)])
}

func TestAStoreThatWasHalfRestoredNeverBecomesLive(t *testing.T) {
	_, s := memory(t)
	furnish(t, s)
	data := backup(t, s)
	_, restored := memory(t)
	if _, err := storage.Restore(t.Context(), restored, &cutter{Reader: bytes.NewReader(data)}, nil); err == nil {
		t.Fatal("restored")
	}
	if live, err := restored.Live(t.Context()); live || !errors.Is(err, storage.ErrUnfinished) {
		t.Error(live, err)
	}
	if err := restored.SetLive(t.Context()); !errors.Is(err, storage.ErrUnfinished) {
		t.Error(err)
	}
	if _, err := storage.Restore(t.Context(), restored, bytes.NewReader(data), nil); !errors.Is(err, storage.ErrUnfinished) {
		t.Error("restored over it:", err)
	}
}

func TestAnAbandonedRestoreCanBeginAnew(t *testing.T) {
	from, s := memory(t)
	furnish(t, s)
	data := backup(t, s)
	to, restored := memory(t)
	if err := restored.Bury(t.Context(), storage.Person("gone")); err != nil {
		t.Fatal(err)
	}
	if _, err := storage.Restore(t.Context(), restored, &cutter{Reader: bytes.NewReader(data)}, nil); err == nil {
		t.Fatal("restored")
	}
	if err := restored.AbandonRestore(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := content(t, to); len(left) > 1 {
		t.Error("more than tombstones is left:", left)
	}
	if at, err := restored.Buried(t.Context(), storage.Person("gone")); err != nil || at.IsZero() {
		t.Error("the tombstone is gone:", err)
	}
	if _, err := storage.Restore(t.Context(), restored, bytes.NewReader(data), nil); err != nil {
		t.Fatal(err)
	}
	want, got := content(t, from), content(t, to)
	delete(got, storage.System("tombstones").String())
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if err := restored.AbandonRestore(t.Context()); err != nil || len(content(t, to)) == 1 {
		t.Error("a restore that was over is abandoned:", err)
	}
}

func TestARestoreIsOverOnlyWithItsLastStep(t *testing.T) {
	_, s := memory(t)
	furnish(t, s)
	data, killed := backup(t, s), errors.New("killed")
	_, restored := memory(t)
	if _, err := storage.Restore(t.Context(), restored, bytes.NewReader(data), func(storage.Report) error { return killed }); !errors.Is(err, killed) {
		t.Errorf("restored: %v", err)
	}
	if err := restored.SetLive(t.Context()); !errors.Is(err, storage.ErrInvalid) {
		t.Errorf("a store whose restore was cut off before its last step became live: %v", err)
	}
}

func TestCancelledBackupAndRestore(t *testing.T) {
	_, s := memory(t)
	furnish(t, s)
	data := backup(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := storage.Backup(ctx, s, io.Discard); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	_, restored := memory(t)
	if _, err := storage.Restore(ctx, restored, bytes.NewReader(data), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func BenchmarkBackupAndRestore(b *testing.B) {
	_, s := memory(b)
	for n := range 1000 {
		p := storage.Person(fmt.Sprint(n))
		commit(b, s, storage.On(p).Put("card", "1", note{}, storage.Any).Put("card", "2", note{}, storage.Any).Append("log", 1, 2, 3))
	}
	for b.Loop() {
		_, restored := memory(b)
		if _, err := storage.Restore(b.Context(), restored, bytes.NewReader(backup(b, s)), nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(1000*b.N)/b.Elapsed().Seconds(), "people/s")
}
