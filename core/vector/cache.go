package vector

import (
	"crypto/sha256"
	"unicode/utf8"
)

// key stands for a text.
type key [sha256.Size]byte

func keyOf(text string) key { return sha256.Sum256([]byte(beginning(text))) }

// beginning is the part of a text that is embedded.
func beginning(text string) string {
	n := maxText
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// maxKept bounds a generation of vectors in numbers: 32 MB, or 5,000 vectors of
// 1,536 numbers, the usual length.
const maxKept = 8 << 20

// cache keeps the vectors that were used last, in two generations: when the
// young one is full it becomes the old one, and what was not used again since
// is gone.
type cache struct {
	young, old map[key][]float32
	numbers    int // in young
}

// get returns a vector, nil if it is not kept.
func (c *cache) get(k key) []float32 {
	if v := c.young[k]; v != nil {
		return v
	}
	v := c.old[k]
	if v != nil {
		c.add(k, v)
	}
	return v
}

func (c *cache) put(texts []text, vectors [][]float32) {
	for i, v := range vectors {
		c.add(texts[i].key, v)
	}
}

func (c *cache) add(k key, v []float32) {
	if c.young == nil || c.numbers+len(v) > maxKept {
		c.young, c.old, c.numbers = map[key][]float32{}, c.young, 0
	}
	c.numbers += len(v) - len(c.young[k])
	c.young[k] = v
}
