package text_test

import (
	"testing"

	"talaria/core/text"
)

func TestEdits(t *testing.T) {
	for pair, want := range map[[2]string]int{
		{"", ""}: 0, {"show", "show"}: 0, {"shwo", "show"}: 2, {"show", "shows"}: 1, {"", "abc"}: 3, {"会议", "会议纪要"}: 2, {"kitten", "sitting"}: 3,
	} {
		if got := text.Edits(pair[0], pair[1]); got != want {
			t.Errorf("%q to %q: %d", pair[0], pair[1], got)
		}
	}
}

func TestSlips(t *testing.T) {
	for pair, want := range map[[2]string]int{
		{"", ""}: 0, {"show", "show"}: 0, {"shwo", "show"}: 1, {"show", "shows"}: 1, {"", "abc"}: 3, {"kitten", "sitting"}: 3,
		{"ca", "abc"}: 3, {"abcd", "badc"}: 2, {"纪要会", "纪会要"}: 1,
	} {
		if got := text.Slips(pair[0], pair[1]); got != want {
			t.Errorf("%q to %q: %d", pair[0], pair[1], got)
		}
	}
}
