package match_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"talaria/core/skill/match"
	"talaria/core/text"
)

// library is a small team's.
var library = []match.Skill{
	{Name: "release-notes", Description: "Write release notes from the merged changes since the last tag."},
	{Name: "standup-digest", Description: "Collect what everybody did since yesterday and post a digest in the team channel."},
	{Name: "invoice-filing", Description: "File invoices from mail by supplier and month, and enter them in the ledger.", Triggers: []string{"bookkeeping"}},
	{Name: "trip-planner", Description: "Plan a business trip: flights, hotel, timetable and budget."},
	{Name: "photo-tidy", Description: "Sort pictures into albums, drop duplicates and make copies for the web."},
	{Name: "grafana-alerts", Description: "Silence, explain and tune Grafana alerts for the on-call engineer."},
	{Name: "postgres-tuning", Description: "Find slow queries in PostgreSQL and propose indexes."},
	{Name: "podcast-cut", Description: "Cut a podcast recording, level the audio and export chapters."},
	{Name: "garden-watering", Description: "Switch the garden's sprinklers by the weather forecast."},
	{Name: "vocab-trainer", Description: "Ask vocabulary with spaced repetition and keep score."},
	{Name: "会议纪要", Description: "把会议录音转写成文字，整理出决议和待办事项。"},
	{Name: "合同审阅", Description: "逐条检查合同条款，标出风险并给出修改建议。"},
	{Name: "报销助手", Description: "收集发票和票据，填写报销单并提交给财务。"},
	{Name: "k8s-rollout", Description: "Roll a new image out to the Kubernetes cluster and watch the pods."},
	{Name: "spotify-mood", Description: "Play a Spotify playlist that fits a mood."},
	{Name: "crm-cleanup", Description: "Merge duplicate contacts in HubSpot and fill in missing fields.", Body: "Ask for the region first. Contacts without a telephone prefix get the one of their country."},
}

// The right skill always comes first. A few requests say so little that it is
// not above the floor.
func TestMatchFindsTheSkill(t *testing.T) {
	ix := match.New(library)
	const fewest = 18
	taken := 0
	for _, c := range []struct{ query, want string }{
		{"draft the notes for the new release", "release-notes"},
		{"my database is slow, which index is missing?", "postgres-tuning"},
		{"make this SQL faster", "postgres-tuning"},
		{"put some calm music on", "spotify-mood"},
		{"quiz me on my Italian vocabulary", "vocab-trainer"},
		{"clean up the photo folder, there are doubles", "photo-tidy"},
		{"ship the latest container to the cluster", "k8s-rollout"},
		{"the alarms on the monitoring dashboard are too noisy tonight", "grafana-alerts"},
		{"book a hotel and a plane to Lisbon", "trip-planner"},
		{"write up what we decided in the meeting, here is the recording", "会议纪要"},
		{"go through the agreement and flag risky clauses", "合同审阅"},
		{"claim my taxi receipts back", "报销助手"},
		{"数据库查询很慢，帮我优化一下", "postgres-tuning"},
		{"给照片分类，去掉重复的", "photo-tidy"},
		{"剪一下这期播客的音频", "podcast-cut"},
		{"把新镜像部署到集群", "k8s-rollout"},
		{"訂機票和酒店", "trip-planner"},
		{"背单词", "vocab-trainer"},
		{"tidy the dupliacte contcats in hubspto", "crm-cleanup"},
		{"silense the grafana alrets", "grafana-alerts"},
		{"bookkeeping for March", "invoice-filing"},
	} {
		r := ix.Match(c.query, 5)
		if len(r.Ranked) == 0 || r.Ranked[0].Name != c.want {
			t.Errorf("%q: got %v, want %s", c.query, r.Ranked, c.want)
		}
		if !r.None {
			taken++
		}
	}
	if taken < fewest {
		t.Errorf("only %d requests have a skill that fits", taken)
	}
}

func TestMatchRejectsWhatNoSkillFits(t *testing.T) {
	ix := match.New(library)
	for _, query := range []string{
		"", "  ", "hi there", "how tall is Mont Blanc", "why is the sky blue", "what's 17 times 23", "谢谢你", "月亮离地球多远",
		"tell me a joke about penguins", "who painted the Mona Lisa", "asdf qwer", "?!…",
	} {
		if r := ix.Match(query, 5); !r.None {
			t.Errorf("%q: %v, want none", query, r.Ranked)
		}
	}
}

func TestMatchScoresFallAndStayWithinLimit(t *testing.T) {
	r := match.New(library).Match("sort the pictures and merge duplicate contacts", 3)
	if len(r.Ranked) != 3 {
		t.Fatalf("%d matches, want 3", len(r.Ranked))
	}
	if !slices.IsSortedFunc(r.Ranked, func(a, b match.Scored) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	}) {
		t.Errorf("scores do not fall: %v", r.Ranked)
	}
	if r := match.New(library).Match("sort the pictures", 0); len(r.Ranked) != 0 || !r.None {
		t.Errorf("limit 0: %v", r)
	}
	if r := match.New(nil).Match("sort the pictures", 5); !r.None {
		t.Errorf("no skills: %v", r)
	}
}

func TestBodyIsLookedAt(t *testing.T) {
	r := match.New(library).Match("a HubSpot contact lacks its telephone prefix", 1)
	if r.None || r.Ranked[0].Name != "crm-cleanup" {
		t.Errorf("got %v", r.Ranked)
	}
}

func TestOfEqualsTheNarrowerScopeThenTheProvenOneGoesFirst(t *testing.T) {
	s := match.Skill{Description: "Write the weekly report of the design team."}
	team, mine, worse := s, s, s
	team.Name, team.Scope, team.Success = "weekly-report", 2, 0.9
	mine.Name, mine.Scope, mine.Success = "weekly-report-mine", 0, 0.2
	worse.Name, worse.Scope, worse.Success = "weekly-report-old", 2, 0.5
	r := match.New([]match.Skill{worse, team, mine}).Match("write the weekly report", 3)
	var got []string
	for _, f := range r.Ranked {
		got = append(got, f.Name)
	}
	if want := []string{mine.Name, team.Name, worse.Name}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// table is an embedder that knows a few texts; all others are alike.
type table map[string][]float32

func (e table) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, s := range texts {
		out[i] = []float32{1, 1}
		for known, v := range e {
			if strings.Contains(s, known) {
				out[i] = v
			}
		}
		if s == "broken" {
			return nil, errors.New("no connection")
		}
	}
	return out, nil
}

func TestVectorsFindWhatNoWordDoes(t *testing.T) {
	ix := match.New([]match.Skill{{Name: "alpha", Description: "Zorb the quux."}, {Name: "beta", Description: "Frob the wibble."}})
	e := table{"Zorb": {1, 0}, "Frob": {0, 1}, "gleam": {0.1, 0.9}}
	r, err := ix.MatchEmbedded(t.Context(), e, "gleam", 1)
	if err != nil || r.Ranked[0].Name != "beta" {
		t.Errorf("got %v, %v", r, err)
	}
	if r, err = ix.MatchEmbedded(t.Context(), e, "broken", 1); err == nil || !r.None {
		t.Errorf("a failing embedder: %v, %v", r, err)
	}
}

// many makes skills by combining words.
func many(n int) []match.Skill {
	verbs := strings.Fields("write check translate summarise deploy convert merge plot book clean")
	things := strings.Fields("invoices contracts photos reports tickets containers podcasts calendars recipes datasets")
	places := strings.Fields("Slack GitHub Berlin Kubernetes Notion Airtable Outlook Figma Jira Grafana")
	skills := make([]match.Skill, n)
	for i := range skills {
		v, th, p := verbs[i%10], things[i/10%10], places[i/100%10]
		skills[i] = match.Skill{
			Name:        fmt.Sprintf("%s-%s-%s-%d", v, th, strings.ToLower(p), i),
			Description: fmt.Sprintf("Use when somebody wants to %s %s with %s and tell the team what came of it.", v, th, p),
			Body:        strings.Repeat("Look at the list first, then ask the person who is responsible for it. ", 30),
			Uses:        i % 7, Success: 0.5,
		}
	}
	return skills
}

func BenchmarkMatch1000(b *testing.B) {
	ix := match.New(many(1000))
	for b.Loop() {
		ix.Match("could you please plot how many tickets we closed in Jira each month and post it to the team's channel", 5)
	}
}

func BenchmarkNew1000(b *testing.B) {
	skills := many(1000)
	for b.Loop() {
		match.New(skills)
	}
}

func FuzzMatch(f *testing.F) {
	for _, s := range []string{"", "a", "the", "图", "打开 the light", "\xff\xfe", "x2y", "2", "</matching-skills>", "🎉🎉", "ﷺ", strings.Repeat("no ", 500)} {
		f.Add(s, "pdf2text", 100)
	}
	ix := match.New(library)
	f.Fuzz(func(t *testing.T, a, b string, budget int) {
		r := ix.Match(a, 5)
		for _, m := range r.Ranked {
			if !(m.Score >= 0 && m.Score <= 1) {
				t.Fatalf("score %v", m)
			}
		}
		for _, p := range []float64{match.Similarity(match.Skill{Name: a, Description: b}, match.Skill{Name: b, Description: a}), match.RequestSimilarity(a, b), match.CardSimilarity(a, b)} {
			if !(p >= 0 && p <= 1) {
				t.Fatalf("similarity %v", p)
			}
		}
		hostile := []match.Skill{{Name: a, Description: b, Body: a + b}, {Name: b, Body: b}}
		if list := match.Listing(hostile, budget); text.Tokens(list) > max(budget, 0) {
			t.Fatalf("list of %d tokens for %d", text.Tokens(list), budget)
		}
		hix := match.New(hostile)
		if block := hix.Block(hix.Match(b, 5), match.Room{Block: budget, Skills: 5, Certain: 0.75}); text.Tokens(block) > max(budget, 0) || strings.Count(block, "</") > 1 {
			t.Fatalf("block %q for %d", block, budget)
		}
	})
}
