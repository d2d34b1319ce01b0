package persona

import (
	"testing"

	"talaria/core/memory"
)

// FuzzAnswer: whatever a model says, no line comes of it that has no source, is
// surer than its occasions, or is about what is not kept.
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		`{"synthesis":[{"of":"h1","text":"prefers tabs over spaces","confidence":0.9,"sources":["s1"]}]}`,
		`{"antithesis":[{"of":"l1","sources":["s1","s1"]}],"synthesis":[{"of":"l1","text":"x","confidence":-1,"sources":["s9"]}]}`,
		`words {"synthesis":[{"text":"","confidence":1e300,"sources":[]}]} words`, `{`, `}{`, "", `{"synthesis":7}`,
	} {
		f.Add(s)
	}
	all := sentencesOf("I prefer tabs over spaces. I use Go for services.", "", memory.Evidence{Message: "m1", Task: "t1", Spoken: true})
	all[0].ID, all[1].ID = "s1", "s2"
	known := map[string]memory.Card{"l1": {ID: "a", Kind: memory.Profile, Text: "likes spaces", State: memory.Emerging, Inferred: true}}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := parse(s)
		if err != nil {
			return
		}
		for _, c := range weigh(a, all, known, DefaultLines) {
			if c.Confidence < 0 || c.Confidence > 0.6 || len(c.For)+len(c.Against) == 0 || sensitive(c.Text) || c.Card == "" && len(c.For) == 0 {
				t.Errorf("%q made %+v", s, c)
			}
		}
	})
}

// FuzzSentences: a message of any kind is read without a panic, and nothing
// sensitive is taken from it unasked.
func FuzzSentences(f *testing.F) {
	for _, s := range []string{"I like tea. Do you?", "“I am", "```\nI am", "我喜欢茶。你呢？", "remember: I", "\xff I am", "> I am\nI was"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, x := range sentencesOf(s, "an answer", memory.Evidence{}) {
			if sensitive(x.Words) && !x.asked {
				t.Errorf("%q was taken from %q", x.Words, s)
			}
		}
	})
}
