package rehearsal

import (
	"strings"
	"time"

	"talaria/core/zone"
)

// areas are where a city is looked for by a name that it had before.
var areas = []string{"Europe", "Asia", "America", "Australia", "Africa", "Pacific", "Atlantic", "Indian"}

// zoneOf finds the zone that people mean by a place: its IANA name.
func zoneOf(place string) (string, bool) {
	if name, ok := zone.Of(place); ok {
		return name, true
	}
	place = strings.TrimSpace(place)
	if place == "" || strings.EqualFold(place, "local") || len(place) > 40 {
		return "", false
	}
	city := titled(place)
	if strings.Contains(city, "/") && exists(city) {
		return city, true
	}
	for _, area := range areas {
		if name := area + "/" + city; exists(name) {
			return name, true
		}
	}
	return "", false
}

func exists(name string) bool {
	_, err := time.LoadLocation(name)
	return err == nil
}

// titled writes a place as the zone database does: New_York, Port-au-Prince.
func titled(place string) string {
	words := strings.FieldsFunc(place, func(r rune) bool { return r == ' ' || r == '_' })
	for i, w := range words {
		parts := strings.Split(w, "/")
		for j, p := range parts {
			if p != "" && p[0] >= 'a' && p[0] <= 'z' && strings.ToLower(p) == p {
				parts[j] = strings.ToUpper(p[:1]) + p[1:]
			}
		}
		words[i] = strings.Join(parts, "/")
	}
	return strings.Join(words, "_")
}
