package skill

import (
	"maps"
	"slices"
	"sync"

	"talaria/core/skill/manifest"
)

// maxKept bounds the files held in memory, in bytes.
const maxKept = 64 << 20

// bundles keeps files in memory by the hash that they were checked against, so
// that an entry is never wrong. The zero value is empty.
type bundles struct {
	mu   sync.Mutex
	by   map[string]manifest.Bundle
	size int
}

// get returns a bundle of its own, whose files must not be changed.
func (c *bundles) get(hash string) (manifest.Bundle, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b, ok := c.by[hash]
	return maps.Clone(b), ok
}

func (c *bundles) put(hash string, b manifest.Bundle) {
	size := 0
	for _, data := range b {
		size += len(data)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil || c.size+size > maxKept {
		c.by, c.size = map[string]manifest.Bundle{}, 0
	}
	if _, ok := c.by[hash]; ok {
		return
	}
	kept := maps.Clone(b)
	for path, data := range kept {
		kept[path] = slices.Clone(data)
	}
	c.by[hash], c.size = kept, c.size+size
}
