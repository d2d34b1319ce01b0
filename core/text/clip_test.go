package text_test

import (
	"testing"

	"talaria/core/text"
)

func TestClip(t *testing.T) {
	for _, c := range []struct {
		s    string
		most int
		want string
	}{
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"会议纪要", 4, "会议纪要"},
		{"会议纪要", 3, "会议…"},
		{"abcd", 1, "…"},
	} {
		if got := text.Clip(c.s, c.most); got != c.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", c.s, c.most, got, c.want)
		}
	}
}
