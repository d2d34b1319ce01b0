package inbound

import (
	"cmp"
	"strings"
)

// CompareIDs orders ids that are decimal numbers, the smaller first, without
// reading them as such: platforms count further than a number goes.
func CompareIDs(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}
