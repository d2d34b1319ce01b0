package inbox

import (
	"context"
	"errors"
	"time"

	"talaria/storage"
)

// holding is one shard that is held or being acquired.
type holding struct {
	shard *Shard // nil until the lease was gained
	wake  chan struct{}
	asked int // how often a look at the inbox was asked for
	swept int // how many of those were followed
}

// signal asks for a look at the inbox.
func (h *holding) signal() {
	h.asked++
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// hold gets a shard's lease, works on it, and gives it back when it is quiet
// or no longer ours.
func (s *Shards) hold(n int, h *holding) {
	defer s.drop(n)
	shard := s.acquire(n)
	if shard == nil {
		return
	}
	kept := make(chan struct{})
	go func() { defer close(kept); s.keep(shard) }()

	s.worker.Open(shard)
	s.work(shard, h)
	shard.close()
	s.worker.Close(shard)
	<-shard.idle
	shard.cancel(ErrLost)
	<-kept
	s.release(shard)
}

// drop forgets a holding, and begins anew if something came in meanwhile.
func (s *Shards) drop(n int) {
	s.mu.Lock()
	delete(s.held, n)
	root, mine := s.root, s.mine[n]
	s.mu.Unlock()
	if mine && root.Err() == nil && s.hasWork(root, n) {
		s.Wake(n)
	}
}

// acquire waits for the lease; nil if the shard is no longer ours to hold.
func (s *Shards) acquire(n int) *Shard {
	for {
		asked := time.Now()
		fence, err := s.store.Acquire(s.root, storage.Shard(n), s.replica, leaseTTL)
		if err == nil {
			ctx, cancel := context.WithCancelCause(s.root)
			shard := &Shard{N: n, store: s.store, log: s.log, ctx: ctx, cancel: cancel,
				fence: fence, closed: make(chan struct{}), idle: make(chan struct{}), taken: map[uint64]progress{}, busy: asked}
			shard.held(leaseTTL, asked)
			return shard
		}
		if !errors.Is(err, storage.ErrHeld) && s.root.Err() == nil {
			s.log.Warn("shard lease not acquired", "shard", n, "err", err)
		}
		select {
		case <-s.root.Done():
			return nil
		case <-time.After(look):
		}
		if !s.Mine(n) {
			return nil
		}
	}
}

// keep renews the lease until the shard's context ends. A lease that could
// not be renewed in time is lost: its holder stops before the next one starts.
// A renewal that took long counts from when it was asked for.
func (s *Shards) keep(shard *Shard) {
	asked := time.Now()
	for {
		select {
		case <-shard.ctx.Done():
			return
		case <-time.After(time.Until(asked.Add(renewal))):
		}
		asked = time.Now()
		err := s.store.Renew(shard.ctx, shard.fence, leaseTTL)
		switch {
		case err == nil:
			shard.held(leaseTTL, asked)
		case errors.Is(err, storage.ErrFenced) || !shard.Held():
			s.log.Warn("shard lease lost", "shard", shard.N, "err", err)
			shard.lose()
		}
	}
}

// work hands events over until the shard is quiet, lost, or not ours.
func (s *Shards) work(shard *Shard, h *holding) {
	ticker := time.NewTicker(sweepEach)
	defer ticker.Stop()
	for {
		swept := s.asked(h)
		if err := shard.sweep(s.worker); err != nil {
			swept = 0
			if shard.ctx.Err() == nil {
				s.log.Warn("inbox not read", "shard", shard.N, "err", err)
			}
		}
		s.publish(h, shard, swept)
		select {
		case <-shard.ctx.Done():
			return
		case <-h.wake:
		case <-ticker.C:
		}
		if !s.Mine(shard.N) || shard.quietFor() > quiet {
			return
		}
	}
}

// asked is how often a look at a shard's inbox was asked for.
func (s *Shards) asked(h *holding) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return h.asked
}

// publish lets offer reach the shard; before its first sweep it must not.
func (s *Shards) publish(h *holding, shard *Shard, swept int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h.shard, h.swept = shard, max(h.swept, swept)
}

func (s *Shards) release(shard *Shard) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.root), time.Second)
	defer cancel()
	if err := s.store.Release(ctx, shard.fence); err != nil {
		s.log.Warn("shard lease not given back; it runs out by itself", "shard", shard.N, "err", err)
	}
}
