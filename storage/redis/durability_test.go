package redis_test

import (
	"strings"
	"testing"

	"talaria/storage/redis"
	"talaria/storage/redis/redistest"
)

func TestDurabilityIsToldPlainly(t *testing.T) {
	s := redistest.Start(t, redistest.Options{})
	root := admin(t, s)
	d := open(t, s.URL(), redis.Options{})
	for _, c := range []struct {
		name string
		set  []string
		want string
		full bool
	}{
		{"synced with each write", []string{"appendfsync", "always"}, "always", true},
		{"synced each second", []string{"appendfsync", "everysec"}, "2 seconds", false},
		{"synced by the system", []string{"appendfsync", "no"}, "30 seconds", false},
		{"throws away", []string{"maxmemory", "1gb", "maxmemory-policy", "allkeys-lru"}, "noeviction", false},
		{"snapshots only", []string{"maxmemory", "0", "appendonly", "no"}, "appendonly yes", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for n := 0; n < len(c.set); n += 2 {
				if err := root.ConfigSet(t.Context(), c.set[n], c.set[n+1]).Err(); err != nil {
					t.Fatal(err)
				}
			}
			text, full, err := d.Durability(t.Context())
			if err != nil || full != c.full || !strings.Contains(text, c.want) || strings.Contains(text, "\n") {
				t.Errorf("told %q, %v, %v", text, full, err)
			}
		})
	}
}

func TestDurabilityOfAReplicatedServerIsNotFull(t *testing.T) {
	s := redistest.Start(t, redistest.Options{Args: []string{"--appendfsync", "always", "--repl-diskless-sync-delay", "0"}})
	replica := redistest.Start(t, redistest.Options{Args: []string{"--replicaof", strings.Replace(s.Addr(), ":", " ", 1)}})
	link := admin(t, replica)
	for !strings.Contains(link.Info(t.Context(), "replication").Val(), "master_link_status:up") {
		if t.Context().Err() != nil {
			t.Fatal("the replica does not connect")
		}
	}
	d := open(t, s.URL(), redis.Options{})
	if text, full, err := d.Durability(t.Context()); err != nil || full || !strings.Contains(text, "failover") {
		t.Errorf("told %q, %v, %v", text, full, err)
	}
}

func TestDurabilityNeedsNoRights(t *testing.T) {
	s := redistest.Start(t, redistest.Options{})
	root := admin(t, s)
	for _, c := range []struct{ taken, want string }{{"-config", "may not ask"}, {"-info", "may not run INFO"}} {
		words := append(documentedRights(t), c.taken)
		if err := root.Do(t.Context(), words...).Err(); err != nil {
			t.Fatal(err)
		}
		d := open(t, strings.Replace(s.URL(), "://", "://talaria:canary@", 1), redis.Options{Prefix: "talaria"})
		if text, full, err := d.Durability(t.Context()); err != nil || full || !strings.Contains(text, c.want) {
			t.Errorf("%s: told %q, %v, %v", c.taken, text, full, err)
		}
	}
}

func TestDurabilityOfAClusterIsThatOfItsMasters(t *testing.T) {
	d := open(t, cluster.URL(), redis.Options{})
	text, full, err := d.Durability(t.Context())
	if err != nil || full || !strings.Contains(text, "appendfsync no") {
		t.Errorf("told %q, %v, %v", text, full, err)
	}
}
