package inbound

import (
	"context"
	"sync"
)

// Lanes runs jobs of different keys side by side and those of one key one
// after the other, in the order in which they were added.
type Lanes struct {
	mu      sync.Mutex
	waiting map[string][]func(context.Context)
	running sync.WaitGroup
}

// NewLanes returns lanes with nothing to do.
func NewLanes() *Lanes {
	return &Lanes{waiting: map[string][]func(context.Context){}}
}

// Add runs job after those that were added with the same key.
func (l *Lanes) Add(ctx context.Context, key string, job func(context.Context)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	queue, busy := l.waiting[key]
	l.waiting[key] = append(queue, job)
	if !busy {
		l.running.Go(func() { l.run(ctx, key) })
	}
}

func (l *Lanes) run(ctx context.Context, key string) {
	for job := l.next(key); job != nil; job = l.next(key) {
		job(ctx)
	}
}

// next takes the next job of the key, or closes the lane.
func (l *Lanes) next(key string) func(context.Context) {
	l.mu.Lock()
	defer l.mu.Unlock()
	queue := l.waiting[key]
	if len(queue) == 0 {
		delete(l.waiting, key)
		return nil
	}
	l.waiting[key] = queue[1:]
	return queue[0]
}

// Wait returns when all jobs are done. No more may be added by then.
func (l *Lanes) Wait() { l.running.Wait() }
