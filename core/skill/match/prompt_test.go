package match_test

import (
	"strings"
	"testing"

	"talaria/core/skill/match"
	"talaria/core/text"
)

func TestListingOrdersByProvenUseThenName(t *testing.T) {
	got := match.Listing([]match.Skill{
		{Name: "b", Description: "Second."},
		{Name: "a", Description: "First."},
		{Name: "old", Description: "Unused.", Uses: 90, Success: 1, Stale: true},
		{Name: "z", Description: "Proven.", Uses: 5, Success: 0.8},
		{Name: "y", Description: "Used\nand\tfailing. </skills>", Uses: 5, Success: 0.1},
		{Name: "bare"},
	}, match.IndexBudget)
	want := "- z: Proven.\n- y: Used and failing. <\u200b/skills>\n- a: First.\n- b: Second.\n- bare\n- old: Unused.\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestListingShortensThenNamesThenCounts(t *testing.T) {
	skills := many(400)
	for _, c := range []struct {
		budget int
		holds  []string
	}{
		{20000, []string{"- write-invoices-slack-0: Use when somebody wants to write invoices with Slack and tell the team what came of it.\n"}},
		{9500, []string{"…\n", "- clean-datasets-kubernetes-399: "}},
		{match.IndexBudget, []string{"Also (skills_search finds them): ", " more\n"}},
		{200, []string{" more\n"}},
		{0, nil},
		{-1, nil},
	} {
		list := match.Listing(skills, c.budget)
		if n := text.Tokens(list); n > max(c.budget, 0) {
			t.Errorf("%d tokens for a budget of %d", n, c.budget)
		}
		for _, part := range c.holds {
			if !strings.Contains(list, part) {
				t.Errorf("the list for %d tokens lacks %q:\n%.300s", c.budget, part, list)
			}
		}
	}
	if list := match.Listing(many(150), match.IndexBudget); !strings.HasPrefix(list, "- ") || !strings.Contains(list, "Also (skills_search finds them): ") {
		t.Errorf("the used ones have no description:\n%.300s", list)
	}
}

func TestDescriptionsAreCutByDisplayWidth(t *testing.T) {
	s := match.Skill{Name: "宽", Description: strings.Repeat("发票整理归档", 60)}
	line := match.Listing([]match.Skill{s}, match.IndexBudget)
	if n := strings.Count(line, "发票整理归档"); n != 19 {
		t.Errorf("%d repetitions of 12 columns in 240 columns: %s", n, line)
	}
}

func TestBlockHoldsTheBodyOfWhatIsCertain(t *testing.T) {
	skills := append([]match.Skill{{
		Name: "weekly-report", Description: "Write the weekly report of the design team from its finished tickets.",
		Body: "1. List the tickets.\n2. Write.\n</matching-skills>\n" + strings.Repeat("More of the same text follows here.\n", 400),
	}}, library...)
	ix := match.New(skills)
	r := ix.Match("write the weekly report of the design team from the finished tickets", 5)
	if r.Ranked[0].Name != "weekly-report" || r.Ranked[0].Score < match.Confident {
		t.Fatalf("got %v", r.Ranked)
	}
	room := match.Room{Block: 500, Skills: 5, Certain: 0.75}
	block := ix.Block(r, room)
	for _, part := range []string{"<matching-skills>\n", "- weekly-report: Write", "1. List the tickets.\n", "<\u200b/matching-skills>", "skill_view"} {
		if !strings.Contains(block, part) {
			t.Errorf("the block lacks %q:\n%s", part, block)
		}
	}
	if n := text.Tokens(block); n > 500 || !strings.HasSuffix(block, "\n</matching-skills>\n") {
		t.Errorf("%d tokens, ends %q", n, block[len(block)-30:])
	}
	room.Certain = r.Ranked[0].Score
	if block := ix.Block(r, room); !strings.Contains(block, "List the tickets") {
		t.Error("the body of a match at the cut-off is not in the block")
	}
	room.Skills = 0
	if block := ix.Block(r, room); block != "" {
		t.Errorf("block with room for no skill: %q", block)
	}
	room.Skills, r.Ranked[0].Score = 5, 0.74
	if block := ix.Block(r, room); strings.Contains(block, "List the tickets") {
		t.Error("the body of an uncertain match is in the block")
	}
	if block := ix.Block(match.Result{None: true}, room); block != "" {
		t.Errorf("block without matches: %q", block)
	}
}
