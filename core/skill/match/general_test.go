package match_test

import (
	"testing"

	"talaria/core/skill/match"
)

// What a file is called and what is put into it are of the day: a skill that was
// made of such a request fits the next one.
func TestNamesOfFilesAndQuotedTextsSayNothingOfTheWork(t *testing.T) {
	for _, c := range []struct{ description, query string }{
		{"write a text to a file, then read a file, then tell me the time in Tokyo", `please write "brumble" to zork-2.txt, read zork-2.txt and tell me what time it is in Tokyo`},
		{"把一段文字写到 文件，然后读 文件，然后告诉我东京的时间", "请把“无风”写到 log.txt，读一下 log.txt，再告诉我东京现在几点"},
	} {
		got := match.New([]match.Skill{{Name: "write-and-tell", Description: c.description}}).Match(c.query, 5)
		if got.None || got.Ranked[0].Score < match.Confident {
			t.Errorf("%q: %+v", c.query, got)
		}
	}
}
