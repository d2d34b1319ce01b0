package redis_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"talaria/storage"
	"talaria/storage/redis"
	"talaria/storage/redis/redistest"
)

func TestCheckFindsDamage(t *testing.T) {
	s := redistest.Start(t, redistest.Options{})
	root := admin(t, s)
	const space = "talaria:1:{s/001}:"
	for _, c := range []struct {
		name, want string
		command    []any
	}{
		{"unreadable document", "document", []any{"hset", space + "docs", "c\x00k", "garbage"}},
		{"document out of order", "order of their keys", []any{"zrem", space + "names", "c\x00k"}},
		{"unreadable row", "outbox row", []any{"hset", space + "rows", "k", "1 0"}},
		{"row out of order", "order of their states", []any{"del", space + "states"}},
		{"unreadable entry", "log", []any{"zadd", space + "log:l", 1, "x"}},
		{"log that forgot its count", "counts to 0", []any{"hset", space + "logs", "l", 0}},
		{"unreadable event", "inbox", []any{"zadd", space + "inbox", 9, "9:x:v"}},
		{"timer without a value", "timer", []any{"hdel", space + "timers", "t"}},
		{"timer at no time", "whole number", []any{"zadd", space + "due", "0.5", "t"}},
		{"unreadable counts", "place", []any{"hset", space + "indexed:p", "d", "a"}},
		{"index that does not add up", "add up", []any{"zadd", space + "postings:p", 0, "b\x00d"}},
		{"blob with other content", "hash says", nil},
		{"missing blob", "missing", nil},
		{"another kind of key", "WRONGTYPE", []any{"set", space + "seen", "x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := root.FlushAll(t.Context()).Err(); err != nil {
				t.Fatal(err)
			}
			d := open(t, s.URL(), redis.Options{Prefix: "talaria"})
			if _, err := d.Apply(t.Context(), batch(oneOfEach(time.UnixMilli(1))...)); err != nil {
				t.Fatal(err)
			}
			blob := space + "blob:" + putBlob(t, d, storage.Shard(1), "x")
			if findings, err := d.Check(t.Context()); err != nil || len(findings) > 0 {
				t.Fatalf("before: %v, %v", findings, err)
			}
			switch {
			case c.want == "hash says":
				c.command = []any{"set", blob, "y"}
			case c.want == "missing":
				c.command = []any{"del", blob}
			}
			if err := root.Do(t.Context(), c.command...).Err(); err != nil {
				t.Fatal(err)
			}
			findings, err := d.Check(t.Context())
			if err != nil || len(findings) == 0 || !strings.Contains(strings.Join(findings, "\n"), c.want) {
				t.Errorf("found %q, %v, want something about %q", findings, err, c.want)
			}
		})
	}
}

func TestDamageIsNotTakenForAbsence(t *testing.T) {
	s := redistest.Start(t, redistest.Options{})
	d := open(t, s.URL(), redis.Options{Prefix: "talaria"})
	write(t, d, "v")
	if err := admin(t, s).HSet(t.Context(), "talaria:1:{s/001}:docs", "c\x00k", "garbage").Err(); err != nil {
		t.Fatal(err)
	}
	_, err := d.Get(t.Context(), storage.Shard(1), ref)
	if !errors.Is(err, storage.ErrCorrupt) {
		t.Errorf("get: error is %v, want %v", err, storage.ErrCorrupt)
	}
	if _, err = d.List(t.Context(), storage.Shard(1), "c", "", 10); !errors.Is(err, storage.ErrCorrupt) {
		t.Errorf("list: error is %v, want %v", err, storage.ErrCorrupt)
	}
	if _, err = d.Apply(t.Context(), batch(putOp("new"))); !errors.Is(err, storage.ErrCorrupt) {
		t.Errorf("put: error is %v, want %v", err, storage.ErrCorrupt)
	}
}
