package text_test

import (
	"testing"

	"talaria/core/text"
)

// The pairs are from the published description of the algorithm.
func TestStemFollowsPorter2(t *testing.T) {
	for in, want := range map[string]string{
		"consign": "consign", "consigned": "consign", "consigning": "consign", "consignment": "consign",
		"consist": "consist", "consisted": "consist", "consistency": "consist", "consistent": "consist",
		"consistently": "consist", "consisting": "consist", "consolation": "consol", "consolations": "consol",
		"consolatory": "consolatori", "console": "consol", "consoling": "consol", "consolingly": "consol",
		"conspicuous": "conspicu", "conspicuously": "conspicu", "conspiracy": "conspiraci",
		"conspirator": "conspir", "conspirators": "conspir", "constable": "constabl", "constancy": "constanc", "constant": "constant",
		"knack": "knack", "knackeries": "knackeri", "knavish": "knavish", "kneaded": "knead", "knickers": "knicker",
		"knightly": "knight", "knights": "knight", "knitted": "knit", "knitting": "knit", "knocker": "knocker", "knopp": "knopp",
		"hopping": "hop", "hoping": "hope", "luxuriated": "luxuri", "ties": "tie", "cries": "cri", "gas": "gas", "this": "this",
		"gaps": "gap", "kiwis": "kiwi", "by": "by", "say": "say", "cry": "cri", "enjoy": "enjoy", "youth": "youth",
		"generate": "generat", "generously": "generous", "communication": "communic", "arsenal": "arsenal",
		"proceed": "proceed", "herrings": "herring", "skies": "sky", "dying": "die", "news": "news", "only": "onli",
		"rational": "ration", "relational": "relat", "digitizer": "digit", "operator": "oper", "feudalism": "feudal",
		"hopefulness": "hope", "callousness": "callous", "decisiveness": "decis", "sensibility": "sensibl",
		"analogously": "analog", "geology": "geolog", "formative": "format", "electrical": "electr", "goodness": "good",
		"replacement": "replac", "adoption": "adopt", "controlling": "control", "roll": "roll", "rate": "rate", "cease": "ceas",
		"agreed": "agre", "feed": "feed", "bled": "bleed", "went": "go", "k8s": "k8s",
	} {
		if got := text.Stem(in); got != want {
			t.Errorf("Stem(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestStemOfNearlyNothing(t *testing.T) {
	for _, w := range []string{"", "'", "''", "'s", "y", "yy", "yyy", "sss", "eed", "ing", "ied", "ies", "'''"} {
		text.Stem(w) // must not panic
	}
}
