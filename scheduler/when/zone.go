package when

import (
	"fmt"
	"regexp"
	"sync"
	"time"
	_ "time/tzdata" // zones are known on machines without a database of them
)

var offsetZone = regexp.MustCompile(`^UTC([+-])(\d\d):(\d\d)$`)

// loaded keeps zones by IANA's names, of which there are some six hundred:
// loading one reads a file, and every next time of every job needs one.
var loaded sync.Map

// loadZone knows IANA names and offsets as "UTC+05:30".
func loadZone(name string) (*time.Location, error) {
	if zone, ok := loaded.Load(name); ok {
		return zone.(*time.Location), nil
	}
	m := offsetZone.FindStringSubmatch(name)
	if m == nil {
		zone, err := time.LoadLocation(name)
		if err == nil {
			loaded.Store(name, zone)
		}
		return zone, err
	}
	seconds := number(m[2])*3600 + number(m[3])*60
	if seconds > 14*3600 || number(m[3]) > 59 {
		return nil, fmt.Errorf("no zone is %s", name)
	}
	if m[1] == "-" {
		seconds = -seconds
	}
	return time.FixedZone(name, seconds), nil
}

// zoneName is a name under which loadZone finds the zone again.
func zoneName(zone *time.Location, now time.Time) string {
	name := zone.String()
	if _, err := loadZone(name); err == nil && name != "" {
		return name
	}
	_, offset := now.In(zone).Zone()
	return offsetName(offset)
}

// offsetName names a fixed offset, given in seconds.
func offsetName(offset int) string {
	sign := '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	return fmt.Sprintf("UTC%c%02d:%02d", sign, offset/3600, offset%3600/60)
}
