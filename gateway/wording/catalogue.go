package wording

import "maps"

// areas are the catalogues of the parts of the program.
var areas = []map[string]string{summaries, purposes, commands, people, memory, refusals, jobs, answers, lessons, approval, skills, daily, home, schedules, gathered, terminal}

// catalogue is the Chinese text for each English one.
var catalogue = joined(areas...)

func joined(areas ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, a := range areas {
		maps.Copy(all, a)
	}
	return all
}
