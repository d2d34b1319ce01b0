package telegram

import "sync"

// window is the most updates that getUpdates gives out at once, and so the
// most that can be open: those behind an open one are not confirmed.
const window = 100

// watermark follows which updates are open (taken, not yet kept) and which are
// settled, and tells the offset that confirms no open one. Ids need not be
// contiguous or ascending: after a week of silence Telegram starts anywhere
// (core.telegram.org/bots/api#update).
type watermark struct {
	mu      sync.Mutex
	open    map[int64]bool
	settled map[int64]bool // and not yet confirmed
	moved   chan struct{}  // closed and replaced when an update is settled
}

func newWatermark() *watermark {
	return &watermark{open: map[int64]bool{}, settled: map[int64]bool{}, moved: make(chan struct{})}
}

// begin opens an update. It reports false for one that is known: until it is
// confirmed, the platform gives it out again and again.
func (w *watermark) begin(id int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open[id] || w.settled[id] {
		return false
	}
	w.open[id] = true
	return true
}

// settle marks an open update as kept.
func (w *watermark) settle(id int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.open, id)
	w.settled[id] = true
	close(w.moved)
	w.moved = make(chan struct{})
}

// offset is the lowest open id, or one above the highest settled one, or zero
// where there is nothing to confirm: the platform then begins with the
// earliest update that it still has.
func (w *watermark) offset() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	var offset int64
	for id := range w.settled {
		offset = max(offset, id+1)
	}
	if len(w.open) == 0 {
		return offset
	}
	var lowest int64
	for id := range w.open {
		if lowest == 0 || id < lowest {
			lowest = id
		}
	}
	return lowest
}

// confirm forgets what a successful call with offset has confirmed.
func (w *watermark) confirm(offset int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id := range w.settled {
		if id < offset {
			delete(w.settled, id)
		}
	}
}

// state returns how many updates are open, and a channel that is closed when
// one of them is settled.
func (w *watermark) state() (open int, moved <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.open), w.moved
}
