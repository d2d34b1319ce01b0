package storage

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// Shards is how many shards a store has. It is fixed when the store is made.
const Shards = 256

// Partition names a unit of atomicity. The zero value is no partition.
type Partition struct{ name string }

// Shard is the partition of the places that hash to n, 0 <= n < Shards.
func Shard(n int) Partition {
	if n < 0 || n >= Shards {
		panic(fmt.Sprintf("storage: shard %d out of range", n))
	}
	return Partition{fmt.Sprintf("s/%03d", n)}
}

// ShardOf is the number of the shard that holds a place.
func ShardOf(platform, workspace, chat string) int {
	h := fnv.New64a()
	for _, s := range []string{platform, workspace, chat} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	v := h.Sum64()
	return int((v ^ v>>32) % Shards)
}

// Person is the partition of one person's documents.
func Person(id string) Partition { return Partition{"p/" + id} }

// Team is the partition of a team's documents.
func Team(id string) Partition { return Partition{"t/" + id} }

// System is the partition of a named thing of the whole installation.
func System(name string) Partition { return Partition{"x/" + name} }

// ParsePartition reads what String wrote.
func ParsePartition(s string) (Partition, error) {
	kind, id, ok := strings.Cut(s, "/")
	if !ok || id == "" || len(kind) != 1 || !strings.Contains("sptx", kind) {
		return Partition{}, fmt.Errorf("storage: %q is no partition", s)
	}
	return Partition{s}, nil
}

// String is the partition's stable name, used in keys.
func (p Partition) String() string { return p.name }

// IsZero reports whether p names no partition.
func (p Partition) IsZero() bool { return p.name == "" }
