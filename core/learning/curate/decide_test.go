package curate_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/learning/curate"
	"talaria/core/memory"
	"talaria/core/skill"
)

// noon is when tables look.
var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// subject is a skill of the bot's, used an hour ago with these outcomes, the
// latest first, all in revision 2.
func subject(name, outcomes string, change ...func(*curate.Subject)) curate.Subject {
	s := curate.Subject{}
	s.Name, s.Description, s.State, s.Hash, s.InForce, s.CreatedBy = name, "How to "+name+".", skill.Active, "h", 2, skill.ByAgent
	s.Created, s.Updated = noon.Add(-100*day), noon.Add(-50*day)
	c := counts(strings.Count(outcomes, "+"), len(outcomes))
	s.Stats = skill.Stats{Counts: c, Revisions: map[int]skill.Counts{2: c}}
	for n, o := range outcomes {
		if n < curate.Defaults().Window {
			s.Uses = append(s.Uses, skill.Use{Number: 2, Success: o == '+'})
		}
	}
	if outcomes != "" {
		s.Stats.LastUsed = noon.Add(-time.Hour)
	}
	for _, f := range change {
		f(&s)
	}
	return s
}

func idleFor(days int) func(*curate.Subject) {
	return func(s *curate.Subject) {
		s.Stats.LastUsed = noon.Add(-time.Duration(days) * day)
		s.Updated = s.Stats.LastUsed
	}
}

func pinned(s *curate.Subject)   { s.Pinned = true }
func byPerson(s *curate.Subject) { s.CreatedBy = skill.ByPerson }
func archived(s *curate.Subject) { s.State = skill.Archived }

// before gives revision 1 its outcomes.
func before(successes, uses int) func(*curate.Subject) {
	return func(s *curate.Subject) {
		s.Before = 1
		s.Stats.Revisions[1] = counts(successes, uses)
	}
}

func TestWhatIsPlannedForASkill(t *testing.T) {
	many := strings.Repeat("+", 30)
	for name, c := range map[string]struct {
		skill curate.Subject
		want  string
	}{
		"does well":                           {subject("x", "+++++++++++"), ""},
		"does well enough in 19 of 20":        {subject("x", "-"+strings.Repeat("+", 19)), ""},
		"a success rate of exactly 0.9":       {subject("x", "-+++++++++"), "improve"},
		"a success rate of exactly 0.5":       {subject("x", "-+-+-+"), "improve"},
		"fails more often, few uses":          {subject("x", "---++"), "prune"},
		"fails more often, nine uses":         {subject("x", "------+++"), "prune"},
		"fails more often, ten uses":          {subject("x", "-------+++"), "rewrite"},
		"fails, but only four uses tell":      {subject("x", "----"), ""},
		"only the last twenty uses count":     {subject("x", strings.Repeat("+", 20)+strings.Repeat("-", 9)), ""},
		"a draft of it waits":                 {subject("x", "---++", func(s *curate.Subject) { s.Pending = 3 }), ""},
		"worse than before":                   {subject("x", "--------", before(18, 20)), "roll back"},
		"worse, but seven uses only":          {subject("x", "-------", before(18, 20)), "prune"},
		"worse, and a person's":               {subject("x", "--------", before(18, 20), byPerson), "doubt"},
		"worse, and pinned":                   {subject("x", "--------", before(18, 20), pinned), "doubt"},
		"no better than before":               {subject("x", "-+-+-+-+", before(10, 20)), "improve"},
		"unused for 13 days":                  {subject("x", "+", idleFor(13)), ""},
		"unused for 14 days":                  {subject("x", "+", idleFor(14)), "stale"},
		"unused for 30 days":                  {subject("x", "+", idleFor(30)), "archive"},
		"unused for 30 days, pinned":          {subject("x", "+", idleFor(30), pinned), ""},
		"unused for 30 days, a person's":      {subject("x", "+", idleFor(30), byPerson), ""},
		"unused for 30 days, archived":        {subject("x", "+", idleFor(30), archived), ""},
		"stale already":                       {subject("x", "+", idleFor(20), func(s *curate.Subject) { s.State = skill.Stale }), ""},
		"stale, and unused for 30 days":       {subject("x", "+", idleFor(30), func(s *curate.Subject) { s.State = skill.Stale; s.Updated = noon.Add(-10 * day) }), "archive"},
		"new, never used, 13 days":            {subject("x", "", func(s *curate.Subject) { s.Created = noon.Add(-13 * day) }), ""},
		"new, never used, 15 days":            {subject("x", "", func(s *curate.Subject) { s.Created = noon.Add(-15 * day); s.Updated = s.Created }), "stale"},
		"brought back by a person a week ago": {subject("x", "+", idleFor(90), func(s *curate.Subject) { s.Updated = noon.Add(-7 * day) }), ""},
		"much used":                           {subject("x", many), "pin"},
		"much used, a person's":               {subject("x", many, byPerson), ""},
		"much used, pinned":                   {subject("x", many, pinned), ""},
	} {
		l := curate.Look{Now: noon, Last: noon.Add(-day), Skills: []curate.Subject{c.skill}}
		got := ""
		for _, a := range curate.Decide(l, curate.Defaults()).Actions {
			got += string(a.Kind)
		}
		if got != c.want {
			t.Errorf("%s: planned %q, want %q", name, got, c.want)
		}
	}
}

func TestOnlyWhatWasUsedOrChangedIsLookedAtAgain(t *testing.T) {
	l := curate.Look{Now: noon, Last: noon.Add(-time.Minute), Skills: []curate.Subject{subject("x", "---++", before(18, 20)), subject("y", "--------", before(18, 20))}}
	if p := curate.Decide(l, curate.Defaults()); len(p.Actions) > 0 {
		t.Errorf("planned without news:\n%s", p)
	}
}

func TestNobodyIsAskedTwice(t *testing.T) {
	l := curate.Look{Now: noon, Skills: []curate.Subject{subject("x", "---++")}, Asked: map[string]time.Time{}}
	for _, a := range curate.Decide(l, curate.Defaults()).Actions {
		l.Asked[a.Once] = noon
	}
	if p := curate.Decide(l, curate.Defaults()); len(p.Actions) > 0 || len(l.Asked) != 1 {
		t.Errorf("asked again:\n%s", p)
	}
	l.Skills[0].InForce = 3
	if p := curate.Decide(l, curate.Defaults()); len(p.Actions) != 1 {
		t.Errorf("about another revision nobody is asked:\n%s", p)
	}
}

func TestSkillsForOneClassOfWorkAreToBecomeOne(t *testing.T) {
	describe := func(s string) func(*curate.Subject) { return func(x *curate.Subject) { x.Description = s } }
	l := curate.Look{Now: noon, Skills: []curate.Subject{
		subject("release-api-notes", "+++++", describe("Write the release notes of the API from its merged changes.")),
		subject("release-notes-api", "++", describe("Write the API's release notes from its merged changes.")),
		subject("water-plants", "+++++", describe("Water the plants in the office.")),
	}}
	var got []string
	for _, a := range curate.Decide(l, curate.Defaults()).Actions {
		got = append(got, string(a.Kind)+" "+a.Skill+" "+strings.Join(a.With, ","))
	}
	if diff := cmp.Diff([]string{"merge release-api-notes release-notes-api"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsPlannedForACard(t *testing.T) {
	said := func(task string) memory.Evidence { return memory.Evidence{Task: task} }
	against := memory.Evidence{Against: "t9"}
	for name, c := range map[string]struct {
		state    memory.State
		age      int
		evidence []memory.Evidence
		want     string
	}{
		"emerging, held once":            {memory.Emerging, 3, []memory.Evidence{said("t1")}, ""},
		"emerging, said twice in a task": {memory.Emerging, 3, []memory.Evidence{said("t1"), said("t1")}, ""},
		"emerging, held twice":           {memory.Emerging, 3, []memory.Evidence{said("t1"), said("t2")}, "promote"},
		"emerging, contradicted":         {memory.Emerging, 3, []memory.Evidence{said("t1"), against}, "drop"},
		"emerging, held and contradicted": {
			memory.Emerging, 3, []memory.Evidence{said("t1"), said("t2"), against}, ""},
		"emerging, never again":       {memory.Emerging, 31, []memory.Evidence{said("t1")}, "drop"},
		"active, never again":         {memory.Active, 400, []memory.Evidence{said("t1")}, ""},
		"quarantined, held twice":     {memory.Quarantined, 3, []memory.Evidence{said("t1"), said("t2")}, ""},
		"said by the person, and old": {memory.Emerging, 31, []memory.Evidence{{Task: "t1", Spoken: true}}, "promote"},
	} {
		card := memory.Card{ID: "c", Text: "tea is green", State: c.state, Evidence: c.evidence, Updated: noon.Add(-time.Duration(c.age) * day)}
		got := ""
		for _, a := range curate.Decide(curate.Look{Now: noon, Cards: []memory.Card{card}}, curate.Defaults()).Actions {
			got += string(a.Kind)
		}
		if got != c.want {
			t.Errorf("%s: planned %q, want %q", name, got, c.want)
		}
	}
}

func TestContradictionsAreAskedAboutOnce(t *testing.T) {
	l := curate.Look{Now: noon, Cards: []memory.Card{
		{ID: "b", Text: "the office is in Rome", State: memory.Active, Against: []string{"a"}},
		{ID: "a", Text: "the office is in Oslo", State: memory.Active, Against: []string{"b", "z"}},
	}}
	p := curate.Decide(l, curate.Defaults())
	if len(p.Actions) != 1 || p.Actions[0].Kind != curate.Ask || p.Actions[0].Card != "a" || !slices.Equal(p.Actions[0].With, []string{"b"}) {
		t.Errorf("planned:\n%s", p)
	}
}
