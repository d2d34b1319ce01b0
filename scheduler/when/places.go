package when

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"talaria/core/zone"
)

// abbreviations stand for one zone only in practice. Of the American ones, the
// place is meant and not the offset: "9 am EST" in July is New York's 9 am.
var abbreviations = map[string]string{
	"utc": "UTC", "gmt": "UTC", "zulu": "UTC", "cet": "Europe/Berlin", "cest": "Europe/Berlin", "eet": "Europe/Athens",
	"eest": "Europe/Athens", "msk": "Europe/Moscow", "jst": "Asia/Tokyo", "kst": "Asia/Seoul", "hkt": "Asia/Hong_Kong",
	"sgt": "Asia/Singapore", "est": "America/New_York", "edt": "America/New_York", "et": "America/New_York",
	"cdt": "America/Chicago", "mdt": "America/Denver", "mst": "America/Denver", "pst": "America/Los_Angeles",
	"pdt": "America/Los_Angeles", "pt": "America/Los_Angeles", "akst": "America/Anchorage", "hst": "Pacific/Honolulu",
	"aest": "Australia/Sydney", "aedt": "Australia/Sydney", "awst": "Australia/Perth", "nzst": "Pacific/Auckland",
	"nzdt": "Pacific/Auckland", "brt": "America/Sao_Paulo", "wib": "Asia/Jakarta", "npt": "Asia/Kathmandu", "ict": "Asia/Bangkok",
}

// shared abbreviations stand for several zones.
var shared = map[string][]string{
	"cst": {"America/Chicago", "Asia/Shanghai"},
	"ist": {"Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"},
	"bst": {"Europe/London", "Asia/Dhaka"},
	"ast": {"America/Halifax", "Asia/Riyadh"},
	"pkt": {"Asia/Karachi"},
	"gst": {"Asia/Dubai", "Atlantic/South_Georgia"},
	"sst": {"Asia/Singapore", "Pacific/Pago_Pago"},
	"amt": {"America/Manaus", "Asia/Yerevan"},
}

func zoneRules() []rule {
	city := `(?P<place>` + strings.ReplaceAll(oneOf(zone.Cities()), " ", "[ _]") + `)`
	inCity, atCity := english(`in `+city, "zone", takePlace), english(city, "zone", takePlace).following("clock")
	inCity.strict, atCity.strict = true, true
	inChineseCity := read(`在?(?P<place>`+oneOf(zone.Chinese)+`)`, "zone", takeChinesePlace)
	inChineseCity.strict = true
	return []rule{
		english(`(?:in )?`+city+` time`, "zone", takePlace), inCity, atCity,
		english(`(?:in |timezone |time zone )?(?P<zone>[a-z]{2,12}/[a-z_]+(?:[/-][a-z_]+)*)(?: time)?`, "zone", func(d *draft, m groups) {
			d.setZone(canonicalZone(m.text("zone")), m.text("zone"))
		}),
		english(`(?:in )?(?P<zone>`+oneOf(abbreviations)+`)(?: time)?`, "zone", func(d *draft, m groups) {
			d.setZone(abbreviations[m.text("zone")], m.text("zone"))
		}),
		read(`z`, "zone", flag(func(d *draft) { d.setZone("UTC", "z") })).but(`[a-z0-9]`).following("clock"),
		read(`(?:utc|gmt) ?(?P<sign>[+-])(?P<h>\d{1,2})(?::?(?P<m>\d\d))?`, "zone", takeOffset),
		read(`(?P<sign>[+-])(?P<h>\d\d):(?P<m>\d\d)`, "zone", takeOffset).following("clock"),
		english(`(?P<zone>`+oneOf(shared)+`)(?: time)?`, "zone", takeShared),
		read(`东八区(?:时间)?`, "zone", flag(func(d *draft) { d.setZone("Asia/Shanghai", "东八区") })),
		read(`(?:按|以|用)?(?P<place>`+oneOf(zone.Chinese)+`)(?:当地)?(?:标准)?时间`, "zone", takeChinesePlace),
		inChineseCity,
		read(`(?P<zone>`+oneOf(abbreviations)+`)时间`, "zone", func(d *draft, m groups) {
			d.setZone(abbreviations[m.text("zone")], m.text("zone"))
		}),
	}
}

// oneOf is a pattern of a table's names.
func oneOf[V any](table map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(table)), "|")
}

func takePlace(d *draft, m groups) {
	place := strings.ReplaceAll(m.text("place"), "_", " ")
	d.setZone(zone.Cities()[place], place)
}

func takeChinesePlace(d *draft, m groups) {
	d.setZone(zone.Chinese[m.text("place")], m.text("place"))
}

var zoneWord = regexp.MustCompile(`[a-zA-Z]+`)

// canonicalZone puts capitals where the names of zones have them.
func canonicalZone(name string) string {
	return zoneWord.ReplaceAllStringFunc(strings.ToLower(name), func(word string) string {
		switch word {
		case "of", "es", "au":
			return word
		case "gmt", "utc", "us":
			return strings.ToUpper(word)
		}
		return strings.ToUpper(word[:1]) + word[1:]
	})
}

// setZone makes the zone that of the whole phrase.
func (d *draft) setZone(name, said string) {
	loc, err := loadZone(name)
	switch {
	case err != nil || name == "":
		d.fail(Impossible, "I know no time zone %q.", "没有“%s”这个时区。", said)
		d.suggest("every day at 09:00 Europe/Berlin", "北京时间每天上午九点")
	case d.zoneSaid && name != d.zone.String():
		d.fail(Ambiguous, "That names two time zones.", "说了两个时区。")
	default:
		d.zone, d.zoneSaid = loc, true
		d.now = d.now.In(loc)
	}
}

func takeOffset(d *draft, m groups) {
	offset := number(m.text("h")) * 3600
	if m.text("m") != "" {
		offset += number(m.text("m")) * 60
	}
	if m.text("sign") == "-" {
		offset = -offset
	}
	d.setZone(offsetName(offset), "UTC"+m.text("sign")+m.text("h"))
}

func takeShared(d *draft, m groups) {
	d.fail(Ambiguous, "%s is the name of several time zones.", "%s 可以指多个时区。", strings.ToUpper(m.text("zone")))
	for _, name := range shared[m.text("zone")] {
		d.fault.suggest("every day at 09:00 " + name)
	}
}
