package inbound_test

import (
	"slices"
	"testing"

	"talaria/adapters/inbound"
)

func TestCompareIDs(t *testing.T) {
	ids := []string{"100", "18446744073709551616", "9", "20", "9"}
	slices.SortFunc(ids, inbound.CompareIDs)
	if want := []string{"9", "9", "20", "100", "18446744073709551616"}; !slices.Equal(ids, want) {
		t.Errorf("sorted: %q, want %q", ids, want)
	}
}
