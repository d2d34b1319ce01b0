package zone_test

import (
	"testing"
	"time"

	"talaria/core/zone"
)

func TestPlacesHaveTheZoneThatPeopleMean(t *testing.T) {
	for place, want := range map[string]string{
		"Tokyo": "Asia/Tokyo", "new york": "America/New_York", "Port-au-Prince": "America/Port-au-Prince", "Munich": "Europe/Berlin",
		" the UK ": "Europe/London", "Turkey": "Europe/Istanbul", "上海": "Asia/Shanghai", "utc": "UTC", "europe/berlin": "Europe/Berlin", "America/Argentina/Buenos_Aires": "America/Argentina/Buenos_Aires", "Atlantis": "", "": "",
	} {
		if got, ok := zone.Of(place); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", place, got, ok, want)
		}
	}
}

func TestAllZonesThatAreNamedExist(t *testing.T) {
	for _, table := range []map[string]string{zone.Cities(), zone.Chinese} {
		for place, name := range table {
			if _, err := time.LoadLocation(name); err != nil {
				t.Errorf("%s: %v", place, err)
			}
		}
	}
}
