package redis_test

import (
	"testing"
	"time"

	"talaria/storage"
	"talaria/storage/redis"
)

func TestSmoke(t *testing.T) {
	for name, url := range map[string]string{"single": single.URL(), "cluster": cluster.URL()} {
		t.Run(name, func(t *testing.T) {
			d := open(t, url, redis.Options{})
			s := storage.New(d)
			p := storage.Shard(3)
			r, err := s.Commit(t.Context(), storage.On(p).Put("c", "k", 1, storage.Absent).PutFor("c", "l", 2, storage.Any, time.Hour).
				Append("log", 1, 2, 3).Receive([]string{"a", "b"}, "x", time.Hour).Queue("q", storage.Queued, 1).
				Move("q", []storage.State{storage.Queued}, storage.Sent, nil, time.Hour).
				SetTimer("t", time.Now(), 1).ClaimTimer("t", time.Now(), time.Hour).Index("pl", "doc", map[string]int{"日本": 2, "x": 1}))
			t.Log(r, err)
			docs, err := storage.List[int](t.Context(), s, p, "c", "", 10)
			t.Log(docs, err)
			err = d.Dump(t.Context(), p, func(r storage.Record) error { t.Log(r); return nil })
			t.Log(err)
			f, err := d.Check(t.Context())
			t.Log(f, err)
			t.Log(d.Durability(t.Context()))
			c, err := s.Candidates(t.Context(), p, "pl", []string{"日本"})
			t.Log(c, err)
			t.Log(d.Erase(t.Context(), p))
			f, err = d.Check(t.Context())
			t.Log(f, err)
			t.Log(s.Acquire(t.Context(), p, "x", time.Second))
		})
	}
}
