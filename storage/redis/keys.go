package redis

import (
	"strings"

	"talaria/storage"
)

// layout is the version of how things are stored; a later one would live
// beside it under other names.
const layout = "1"

// escape keeps braces out of a hash tag, which ends at the first of them.
var escape = strings.NewReplacer("%", "%25", "{", "%7B", "}", "%7D")

// space is the part of the key space that belongs to one partition. All its
// keys have the same hash tag, so a script may use them together on a cluster.
type space string

func (d *Driver) space(p storage.Partition) space {
	name := p.String()
	if strings.ContainsAny(name, "%{}") {
		name = escape.Replace(name)
	}
	return space(d.prefix + "{" + name + "}:")
}

// key names one key of the partition.
func (s space) key(name string) string { return string(s) + name }

func (s space) keys(names ...string) []string {
	keys := make([]string, len(names))
	for n, name := range names {
		keys[n] = s.key(name)
	}
	return keys
}

// The keys of a partition beside meta, which holds the mark of registration,
// the counters of inbox and outbox, and the lease. Each group is what one kind
// of operation needs. Partitions hold few keys of their own, however many
// things they store, and none exists before it is needed.
func documentKeys() []string { return []string{"docs", "names", "docs-ttl"} }
func inboxKeys() []string    { return []string{"inbox", "seen"} }
func outboxKeys() []string   { return []string{"rows", "states", "rows-ttl"} }
func timerKeys() []string    { return []string{"timers", "due", "claims"} }

func logKeys(log string) []string { return []string{"logs", "log:" + log} }

func placeKeys(place string) []string {
	return []string{"places", "postings:" + place, "indexed:" + place}
}

func blobKeys(hash string) []string { return []string{"blobs", "blob:" + hash} }

// registry names the key that holds the names of all partitions. It has a hash
// tag of its own, which no partition has: those hold a slash.
func (d *Driver) registry() []string { return []string{d.prefix + "{registry}:partitions"} }

// request collects the keys and arguments of a call. Its first key is meta.
type request struct {
	space  space
	keys   []string
	groups []group
	args   []any
}

type group struct {
	name string // of its last key
	base int    // the index of its first key, counted from 1 as Lua does
}

func newRequest(s space, args ...any) *request {
	return &request{space: s, keys: []string{s.key("meta")}, args: args}
}

// group returns the index of a group's first key, and adds it if it is new.
func (r *request) group(names []string) int {
	last := names[len(names)-1]
	for _, g := range r.groups {
		if g.name == last {
			return g.base
		}
	}
	base := len(r.keys) + 1
	r.keys = append(r.keys, r.space.keys(names...)...)
	r.groups = append(r.groups, group{last, base})
	return base
}

// add appends an operation with its arguments, which begin with its group.
func (r *request) add(name string, args ...any) {
	r.args = append(r.args, name, len(args))
	r.args = append(r.args, args...)
}
