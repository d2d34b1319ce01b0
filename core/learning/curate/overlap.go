package curate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"talaria/core/skill/match"
)

// overlaps finds skills of the bot's own that are for one class of work. One
// skill is in at most one group: the best proven one leads it.
func overlaps(all []Subject, l Look, lim Limits) []Action {
	own := slices.DeleteFunc(slices.Clone(all), func(s Subject) bool { return !s.own() || s.Pending > 0 })
	slices.SortStableFunc(own, func(a, b Subject) int { return cmp.Compare(b.Stats.Proven(), a.Stats.Proven()) })
	grouped := map[string]bool{}
	var out []Action
	for i, lead := range own {
		if grouped[lead.Name] {
			continue
		}
		var with []string
		fresh := l.looked(lead)
		for _, s := range own[i+1:] {
			if grouped[s.Name] || similar(lead, s) < lim.Overlap {
				continue
			}
			with = append(with, s.Name)
			fresh = fresh || l.looked(s)
		}
		if len(with) == 0 {
			continue
		}
		slices.Sort(with)
		for _, name := range append(with, lead.Name) {
			grouped[name] = true
		}
		if !fresh {
			continue
		}
		a := lead.about(Merge, "they are for one class of work; %s has proven itself best", lead.Name)
		a.With = with
		a.Once = fmt.Sprintf("%s %s %s", Merge, lead.Name, strings.Join(with, " "))
		out = append(out, a)
	}
	return out
}

func similar(a, b Subject) float64 {
	return match.Similarity(match.Skill{Name: a.Name, Description: a.Description}, match.Skill{Name: b.Name, Description: b.Description})
}
