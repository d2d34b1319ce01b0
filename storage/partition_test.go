package storage_test

import (
	"strings"
	"testing"

	"talaria/storage"
)

func TestPartitionsHaveStableNames(t *testing.T) {
	for want, p := range map[string]storage.Partition{
		"s/000":    storage.Shard(0),
		"s/255":    storage.Shard(255),
		"p/ann":    storage.Person("ann"),
		"t/a/b:c":  storage.Team("a/b:c"),
		"x/timers": storage.System("timers"),
	} {
		if p.String() != want {
			t.Errorf("partition is %q, want %q", p, want)
		}
		if back, err := storage.ParsePartition(want); err != nil || back != p {
			t.Errorf("%q reads as %q, %v", want, back, err)
		}
	}
}

func TestPartitionNamesThatAreNone(t *testing.T) {
	for _, name := range []string{"", "/", "s", "s/", "y/1", "sp/1", "/1", "person/ann", "s1"} {
		if p, err := storage.ParsePartition(name); err == nil || !p.IsZero() {
			t.Errorf("%q reads as %q", name, p)
		}
	}
}

// The shard of a place is stored in its keys: it may never change.
func TestShardOfAPlaceNeverChanges(t *testing.T) {
	for want, place := range map[int][3]string{
		107: {"slack", "T1", "C1"},
		250: {"telegram", "", "-100123"},
		202: {"discord", "日本", "1"},
	} {
		if got := storage.ShardOf(place[0], place[1], place[2]); got != want {
			t.Errorf("%v is in shard %d, want %d", place, got, want)
		}
	}
}

func TestShardsShareThePlacesEvenly(t *testing.T) {
	var places [storage.Shards]int
	for n := range 256 * 100 {
		places[storage.ShardOf("slack", "T1", strings.Repeat("x", n%7)+string(rune('a'+n%26))+strings.Repeat("y", n/182))]++
	}
	for shard, n := range places {
		if n > 400 {
			t.Errorf("shard %d has %d places of 25600", shard, n)
		}
	}
}

func TestShardOutOfRangePanics(t *testing.T) {
	for _, n := range []int{-1, storage.Shards} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("shard %d exists", n)
				}
			}()
			storage.Shard(n)
		}()
	}
}

func FuzzParsePartition(f *testing.F) {
	for _, seed := range []string{"s/001", "p/ann", "t/", "x/a/b", "", "日/1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		p, err := storage.ParsePartition(name)
		if err == nil && p.String() != name {
			t.Errorf("%q reads as %q", name, p)
		}
		if (err != nil) != p.IsZero() {
			t.Errorf("%q: %q and %v", name, p, err)
		}
	})
}
