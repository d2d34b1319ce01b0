package briefing

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/skill/match"
)

// endpoint turns texts into one vector each, hangs, or fails.
type endpoint struct {
	fails, hangs atomic.Bool
	asked        atomic.Int64
}

func (e *endpoint) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	e.asked.Add(1)
	if e.hangs.Load() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if e.fails.Load() {
		return nil, errors.New("no answer")
	}
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = []float32{1}
	}
	return out, nil
}

func TestAnEmbedderThatHangsIsLeftAloneAndTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{}
		x := newIndexes(e, slog.New(slog.DiscardHandler))
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go x.run(ctx)
		ix := x.build(ctx, indexKey{1}, []match.Skill{{Name: "deploy", Description: "Deploys."}})
		e.hangs.Store(true)
		begun := time.Now()
		for range 10 {
			x.match(ctx, ix, "deploy it", 1)
		}
		if waited := time.Since(begun); waited != givenUp*vectorsWithin {
			t.Errorf("ten messages waited %s", waited)
		}
		e.hangs.Store(false)
		time.Sleep(vectorsPatience + vectorsAgain)
		synctest.Wait()
		asked := e.asked.Load()
		x.match(ctx, ix, "deploy it", 1)
		if e.asked.Load() != asked+1 {
			t.Error("an embedder that answers again is not asked")
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if e.asked.Load() != asked+1 {
			t.Errorf("an embedder that answers was tried %d times", e.asked.Load()-asked-1)
		}
	})
}

func TestAnIndexThatWasBuiltWithoutVectorsGetsThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{}
		e.fails.Store(true)
		x := newIndexes(e, slog.New(slog.DiscardHandler))
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go x.run(ctx)
		skills := []match.Skill{{Name: "deploy", Description: "Deploys."}}
		if x.build(ctx, indexKey{1}, skills).Embedded() {
			t.Fatal("there are vectors of an embedder that fails")
		}
		time.Sleep(10 * vectorsAgain)
		synctest.Wait()
		if x.get(indexKey{1}).Embedded() {
			t.Fatal("there are vectors of an embedder that fails")
		}
		e.fails.Store(false)
		time.Sleep(vectorsAgain)
		synctest.Wait()
		if !x.get(indexKey{1}).Embedded() {
			t.Error("the index is still over words alone")
		}
	})
}
