package text_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/text"
)

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int
	}{
		{"", 0},
		{"word", 1},
		{"internationally", 3},
		{"two words", 2},
		{"kebab-case-name", 5},
		{"2026 12345", 4},
		{"部署失败", 4},
		{"🎉", 2},
		{"a1b22", 4},
		{"one\ntwo\n", 3},
	} {
		if got := text.Tokens(c.in); got != c.want {
			t.Errorf("Tokens(%q) = %d, want %d", c.in, got, c.want)
		}
	}
}

func TestPiecesAreWordsAndRuns(t *testing.T) {
	var got []string
	for piece, run := range text.Pieces("The Café's T恤, ＧＰＵ部署 of v1.5") {
		if run {
			piece = "<" + piece + ">"
		}
		got = append(got, piece)
	}
	want := []string{"the", "cafe's", "t", "<恤>", "gpu", "<部署>", "of", "v1.5"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
