package zone

import (
	_ "embed" // the list of zones
	"maps"
	"strings"
	"sync"
)

// names are those of IANA's zone.tab, one a line. Their last parts are cities.
//
//go:embed zones.txt
var names string

// Cities are the IANA names of zones by places in them, in lower case: the
// cities of zone.tab, and what else people say. It is not to be changed.
var Cities = sync.OnceValue(func() map[string]string {
	known := map[string]string{}
	for name := range strings.FieldsSeq(names) {
		city := strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
		known[strings.ReplaceAll(city, "_", " ")] = name
	}
	maps.Copy(known, places)
	return known
})

// full are the IANA names of zone.tab by themselves in lower case.
var full = sync.OnceValue(func() map[string]string {
	known := map[string]string{}
	for name := range strings.FieldsSeq(names) {
		known[strings.ToLower(name)] = name
	}
	return known
})

// Of returns the IANA name of the zone of a place, or of a zone that is named by
// it, in whatever case it is written, and false for one that is not known.
func Of(place string) (name string, ok bool) {
	place = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(place)), "the ")
	for _, table := range []map[string]string{Cities(), Chinese, countries, full()} {
		if name, ok := table[place]; ok {
			return name, true
		}
	}
	return "", false
}
