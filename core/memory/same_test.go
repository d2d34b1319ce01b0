package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/storage"
	"talaria/storage/redis"
	"talaria/storage/redis/redistest"
	"talaria/storage/teststore"
)

// vocabulary is small, so that turns have words in common, and of several
// scripts.
var vocabulary = strings.Fields(`deploy deploys deployed rollback café CAFE 部署 回滚 上线 部署计划 ロールバック デプロイ ｄｅｐｌｏｙ naïve 2026-03-02 v1.2.3
	the a not budget Budget's 预算 預算 会议 meeting room-4 heron`)

// TestBothStoresFindTheSame has any corpus and any query come to the same turns
// in the same order, whatever the store.
func TestBothStoresFindTheSame(t *testing.T) {
	d, err := redis.Open(t.Context(), redistest.Start(t, redistest.Options{}).URL(), redis.Options{})
	if err != nil {
		t.Fatal(err)
	}
	stores := []*storage.Store{teststore.File(t), storage.New(d)}
	t.Cleanup(func() { _ = d.Close() })
	words := rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 8)
	round, found := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		who := person.Principal{Person: "ana", Place: chat.Address{Platform: "telegram", Chat: fmt.Sprint("c", round)}, Direct: true, Role: person.Member}
		var lines []string
		for range rapid.IntRange(1, 30).Draw(rt, "turns") {
			lines = append(lines, "Ana: "+strings.Join(words.Draw(rt, "line"), rapid.SampledFrom([]string{" ", "", "，"}).Draw(rt, "joint")))
		}
		query := strings.Join(words.Draw(rt, "query"), " ")
		limit := rapid.IntRange(1, 12).Draw(rt, "limit")
		var answers [][]string
		for _, s := range stores {
			talk(t, s, who.Place, "s", 1, lines...)
			hits, err := memory.NewSearcher(s, members{}, nil).Search(t.Context(), who, query, limit)
			if err != nil {
				rt.Fatal(err)
			}
			answers = append(answers, messages(hits))
		}
		found += len(answers[0])
		if diff := cmp.Diff(answers[0], answers[1]); diff != "" {
			rt.Fatalf("query %q: SQLite -, Redis +\n%s", query, diff)
		}
	})
	if found == 0 {
		t.Error("nothing was ever found: the test compares nothing")
	}
}
