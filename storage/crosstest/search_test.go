package crosstest_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"talaria/storage"
)

// TestSearchChoosesTheSameDocuments goes beyond the sizes from which common
// terms are left out and candidates are cut off, in a place that is also
// written to and removed from.
func TestSearchChoosesTheSameDocuments(t *testing.T) {
	c := openClocks(t, 1, 0)
	sides := []storage.Driver{newModel(time.Now()), c.sqlite[0], c.redis[0]}
	random := rand.New(rand.NewPCG(1, 2))
	p := storage.Shard(1)
	for round := range 3 {
		for range 12 {
			var ops []storage.Op
			for range 50 {
				ops = append(ops, randomIndexOp(random))
			}
			for _, d := range sides {
				if _, err := d.Apply(t.Context(), storage.Ops{Partition: p, Ops: ops}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for n := range 40 {
			query := []string{randomTerm(random), randomTerm(random), "常見"}[:1+n%3]
			compareCandidates(t, sides, p, query, round)
		}
	}
}

// randomIndexOp adds, replaces or, once in ten times, removes a document.
func randomIndexOp(random *rand.Rand) storage.Op {
	doc := fmt.Sprintf("%05d", random.IntN(1200))
	if random.IntN(10) == 0 {
		return storage.Op{Unindex: &storage.UnindexOp{Place: "p", Doc: doc}}
	}
	counts := map[string]int{"常見": 1} // in all of them
	for range random.IntN(12) {
		counts[randomTerm(random)] += 1 + random.IntN(3)
	}
	return storage.Op{Index: &storage.IndexOp{Place: "p", IndexedDoc: storage.IndexedDoc{Doc: doc, Counts: counts}}}
}

// randomTerm is a pair of characters, some of them far more frequent.
func randomTerm(random *rand.Rand) string {
	runes := []rune("的一是不了人我在有他這中大來上國個到說們")
	var b strings.Builder
	for range 2 {
		n := random.IntN(len(runes)) * random.IntN(len(runes)) / len(runes)
		b.WriteRune(runes[n])
	}
	return b.String()
}

func compareCandidates(t *testing.T, sides []storage.Driver, p storage.Partition, query []string, round int) {
	t.Helper()
	want, err := storage.New(sides[0]).Candidates(t.Context(), p, "p", query)
	if err != nil {
		t.Fatal(err)
	}
	if want.Stats.Documents < 200 {
		t.Fatalf("only %d documents: nothing is left out yet", want.Stats.Documents)
	}
	for _, d := range sides[1:] {
		got, err := storage.New(d).Candidates(t.Context(), p, "p", query)
		if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Fatalf("round %d, %q: %T: %v, -want +got:\n%s", round, query, d, err, diff)
		}
	}
}
