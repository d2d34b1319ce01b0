package backup_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"talaria/gateway/backup"
	"talaria/storage"
	"talaria/storage/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T) *storage.Store {
	t.Helper()
	d, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := storage.New(d)
	t.Cleanup(func() { s.Close() })
	return s
}

// full is a store that holds one of everything.
func full(t *testing.T) *storage.Store {
	t.Helper()
	s := open(t)
	shard, person := storage.Shard(3), storage.Person("p1")
	hash, err := s.PutBlob(t.Context(), shard, []byte{0, 1, 2, 0xff})
	if err != nil {
		t.Fatal(err)
	}
	due := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, b := range []*storage.Batch{
		storage.On(shard).
			Put("sessions", "s1", map[string]string{"name": "Łódź 北京", "blob": hash}, storage.Any).
			Append("transcript", "one", "two").
			Receive([]string{"k1"}, "waiting", time.Hour).
			Queue("r1", storage.Queued, "unsent").
			Queue("r2", storage.Sending, "half sent").
			Queue("r3", storage.Queued, "sent").
			Move("r3", []storage.State{storage.Queued}, storage.Sent, nil, 0).
			Index("place", "d1", map[string]int{"word": 2}),
		storage.On(person).Put("cards", "c1", strings.Repeat("x", 1<<20), storage.Any),
		storage.On(storage.System("timers")).SetTimer("t1", due, "job"),
	} {
		if _, err := s.Commit(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// contents lists a store's records by partition.
func contents(t *testing.T, s *storage.Store) map[string][]storage.Record {
	t.Helper()
	out := map[string][]storage.Record{}
	var partitions []storage.Partition
	err := s.Partitions(t.Context(), func(p storage.Partition) error {
		partitions = append(partitions, p)
		return nil
	})
	for _, p := range partitions {
		err = errors.Join(err, s.Dump(t.Context(), p, func(r storage.Record) error {
			out[p.String()] = append(out[p.String()], r)
			return nil
		}))
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func write(t *testing.T, s *storage.Store) (string, backup.Summary) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "backup")
	sum, err := backup.Write(t.Context(), s, path)
	if err != nil {
		t.Fatal(err)
	}
	return path, sum
}

func TestEverythingComesBack(t *testing.T) {
	from, to := full(t), open(t)
	path, sum := write(t, from)
	got, err := backup.Restore(t.Context(), to, path, backup.Options{Resume: true})
	if err != nil {
		t.Fatal(err)
	}
	if got.Summary != sum || sum.Partitions != 3 {
		t.Errorf("wrote %v, restored %v", sum, got)
	}
	if d := cmp.Diff(contents(t, from), contents(t, to)); d != "" {
		t.Errorf("the stores differ (-from +to):\n%s", d)
	}
	blob := storage.Shard(3)
	session, err := storage.Get[map[string]string](t.Context(), to, blob, "sessions", "s1")
	if err != nil {
		t.Fatal(err)
	}
	if data, err := to.GetBlob(t.Context(), blob, session.Value["blob"]); err != nil || len(data) != 4 {
		t.Errorf("blob %v, %v", data, err)
	}
}

func TestRestoredStoreStaysSilent(t *testing.T) {
	path, _ := write(t, full(t))
	to := open(t)
	got, err := backup.Restore(t.Context(), to, path, backup.Options{})
	if err != nil || got.Events != 1 || got.Messages != 2 {
		t.Errorf("restored %+v, error %v", got, err)
	}
	events, err := to.Pending(t.Context(), storage.Shard(3), 0, 10)
	if err != nil || len(events) > 0 {
		t.Errorf("events %v, error %v", events, err)
	}
	rows, err := to.Rows(t.Context(), storage.Shard(3), 0, 10, storage.Queued, storage.Sending)
	if err != nil || len(rows) > 0 {
		t.Errorf("rows %v, error %v", rows, err)
	}
	again, err := to.Commit(t.Context(), storage.On(storage.Shard(3)).Receive([]string{"k1"}, "waiting", time.Hour))
	if err != nil || !again[0].Known {
		t.Errorf("the event's key was forgotten: %v, %v", again, err)
	}
}

func TestBackupIsForItsOwner(t *testing.T) {
	path, _ := write(t, full(t))
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
}

func TestNothingIsWrittenOver(t *testing.T) {
	s := full(t)
	path, _ := write(t, s)
	if _, err := backup.Write(t.Context(), s, path); !errors.Is(err, os.ErrExist) {
		t.Errorf("backup over a file: %v", err)
	}
	if _, err := backup.Restore(t.Context(), s, path, backup.Options{}); !errors.Is(err, backup.ErrNotEmpty) {
		t.Errorf("restore over a store: %v", err)
	}
}

func TestUnfinishedBackupIsRemoved(t *testing.T) {
	s := full(t)
	path := filepath.Join(t.TempDir(), "backup")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := backup.Write(ctx, s, path); err == nil {
		t.Fatal("no error")
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
}

func TestDamagedFileIsRefusedAsAWhole(t *testing.T) {
	path, _ := write(t, full(t))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := map[string][]byte{
		"empty":      {},
		"text":       []byte("hello"),
		"appended":   append(append([]byte{}, whole...), whole...),
		"last byte":  whole[:len(whole)-1],
		"half":       whole[:len(whole)/2],
		"bit turned": turned(whole, len(whole)/2),
		"first half": turned(whole, 40),
	}
	for name, data := range damaged {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "damaged")
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			to := open(t)
			if _, err := backup.Restore(t.Context(), to, file, backup.Options{}); !errors.Is(err, backup.ErrDamaged) {
				t.Errorf("error = %v", err)
			}
			if left := contents(t, to); len(left) > 0 {
				t.Errorf("wrote %d partitions", len(left))
			}
		})
	}
}

func turned(data []byte, at int) []byte {
	out := append([]byte{}, data...)
	out[at] ^= 0x10
	return out
}
