package skill_test

import (
	"testing"

	"talaria/core/chat"
	"talaria/core/skill"
)

func TestRefsAreReadBack(t *testing.T) {
	odd := chat.Address{Platform: "telegram", Chat: "-100/2#3:4%", Thread: "9"}
	for _, s := range []skill.Scope{skill.OfPerson("p1"), skill.OfTeam("t1"), skill.OfSpace("t1", odd)} {
		if got, err := skill.ParseScope(s.String()); err != nil || got != s {
			t.Errorf("%s is read as %v, %v", s, got, err)
		}
	}
}

func FuzzParseScope(f *testing.F) {
	for _, seed := range []string{"person/p1", "team/t1", "space/t1/slack/T1/C1", "space/t/a/b", "", "person/", "space/t/%2/%/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := skill.ParseScope(text); err == nil && s.String() != text {
			t.Errorf("%q is read as %q", text, s)
		}
	})
}
