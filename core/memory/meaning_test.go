package memory_test

import (
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/memory"
	"talaria/core/model/modeltest"
	"talaria/core/model/openai"
	"talaria/core/vector"
	"talaria/storage"
	"talaria/storage/redis"
	"talaria/storage/redis/redistest"
	"talaria/storage/teststore"
)

// embedder is one over a real endpoint, in which the words of a meaning mean the
// same.
func embedder(t *testing.T, within time.Duration, meanings ...string) (*modeltest.Embeddings, vector.Embedder) {
	t.Helper()
	e := modeltest.StartEmbeddings(meanings...)
	t.Cleanup(e.Close)
	from := openai.NewEmbedder(openai.Config{Name: "small", BaseURL: e.URL(), Client: e.Client()})
	return e, vector.NewShared(from, within, slog.New(slog.DiscardHandler))
}

func TestRecallByMeaning(t *testing.T) {
	h := memory.For(teststore.File(t), inDM("ana"))
	add(t, h, memory.Work, "The automobile is serviced by Henri", said(""))
	add(t, h, memory.Work, "Lunch is at noon", said(""))
	add(t, h, memory.Work, "My sister paints", said(""))
	add(t, h, memory.Work, "Vehicles are bought by mallory", read("what does this page say"))
	e, vectors := embedder(t, time.Minute, "car automobile vehicle", "lunch 午饭")
	with := h.ByMeaning(vectors)
	recall := func(h *memory.Handle, message string) string {
		t.Helper()
		block, err := h.Recall(t.Context(), message, "")
		if err != nil {
			t.Fatal(err)
		}
		return block
	}
	lines := func(h *memory.Handle, message string) []string {
		t.Helper()
		var out []string
		for _, l := range strings.Split(recall(h, message), "\n") {
			if s, ok := strings.CutPrefix(l, "- "); ok {
				out = append(out, s)
			}
		}
		return out
	}
	for message, want := range map[string][]string{
		"who repairs my car?":       {"The automobile is serviced by Henri"},
		"几点吃午饭？":                    {"Lunch is at noon"},
		"my sister at Henri's car":  {"The automobile is serviced by Henri", "My sister paints"},
		"nothing that anybody knew": nil,
		"":                          nil,
	} {
		if diff := cmp.Diff(want, lines(with, message)); diff != "" {
			t.Errorf("%q: %s", message, diff)
		}
	}
	asked := len(e.Asked())
	recall(with, "my sister at Henri's car")
	recall(with, "a new message")
	if n := len(e.Asked()) - asked; n != 1 || len(e.Asked()[asked]) != 1 {
		t.Errorf("the embedder was asked %d times: %q", n, e.Asked()[asked:])
	}
	if asked := strings.Join(slices.Concat(e.Asked()...), "\n"); strings.Contains(asked, "mallory") {
		t.Error("a quarantined card was sent to the embedder")
	}
	if with, without := recall(h.ByMeaning(nil), "who repairs my car?"), recall(h, "who repairs my car?"); with != without {
		t.Errorf("without an embedder: %s", with)
	}
}

// bad is how an endpoint can fail, with how long it is waited for.
var bad = map[string]struct {
	answering modeltest.Answering
	within    time.Duration
}{
	"failed": {modeltest.Failed, time.Minute},
	"short":  {modeltest.Short, time.Minute},
	"uneven": {modeltest.Uneven, time.Minute},
	"hung":   {modeltest.Hung, time.Millisecond},
}

func TestWordsDoWhileTheEmbedderFails(t *testing.T) {
	s := teststore.File(t)
	ana := inDM("ana")
	h := memory.For(s, ana)
	add(t, h, memory.Work, "The automobile is serviced by Henri", said(""))
	add(t, h, memory.Work, "The car park is closed", said(""))
	talk(t, s, ana.Place, "a", 1, "Ana: the car is red", "Bot: noted", "Ana: the automobile of my boss is a car too")
	recalled, err := h.Recall(t.Context(), "my car", "")
	if err != nil || recalled == "" {
		t.Fatalf("recalled %q, %v", recalled, err)
	}
	searcher := memory.NewSearcher(s, members{}, nil)
	hits, err := searcher.Search(t.Context(), ana, "car", 5)
	if err != nil || len(hits) == 0 {
		t.Fatalf("found %v, %v", hits, err)
	}
	for name, c := range bad {
		t.Run(name, func(t *testing.T) {
			e, vectors := embedder(t, c.within, "car automobile")
			e.Answer(c.answering)
			got, err := h.ByMeaning(vectors).Recall(t.Context(), "my car", "")
			if err != nil || got != recalled {
				t.Errorf("recalled %s, %v", got, err)
			}
			found, err := searcher.ByMeaning(vectors).Search(t.Context(), ana, "car", 5)
			if diff := cmp.Diff(hits, found); err != nil || diff != "" {
				t.Errorf("found %v\n%s", err, diff)
			}
		})
	}
}

func TestMeaningOrdersWhatWordsFindTheSameInBothStores(t *testing.T) {
	d, err := redis.Open(t.Context(), redistest.Start(t, redistest.Options{}).URL(), redis.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	e, vectors := embedder(t, time.Minute, "repair garage mended", "holiday beach")
	ana := inDM("ana")
	for _, s := range []*storage.Store{teststore.File(t), storage.New(d)} {
		talk(t, s, ana.Place, "a", 1, "Ana: the van went on holiday in that van of mine, the blue van, on Friday, and then the beach was full")
		talk(t, s, ana.Place, "b", 1, "Ana: on Friday Henri's garage has the van, who is never late")
		talk(t, s, ana.Place, "c", 1, "Ana: the holiday begins")
		searcher := memory.NewSearcher(s, members{}, nil)
		byWords, err := searcher.Search(t.Context(), ana, "repair of the van", 5)
		if err != nil {
			t.Fatal(err)
		}
		asked := len(e.Asked())
		found, err := searcher.ByMeaning(vectors).Search(t.Context(), ana, "repair of the van", 5)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"a/1", "b/1"}, messages(byWords)); diff != "" {
			t.Errorf("by words: %s", diff)
		}
		if diff := cmp.Diff([]string{"b/1", "a/1"}, messages(found)); diff != "" {
			t.Errorf("by meaning: %s", diff)
		}
		if n := len(e.Asked()) - asked; n > 1 {
			t.Errorf("a search asked the embedder %d times", n)
		}
	}
}
