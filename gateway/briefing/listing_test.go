package briefing

import (
	"context"
	"strings"
	"testing"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill/match"
)

// lists has a skill of the speaker's own, let into the place, and one of the place.
type lists struct{ Library }

func (lists) Matchable(context.Context, person.Principal) ([]match.Skill, error) {
	return []match.Skill{{Name: "own-way", Description: "d"}, {Name: "our-way", Description: "d", Scope: 1}}, nil
}

func TestAThreadsPrefixListsNoSkillOfOnePersons(t *testing.T) {
	for thread, own := range map[string]bool{"": true, "t1": false} {
		who := person.Principal{Role: person.Member, Place: chat.Address{Platform: "test", Chat: "room", Thread: thread}}
		got, err := newSkills(Config{Library: lists{}}).listing(t.Context(), who)
		if err != nil || strings.Contains(got, "own-way") != own || !strings.Contains(got, "our-way") {
			t.Errorf("in thread %q: %v\n%s", thread, err, got)
		}
	}
}
