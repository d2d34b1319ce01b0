package storage_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/storage"
)

// fillIndex indexes size documents. All hold "all", every third one "third",
// and the last ten "rare".
func fillIndex(t *testing.T, s *storage.Store, size int) storage.Partition {
	t.Helper()
	p := storage.Shard(1)
	b := storage.On(p)
	for n := range size {
		counts := map[string]int{"all": 1}
		if n%3 == 0 {
			counts["third"] = 2
		}
		if n >= size-10 {
			counts["rare"] = 1
		}
		b.Index("place", fmt.Sprintf("%05d", n), counts)
	}
	commit(t, s, b)
	return p
}

func candidates(t *testing.T, s *storage.Store, p storage.Partition, terms ...string) storage.Candidates {
	t.Helper()
	c, err := s.Candidates(t.Context(), p, "place", terms)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCommonTermsOfALargePlaceAreCountedButNotLookedUp(t *testing.T) {
	_, s := memory(t)
	p := fillIndex(t, s, 300)
	c := candidates(t, s, p, "third", "rare", "none", "rare")
	if diff := cmp.Diff([]string{"third", "rare", "none"}, c.Terms); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(storage.IndexStats{Documents: 300, Terms: 510, Holding: []int{100, 10, 0}}, c.Stats); diff != "" {
		t.Error(diff)
	}
	if len(c.Documents) != 10 || c.Documents[0].Doc != "00290" || c.Documents[9].Doc != "00299" {
		t.Errorf("%d documents from %v", len(c.Documents), c.Documents[0])
	}
}

func TestCommonTermsAreLookedUpIfThereIsNoRarer(t *testing.T) {
	_, s := memory(t)
	p := fillIndex(t, s, 300)
	if c := candidates(t, s, p, "third", "all"); len(c.Documents) != 100 {
		t.Errorf("%d documents, want those of the rarer term", len(c.Documents))
	}
}

func TestCommonTermsOfASmallPlaceAreLookedUp(t *testing.T) {
	_, s := memory(t)
	p := fillIndex(t, s, 150)
	if c := candidates(t, s, p, "rare", "all"); len(c.Documents) != 150 {
		t.Errorf("%d documents, want all", len(c.Documents))
	}
}

func TestCandidatesAreTheLatestOnes(t *testing.T) {
	_, s := memory(t)
	p := fillIndex(t, s, 1200)
	c := candidates(t, s, p, "all")
	if len(c.Documents) != 300 || c.Documents[0].Doc != "00900" || c.Documents[299].Doc != "01199" {
		t.Errorf("%d documents, the first %v", len(c.Documents), c.Documents[0])
	}
}

func TestTheRarestTermComesFirst(t *testing.T) {
	_, s := memory(t)
	p := storage.Shard(1)
	b := storage.On(p)
	for n := range 190 { // old ones with the rare term, small enough not to be pruned
		term := "common"
		if n < 10 {
			term = "rare"
		}
		b.Index("place", fmt.Sprintf("%05d", n), map[string]int{term: 1})
	}
	commit(t, s, b)
	c := candidates(t, s, p, "common", "rare")
	if len(c.Documents) != 190 || c.Documents[0].Doc != "00000" {
		t.Errorf("%d documents, the first %v", len(c.Documents), c.Documents[0])
	}
}

func TestTermsThatAreNoNamesAreLeftOut(t *testing.T) {
	_, s := memory(t)
	p := fillIndex(t, s, 10)
	c := candidates(t, s, p, "", "\xff", "rare", "a\x00b")
	if diff := cmp.Diff([]string{"rare"}, c.Terms); diff != "" || len(c.Documents) != 10 {
		t.Error(diff, len(c.Documents))
	}
	if c := candidates(t, s, p); len(c.Documents) != 0 {
		t.Error("documents for no terms")
	}
}
