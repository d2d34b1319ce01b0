package reflect_test

import (
	"fmt"
	"strings"
	"testing"

	"talaria/core/learning"
	"talaria/core/learning/reflect"
	"talaria/core/trace"
)

func TestHowCloselyATaskIsLookedAt(t *testing.T) {
	plain := func(*trace.Task, *learning.Observed) {}
	asked := func(_ *trace.Task, o *learning.Observed) { o.Remember = true }
	on := func(trigger reflect.Trigger, depth reflect.Depth) func(*reflect.Config) {
		return func(c *reflect.Config) { c.Trigger, c.Depth = trigger, depth }
	}
	every := on(reflect.AfterEveryTask, reflect.Standard)
	for _, c := range []struct {
		name   string
		config func(*reflect.Config)
		task   func(*trace.Task, *learning.Observed)
		cause  learning.Cause
		want   reflect.Depth // of the one report; none: there is no report
	}{
		{"switched off", func(c *reflect.Config) { c.Enabled = false }, reasoned, learning.Over, reflect.None},
		{"by hand only", on(reflect.Manual, reflect.Deep), reasoned, learning.Over, reflect.None},
		{"nothing special", every, plain, learning.Quiet, reflect.Quick},
		{"at the end of the session", every, plain, learning.Over, reflect.Quick},
		{"late feedback", every, plain, learning.Late, reflect.Quick},
		{"corrected", every, reasoned, learning.Quiet, reflect.Standard},
		{"the gate passes", every, passes, learning.Over, reflect.Standard},
		{"asked to remember it", every, asked, learning.Remember, reflect.Standard},
		{"the third alike request", every, plain, learning.Third, reflect.Standard},
		{"somebody's tenth turn", every, plain, learning.Tenth, reflect.Standard},
		{"deep", on(reflect.AfterEveryTask, reflect.Deep), passes, learning.Over, reflect.Deep},
		{"quick at most", on(reflect.AfterEveryTask, reflect.Quick), passes, learning.Over, reflect.Quick},
		{"after corrections: none", on(reflect.AfterCorrection, reflect.Deep), passes, learning.Over, reflect.None},
		{"after corrections: one", on(reflect.AfterCorrection, reflect.Deep), reasoned, learning.Over, reflect.Deep},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := says(`{"rules":[]}`)
			w := newWorld(t, m, c.config)
			n := w.task("20260101T000000Z-1", c.task)
			n.Cause = c.cause
			w.mustLook(n)
			got := w.reports()
			if c.want == reflect.None {
				if len(got) != 0 || m.calls() != 0 {
					t.Errorf("%d reports, %d calls", len(got), m.calls())
				}
				return
			}
			if len(got) != 1 || got[0].Depth != c.want || got[0].Cause != c.cause {
				t.Fatalf("reports %+v", got)
			}
			if asked := m.calls() > 0; asked == (c.want == reflect.Quick) {
				t.Errorf("a %s look made %d calls of the model", c.want, m.calls())
			}
		})
	}
}

func TestADeepLookSeesTheReportsBefore(t *testing.T) {
	m := says(`{"went_wrong":"the water was cold","rules":[]}`)
	w := newWorld(t, m, func(c *reflect.Config) { c.Depth = reflect.Deep })
	for _, id := range []string{"20260101T000000Z-1", "20260101T000001Z-2"} {
		w.mustLook(w.task(id, passes))
	}
	if first := m.request(0).Messages[0].Text; contains(first, "earlier_reports") {
		t.Error("the first look has earlier reports")
	}
	const more = 11
	for n := range more {
		w.mustLook(w.task(fmt.Sprintf("20260101T0001%02dZ-%d", n, n+3), passes))
	}
	if got := strings.Count(m.request(1 + more).Messages[0].Text, "the water was cold"); got != 10 {
		t.Errorf("a look after %d reports sees %d", 1+more, got)
	}
	const across = "Look across them"
	if contains(m.request(0).Prefix, across) || !contains(m.request(1).Prefix, across) {
		t.Error("only a look that has earlier reports is to look across them")
	}
	if second := m.request(1).Messages[0].Text; !contains(second, "earlier_reports", "the water was cold") {
		t.Errorf("the second look does not see the first:\n%s", second)
	}
}
