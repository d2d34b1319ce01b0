package vector_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"talaria/core/model/modeltest"
	"talaria/core/model/openai"
	"talaria/core/vector"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func shared(from vector.Embedder, within time.Duration) *vector.Shared {
	return vector.NewShared(from, within, slog.New(slog.DiscardHandler))
}

// endpoint is a real one, in which the words of a meaning mean the same.
func endpoint(t *testing.T, meanings ...string) (*modeltest.Embeddings, vector.Embedder) {
	t.Helper()
	e := modeltest.StartEmbeddings(meanings...)
	t.Cleanup(e.Close)
	return e, openai.NewEmbedder(openai.Config{Name: "small", BaseURL: e.URL(), Client: e.Client()})
}

func TestLikenessIsMeasuredAgainstStrangers(t *testing.T) {
	e, from := endpoint(t, "car automobile 汽车", "tea 茶")
	like, err := vector.Likeness(t.Context(), from, "my car", []string{"her automobile", "green tea", "汽车和茶", "nothing of it"})
	if err != nil || len(e.Asked()) != 1 {
		t.Fatalf("%v in %d calls", err, len(e.Asked()))
	}
	if like[0] < 0.99 || like[1] != 0 || like[2] <= 0.3 || like[2] >= 0.7 || like[3] > 0.01 {
		t.Errorf("likeness %v", like)
	}
}

func TestTextsAreEmbeddedOnce(t *testing.T) {
	e, from := endpoint(t, "car")
	s := shared(from, time.Minute)
	long := strings.Repeat("é", 4000)
	for range 2 {
		got, err := s.Embed(t.Context(), []string{"car", "", "tea", "car", long})
		if err != nil || len(got) != 5 || got[0][0] != 1 || len(got[1]) != 0 || got[2][0] != 0 || got[3][0] != 1 {
			t.Fatalf("%v, %v", got, err)
		}
	}
	asked := e.Asked()
	if len(asked) != 1 || len(asked[0]) != 3 || len(asked[0][2]) != 4000 || !strings.HasPrefix(long, asked[0][2]) {
		t.Errorf("asked %d times: %.100q", len(asked), asked)
	}
}

func TestBadAnswersAreErrors(t *testing.T) {
	for name, answering := range map[string]modeltest.Answering{"failed": modeltest.Failed, "short": modeltest.Short, "uneven": modeltest.Uneven} {
		t.Run(name, func(t *testing.T) {
			e, from := endpoint(t, "car")
			s := shared(from, time.Minute)
			e.Answer(answering)
			if got, err := s.Embed(t.Context(), []string{"car", "tea"}); err == nil {
				t.Errorf("got %v", got)
			}
			e.Answer(modeltest.Well)
			if got, err := s.Embed(t.Context(), []string{"my car"}); err != nil || got[0][0] != 1 {
				t.Errorf("after it: %v, %v", got, err)
			}
		})
	}
}

func TestAnEndpointThatHangsIsAnError(t *testing.T) {
	e, from := endpoint(t, "car")
	e.Answer(modeltest.Hung)
	if got, err := shared(from, time.Millisecond).Embed(t.Context(), []string{"car"}); err == nil {
		t.Errorf("got %v", got)
	}
}

// fake turns texts into one vector each, hangs, fails, or takes a second for
// each text.
type fake struct {
	fails, hangs, slow atomic.Bool
	asked              atomic.Int64
	vector             []float32
}

func (f *fake) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	f.asked.Add(1)
	wait := time.Duration(0)
	switch {
	case f.fails.Load():
		return nil, errors.New("no answer")
	case f.hangs.Load():
		wait = 1000 * time.Hour
	case f.slow.Load():
		wait = time.Duration(len(texts)) * 100 * time.Millisecond
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return slices.Repeat([][]float32{f.vector}, len(texts)), nil
}

// running is a Shared of a fake embedder that runs until the test ends.
func running(t *testing.T) (*fake, *vector.Shared) {
	f := &fake{vector: []float32{1}}
	s := shared(f, vector.Within)
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	go s.Run(ctx)
	return f, s
}

func TestAnEmbedderThatHangsIsLeftAloneAndTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, s := running(t)
		f.hangs.Store(true)
		begun := time.Now()
		for n := range 10 {
			if _, err := s.Embed(t.Context(), []string{fmt.Sprint("message ", n)}); err == nil {
				t.Fatal("vectors of an embedder that hangs")
			}
		}
		if waited := time.Since(begun); waited != 3*vector.Within {
			t.Errorf("ten messages waited %s", waited)
		}
		f.hangs.Store(false)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		asked := f.asked.Load()
		if _, err := s.Embed(t.Context(), []string{"another"}); err != nil || f.asked.Load() != asked+1 {
			t.Errorf("an embedder that answers again is not asked: %v", err)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if f.asked.Load() != asked+1 {
			t.Errorf("an embedder that answers was tried %d times", f.asked.Load()-asked-1)
		}
	})
}

func TestAnEmbedderThatFailsIsTriedUntilItAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, s := running(t)
		f.fails.Store(true)
		for n := range 5 {
			_, _ = s.Embed(t.Context(), []string{fmt.Sprint("message ", n)})
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if _, err := s.Embed(t.Context(), []string{"another"}); err == nil {
			t.Fatal("vectors of an embedder that fails")
		}
		f.fails.Store(false)
		time.Sleep(time.Minute)
		synctest.Wait()
		if _, err := s.Embed(t.Context(), []string{"another"}); err != nil {
			t.Error(err)
		}
	})
}

func TestWhatComesTooLateIsFetchedInTheBackgroundAndWaitedForOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, s := running(t)
		f.slow.Store(true)
		var many []string
		for n := range 600 {
			many = append(many, fmt.Sprint("card ", n))
		}
		begun := time.Now()
		for range 5 {
			if _, err := s.Embed(t.Context(), many); err == nil {
				t.Fatal("600 texts came within the time of 20")
			}
		}
		if waited := time.Since(begun); waited != vector.Within {
			t.Errorf("five messages with the same texts waited %s", waited)
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		asked := f.asked.Load()
		if got, err := s.Embed(t.Context(), many); err != nil || len(got) != 600 || f.asked.Load() != asked {
			t.Errorf("%d vectors, %v, in %d calls", len(got), err, f.asked.Load()-asked)
		}
	})
}

func TestAMessageThatWasEndedSaysNothingAboutTheEmbedder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, s := running(t)
		f.hangs.Store(true)
		for range 5 {
			ctx, stop := context.WithTimeout(t.Context(), time.Second)
			if _, err := s.Embed(ctx, []string{"a message"}); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
			stop()
		}
		f.hangs.Store(false)
		if _, err := s.Embed(t.Context(), []string{"a message"}); err != nil {
			t.Error(err)
		}
	})
}

func TestVectorsThatAreNotUsedAreDropped(t *testing.T) {
	f := &fake{vector: make([]float32, 1<<20)} // eight are a generation
	s := shared(f, time.Minute)
	embed := func(text string) (asked bool) {
		before := f.asked.Load()
		if _, err := s.Embed(t.Context(), []string{text}); err != nil {
			t.Fatal(err)
		}
		return f.asked.Load() > before
	}
	embed("unused")
	for n := range 40 {
		if asked := embed("used"); asked != (n == 0) {
			t.Errorf("asked %t for what was used just before", asked)
		}
		embed(fmt.Sprint("other ", n))
	}
	if !embed("unused") {
		t.Error("everything is kept")
	}
}
