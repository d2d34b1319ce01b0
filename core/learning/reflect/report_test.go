package reflect

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAReportIsReadWhateverStandsAroundIt(t *testing.T) {
	for _, c := range []struct {
		answer string
		rules  int
		ok     bool
	}{
		{`{"rules":[{"then":"do it"}]}`, 1, true},
		{"Sure:\n```json\n{\"went_well\":\"x\"}\n```\nbye {", 0, true},
		{`{"rules":[{"then":"  "},{"if":"x","then":"y","confidence":7},{"then":"z","kind":"else"}]}`, 2, true},
		{`{"rules":[` + strings.Repeat(`{"then":"x"},`, 30) + `{"then":"x"}]}`, maxRules, true},
		{"no report", 0, false}, {"{", 0, false}, {`{"rules":3}`, 0, false}, {"", 0, false},
	} {
		got, err := parse(c.answer)
		if (err == nil) != c.ok || len(got.Rules) != c.rules {
			t.Errorf("%q: %+v, %v", c.answer, got, err)
		}
		for _, r := range got.Rules {
			if r.Confidence > 1 || r.Kind == "else" {
				t.Errorf("%q: %+v", c.answer, r)
			}
		}
	}
}

func TestARuleWithoutATriggerAlwaysHolds(t *testing.T) {
	got := Report{Rules: []Rule{{Then: "write briefly", Confidence: 0.9}, {If: "tea is made", Then: "warm the pot", Confidence: 0.5}}}.Markdown()
	for _, want := range []string{"- ALWAYS write briefly (90 %)", "- IF tea is made THEN warm the pot (50 %)"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"went_well":"a","rules":[{"if":"b","then":"c","kind":"profile","confidence":0.5,"contradicts":["x"]}]}`, "{}", "x{", `{"rules":[null]}`, "{\"why\":\"\\ud800\"}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		s, err := parse(answer)
		if err != nil {
			return
		}
		for _, text := range []string{s.WentWell, s.WentWrong, s.Why, s.Differently} {
			if utf8.RuneCountInString(text) > maxAnswer+1 {
				t.Errorf("%d characters", utf8.RuneCountInString(text))
			}
		}
		if len(s.Rules) > maxRules {
			t.Errorf("%d rules", len(s.Rules))
		}
		for _, r := range s.Rules {
			if strings.TrimSpace(r.Then) == "" || r.Confidence < 0 || r.Confidence > 1 {
				t.Errorf("rule %+v", r)
			}
		}
	})
}
