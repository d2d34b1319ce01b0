package memory_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/memory"
	"talaria/core/person"
	"talaria/storage"
	"talaria/storage/teststore"
)

func TestWhatIsLookedUpHoldsItsWordsAndIsOfItsTime(t *testing.T) {
	synctest.Test(t, lookedUp) // where no midnight comes between
}

func lookedUp(t *testing.T) {
	s := teststore.Memory(t)
	ana := inDM("ana")
	now, err := s.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	noon := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	b := storage.On(person.ShardOf(ana.Place))
	for n, said := range []struct {
		text string
		at   time.Time
	}{
		{"the deploy of the shop is done", noon},
		{"lunch was fine", noon.Add(time.Second)},
		{"", noon.Add(2 * time.Second)},
		{"the deploy of the shop is done", noon.Add(3 * time.Second)},
		{"the deploy failed", noon.AddDate(0, 0, -1)},
		{"we drank green tea", noon.AddDate(0, 0, -9)},
		{"what did Bob say about the weather?", noon.AddDate(0, 0, -9)},
		{"乌龙茶很香", noon.AddDate(0, 0, -8)},
		{"我们说过明天见", noon.AddDate(0, 0, -8)},
		{"the rent is due on 2026-02-03", noon.AddDate(0, 0, -8)},
	} {
		memory.IndexTurns(b, ana.Place, memory.Turn{Session: "a", Number: n + 1, At: said.at, Who: "ana", Text: said.text})
	}
	if _, err := s.Commit(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string][]string{
		"deploy yesterday":           {"the deploy failed"},
		"deploy today":               {"the deploy of the shop is done"},
		"昨天说过什么？":                    {"the deploy failed"},
		"what did we say yesterday?": {"the deploy failed"},
		"what did we say about tea?": {"we drank green tea"},
		"我们说过茶的什么？":                  {"乌龙茶很香"},
		"rent 2026-02-03":            {"the rent is due on 2026-02-03"},
		"rent 2026-02-04":            nil,
		"what did we say about gold": nil,
	} {
		hits, err := memory.NewSearcher(s, members{}, nil).Look(t.Context(), ana, query, 5)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range hits {
			got = append(got, h.Snippet.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}
