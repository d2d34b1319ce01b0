package torture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/model/modeltest"
)

// TestAFullDiskLosesNothing has the disk be full now and then while people write,
// so that half of all writes fail. Once there is space again the program goes on by
// itself, and each message has one answer.
func TestAFullDiskLosesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "sqlite", fake.Options{NoFlood: true}, modeltest.Echo())
	full := filepath.Join(w.dir, "full")
	p := w.serve("TALARIA_FULL=" + full)
	told := func() bool {
		log, err := os.ReadFile(filepath.Join(w.dir, "log"))
		return err == nil && strings.Contains(string(log), "the disk is full")
	}
	// Which writes fail is chance: few messages may pass without one.
	for n := 0; n < count(2, 30) || n < 100 && !told(); n++ {
		w.sayEach(10)
		if err := os.WriteFile(full, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		w.sayEach(10)
		before := offered(w)
		w.sayEach(10)
		if err := w.telegram.Await(t.Context(), func() bool { return offered(w) > before }); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(full); err != nil {
			t.Fatal(err)
		}
		if tally := w.settled(3 * time.Minute); len(tally.Lost) > 0 {
			t.Fatalf("%d unanswered\n%s", len(tally.Lost), w.lastLog())
		}
	}
	p.stop()
	w.judge()
	if !told() {
		t.Errorf("nobody was told that the disk is full\n%s", w.lastLog())
	}
}
