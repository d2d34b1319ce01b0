package torture

import (
	"slices"
	"sync"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/model/modeltest"
	"talaria/storage/redis/redistest"
)

// turns watches, from the model's side, that no session has two turns at once.
type turns struct {
	mu      sync.Mutex
	chats   func(word string) int64
	busy    map[int64]time.Time // when the session's model call ends
	overlap int
}

// thinking is how long the model takes.
const thinking = 20 * time.Millisecond

func (tr *turns) script(r modeltest.Request) modeltest.Answer {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	now, chat := time.Now(), tr.chats(r.LastUser())
	if now.Before(tr.busy[chat]) {
		tr.overlap++
	}
	tr.busy[chat] = now.Add(thinking)
	a := modeltest.Text("echo: ", r.LastUser())
	a.Delay = thinking
	return a
}

// killed forgets the calls of a process that is gone.
func (tr *turns) killed() {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	clear(tr.busy)
}

func (w *world) chatOf(word string) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	for chat, words := range w.said {
		if _, ok := words[word]; ok {
			return chat
		}
	}
	return 0
}

// TestAnotherReplicaTakesOver runs two replicas on one Redis and kills one of
// them, again and again. People write all the while.
func TestAnotherReplicaTakesOver(t *testing.T) {
	tr := &turns{busy: map[int64]time.Time{}}
	w := newWorld(t, redistest.Start(t, redistest.Options{}).URL(), fake.Options{NoFlood: true}, tr.script)
	tr.chats = w.chatOf
	replicas := []*process{w.serve(), w.serve()}
	var took []time.Duration
	for n := range count(2, 20) {
		w.sayEach(30)
		if tally := w.settled(3 * time.Minute); len(tally.Lost) > 0 {
			t.Fatalf("before kill %d: %d unanswered\n%s", n, len(tally.Lost), w.lastLog())
		}
		replicas[n%2].kill()
		tr.killed()
		began := time.Now()
		w.sayEach(30)
		if tally := w.settled(3 * time.Minute); len(tally.Lost) > 0 {
			t.Fatalf("kill %d: %d unanswered after three minutes\n%s", n, len(tally.Lost), w.lastLog())
		}
		took = append(took, time.Since(began))
		replicas[n%2] = w.serve()
	}
	for _, r := range replicas {
		r.stop()
	}
	slices.Sort(took)
	tally := w.telegram.Tally(w.answers)
	t.Logf("kills=%d takeover min=%s median=%s max=%s events=%d lost=%d doubled=%d orphans=%d two turns at once=%d",
		len(took), took[0].Round(time.Millisecond), took[len(took)/2].Round(time.Millisecond), took[len(took)-1].Round(time.Millisecond),
		tally.Said, len(tally.Lost), len(tally.Doubled), len(tally.Orphans), tr.overlap)
	if tr.overlap > 0 || len(tally.Doubled) > 0 {
		t.Error("a session had two turns at once, or an answer came twice")
	}
	if long() && took[len(took)-1] > 15*time.Second { // where the machine has nothing else to do
		t.Error("takeover took more than 15 s")
	}
}
