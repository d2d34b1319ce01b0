package rehearsal

import (
	"strings"
	"time"
)

// places are names for which the zone database has no entry of its own:
// countries and regions with one main zone, cities that share another's, and
// Chinese names.
var places = map[string]string{
	"utc": "UTC", "gmt": "UTC", "china": "Asia/Shanghai", "beijing": "Asia/Shanghai", "shenzhen": "Asia/Shanghai",
	"guangzhou": "Asia/Shanghai", "japan": "Asia/Tokyo", "korea": "Asia/Seoul", "south korea": "Asia/Seoul",
	"india": "Asia/Kolkata", "mumbai": "Asia/Kolkata", "delhi": "Asia/Kolkata", "new delhi": "Asia/Kolkata",
	"bangalore": "Asia/Kolkata", "vietnam": "Asia/Ho_Chi_Minh", "hanoi": "Asia/Ho_Chi_Minh", "thailand": "Asia/Bangkok",
	"uk": "Europe/London", "the uk": "Europe/London", "england": "Europe/London", "ireland": "Europe/Dublin",
	"germany": "Europe/Berlin", "munich": "Europe/Berlin", "hamburg": "Europe/Berlin", "frankfurt": "Europe/Berlin",
	"france": "Europe/Paris", "spain": "Europe/Madrid", "barcelona": "Europe/Madrid", "italy": "Europe/Rome", "milan": "Europe/Rome",
	"switzerland": "Europe/Zurich", "geneva": "Europe/Zurich", "austria": "Europe/Vienna", "poland": "Europe/Warsaw",
	"sweden": "Europe/Stockholm", "ukraine": "Europe/Kyiv", "turkey": "Europe/Istanbul", "israel": "Asia/Jerusalem",
	"egypt": "Africa/Cairo", "south africa": "Africa/Johannesburg", "kenya": "Africa/Nairobi", "nigeria": "Africa/Lagos",
	"san francisco": "America/Los_Angeles", "seattle": "America/Los_Angeles", "california": "America/Los_Angeles",
	"la": "America/Los_Angeles", "nyc": "America/New_York", "boston": "America/New_York", "washington": "America/New_York",
	"miami": "America/New_York", "austin": "America/Chicago", "dallas": "America/Chicago", "houston": "America/Chicago",
	"texas": "America/Chicago", "brazil": "America/Sao_Paulo", "rio de janeiro": "America/Sao_Paulo",
	"argentina": "America/Argentina/Buenos_Aires", "buenos aires": "America/Argentina/Buenos_Aires",
	"new zealand": "Pacific/Auckland", "wellington": "Pacific/Auckland", "hawaii": "Pacific/Honolulu",

	"中国": "Asia/Shanghai", "北京": "Asia/Shanghai", "上海": "Asia/Shanghai", "深圳": "Asia/Shanghai", "广州": "Asia/Shanghai",
	"香港": "Asia/Hong_Kong", "台北": "Asia/Taipei", "台湾": "Asia/Taipei", "东京": "Asia/Tokyo", "日本": "Asia/Tokyo",
	"首尔": "Asia/Seoul", "韩国": "Asia/Seoul", "新加坡": "Asia/Singapore", "曼谷": "Asia/Bangkok", "泰国": "Asia/Bangkok",
	"印度": "Asia/Kolkata", "迪拜": "Asia/Dubai", "莫斯科": "Europe/Moscow", "伦敦": "Europe/London", "英国": "Europe/London",
	"巴黎": "Europe/Paris", "法国": "Europe/Paris", "柏林": "Europe/Berlin", "德国": "Europe/Berlin", "罗马": "Europe/Rome",
	"马德里": "Europe/Madrid", "苏黎世": "Europe/Zurich", "纽约": "America/New_York", "华盛顿": "America/New_York",
	"旧金山": "America/Los_Angeles", "洛杉矶": "America/Los_Angeles", "西雅图": "America/Los_Angeles", "芝加哥": "America/Chicago",
	"多伦多": "America/Toronto", "温哥华": "America/Vancouver", "圣保罗": "America/Sao_Paulo", "悉尼": "Australia/Sydney",
	"墨尔本": "Australia/Melbourne", "奥克兰": "Pacific/Auckland",
}

var areas = []string{"Europe", "Asia", "America", "Australia", "Africa", "Pacific", "Atlantic", "Indian"}

// zoneOf finds the zone that people mean by a place: its IANA name.
func zoneOf(place string) (string, bool) {
	place = strings.TrimSpace(place)
	if zone, ok := places[strings.TrimPrefix(strings.ToLower(place), "the ")]; ok {
		return zone, true
	}
	if place == "" || strings.EqualFold(place, "local") || len(place) > 40 {
		return "", false
	}
	name := titled(place)
	if strings.Contains(name, "/") && exists(name) {
		return name, true
	}
	for _, area := range areas {
		if zone := area + "/" + name; exists(zone) {
			return zone, true
		}
	}
	return "", false
}

func exists(zone string) bool {
	_, err := time.LoadLocation(zone)
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
