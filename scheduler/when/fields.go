package when

import (
	"slices"
	"strings"
)

// cronLines writes clock times as few lines. Hours with the same minutes share one.
func cronLines(times []clock, days string) []string {
	var minutes [24][]int
	for _, t := range times {
		minutes[t.hour] = append(minutes[t.hour], t.minute)
	}
	var lines []string
	seen := map[string]bool{}
	for h := range minutes {
		slices.Sort(minutes[h])
		field := list(minutes[h])
		if field == "" || seen[field] {
			continue
		}
		seen[field] = true
		var hours []int
		for other := range minutes {
			if list(minutes[other]) == field {
				hours = append(hours, other)
			}
		}
		lines = append(lines, field+" "+ranges(hours)+" "+days)
	}
	return lines
}

// list writes numbers with commas.
func list(numbers []int) string {
	var texts []string
	for _, n := range numbers {
		texts = append(texts, itoa(n))
	}
	return strings.Join(texts, ",")
}

// ranges writes sorted numbers, with three or more in a row as a range.
func ranges(numbers []int) string {
	var texts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		if j-i >= 2 {
			texts = append(texts, itoa(numbers[i])+"-"+itoa(numbers[j]))
			i = j + 1
			continue
		}
		texts = append(texts, itoa(numbers[i]))
		i++
	}
	return strings.Join(texts, ",")
}

// dayFields are the last three fields of cron.
func (d *draft) dayFields() string {
	months := bitList(uint64(d.months))
	if d.quarter {
		months = d.quarterMonths()
	}
	monthdays, weekdays := strings.Join(d.days, ","), bitList(uint64(d.weekdays))
	if d.weekdays == 0x7f {
		weekdays = "*"
	}
	if len(d.ordinals) > 0 {
		weekdays = ordinalField(d.ordinals)
	}
	return orStar(monthdays) + " " + orStar(months) + " " + orStar(weekdays)
}

// quarterMonths are the first months of quarters, or the last ones.
func (d *draft) quarterMonths() string {
	last := slices.ContainsFunc(d.days, func(day string) bool { return day[0] == 'L' }) ||
		slices.ContainsFunc(d.ordinals, func(o ordinal) bool { return o.n < 0 })
	if last {
		return "3,6,9,12"
	}
	if len(d.days) == 0 && len(d.ordinals) == 0 {
		d.days = []string{"1"}
	}
	return "1,4,7,10"
}

func ordinalField(ordinals []ordinal) string {
	var texts []string
	for _, o := range ordinals {
		switch {
		case o.n < -1:
			texts = append(texts, itoa(o.weekday)+"L"+itoa(o.n+1))
		case o.n < 0:
			texts = append(texts, itoa(o.weekday)+"L")
		default:
			texts = append(texts, itoa(o.weekday)+"#"+itoa(o.n))
		}
	}
	return strings.Join(texts, ",")
}

// bitList writes the numbers of the bits that are set.
func bitList(bits uint64) string {
	var numbers []int
	for n := range 64 {
		if bits&(1<<n) != 0 {
			numbers = append(numbers, n)
		}
	}
	return ranges(numbers)
}

func bitNumbers(bits uint8) []int {
	var numbers []int
	for n := range 7 {
		if bits&(1<<n) != 0 {
			numbers = append(numbers, n)
		}
	}
	return numbers
}
