package skill_test

import (
	"testing"

	"pgregory.net/rapid"

	"talaria/core/skill"
)

var kinds = []skill.Kind{"", skill.Person, skill.Space, skill.Team}

func drawPermissions(label string) *rapid.Generator[skill.Permissions] {
	names := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", skill.Anything}), 0, 3)
	return rapid.Custom(func(t *rapid.T) skill.Permissions {
		return skill.Permissions{
			Hosts: names.Draw(t, label+" hosts"), Tools: names.Draw(t, label+" tools"),
			Schedules: rapid.Bool().Draw(t, label+" schedules"), Scripts: rapid.Bool().Draw(t, label+" scripts"),
			Memory: rapid.SampledFrom(kinds).Draw(t, label+" memory"),
		}
	})
}

// calls are what permissions are asked about.
func calls(p skill.Permissions) map[string]bool {
	out := map[string]bool{"schedules": p.Schedules, "scripts": p.Scripts}
	for _, name := range []string{"a", "b", "c", "d", "", skill.Anything} {
		out["host "+name], out["tool "+name] = p.Host(name), p.Tool(name)
	}
	for _, k := range append(kinds, "unknown") {
		out["memory "+string(k)] = p.Remembers(k)
	}
	return out
}

func TestWiderIsWhateverWasNotAllowed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawPermissions("before").Draw(t, "before"), drawPermissions("after").Draw(t, "after")
		more := false
		had := calls(before)
		for call, may := range calls(after) {
			more = more || may && !had[call]
		}
		if added := skill.Added(before, after); added.None() == more {
			t.Fatalf("added is %v, want something: %v", added, more)
		}
	})
}
