package skill_test

import (
	"testing"

	"talaria/core/chat"
	"talaria/core/skill"
)

func TestRefsAreReadBack(t *testing.T) {
	odd := chat.Address{Platform: "telegram", Chat: "-100/2#3:4%", Thread: "9"}
	for _, s := range []skill.Scope{skill.OfPerson("p1"), skill.OfTeam("t1"), skill.OfSpace("t1", odd)} {
		for _, r := range []skill.Ref{{Scope: s, Name: "release"}, {Scope: s, Name: "周报", Number: 12}} {
			if got, err := skill.ParseRef(r.String()); err != nil || got != r {
				t.Errorf("%s is read as %v, %v", r, got, err)
			}
		}
	}
}

func FuzzParseRef(f *testing.F) {
	for _, seed := range []string{"person/p1 a", "team/t1 a@3", "space/t1/slack/T1/C1 a@0", "space/t/a/b a", " @", "person/ a", "team/a b@99999999999999999999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if r, err := skill.ParseRef(text); err == nil && r.String() != text {
			t.Errorf("%q is read as %q", text, r)
		}
	})
}
