package when

import (
	"strings"
	"time"
)

// Parse reads a phrase that is a schedule, in English, in Chinese or in cron.
// The error, if any, is an [*Unclear]. What the phrase leaves open is taken in
// the zone given and at the time given.
func Parse(phrase string, zone *time.Location, now time.Time) (Schedule, error) {
	line := strings.TrimSpace(phrase)
	if text, ok := descriptors[line]; ok {
		line = text
	}
	if _, err := parseCron(line); err != nil {
		return Schedule{}, unclear(NotATime, Language(phrase), "I see no time in that.", "没有看出时间。")
	}
	return Schedule{Kind: Recurring, Zone: zoneName(zone, now), Cron: []string{line}}, nil
}

// Find takes a schedule out of a sentence. What remains is the task; it is not
// ok where there is no schedule, or none that is clear.
func Find(text string, zone *time.Location, now time.Time) (s Schedule, rest string, ok bool) {
	s, err := Parse(text, zone, now)
	return s, "", err == nil
}
