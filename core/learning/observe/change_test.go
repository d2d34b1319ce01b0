package observe_test

import (
	"testing"

	"talaria/core/learning/observe"
)

func TestCorrectionsThatDenyNothing(t *testing.T) {
	for words, want := range map[string]struct{ adds, changes bool }{
		"no, put the totals in too, because the board asks for them": {adds: true},
		"no, also send it to Dana":                                   {adds: true},
		"you forgot the appendix":                                    {adds: true},
		"不对，还要加上合计":                                                  {adds: true},
		"no, the column is too wide":                                 {},
		"no, it must be in euros, because the bank wants that":       {},
		"不对，要用欧元，因为银行只收欧元":                                           {},
		"no, from now on it is in euros":                             {changes: true},
		"wrong, we always round up":                                  {changes: true},
		"no, the template has changed, use the blue one":             {changes: true},
		"we no longer ship to Basel":                                 {changes: true},
		"不对，以后都用蓝色模板":                                                {changes: true},
	} {
		if adds, changes := observe.Adds(words), observe.Changes(words); adds != want.adds || changes != want.changes {
			t.Errorf("%q adds: %t, changes: %t", words, adds, changes)
		}
	}
}
