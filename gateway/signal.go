package main

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// interrupts lets a terminal chat have Ctrl-C for itself: it stops the answer
// there, and not the process.
type interrupts struct {
	wanted atomic.Bool
	c      chan struct{}
}

// want routes Ctrl-C to the returned channel from now on. A second one that
// comes before the first was taken ends the process all the same.
func (i *interrupts) want() <-chan struct{} {
	i.wanted.Store(true)
	return i.c
}

// take reports whether an interrupt was passed on.
func (i *interrupts) take() bool {
	if !i.wanted.Load() {
		return false
	}
	select {
	case i.c <- struct{}{}:
		return true
	default:
		return false
	}
}

// taken waits for a signal and reports whether it is a Ctrl-C that ends a part
// of the program. It is not, either, once ctx has ended.
func (i *interrupts) taken(ctx context.Context, signals <-chan os.Signal) bool {
	select {
	case s := <-signals:
		return s == os.Interrupt && i.take()
	case <-ctx.Done():
		return false
	}
}

// listen turns SIGTERM and Ctrl-C into the end of a context. After that a
// second signal ends the process at once, for those who can't wait.
func listen() (ctx context.Context, i *interrupts, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	i = &interrupts{c: make(chan struct{}, 1)}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i.taken(ctx, signals) { // whoever took it deals with it
		}
		signal.Stop(signals)
		cancel()
	}()
	return ctx, i, func() {
		cancel()
		<-done
	}
}
