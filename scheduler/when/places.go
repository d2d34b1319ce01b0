package when

import (
	_ "embed" // the list of zones
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// places are cities and countries by the names that people use, where those
// are not the names of the zones.
var places = map[string]string{
	"beijing": "Asia/Shanghai", "shenzhen": "Asia/Shanghai", "guangzhou": "Asia/Shanghai", "china": "Asia/Shanghai",
	"hangzhou": "Asia/Shanghai", "delhi": "Asia/Kolkata", "new delhi": "Asia/Kolkata", "mumbai": "Asia/Kolkata",
	"bangalore": "Asia/Kolkata", "bengaluru": "Asia/Kolkata", "chennai": "Asia/Kolkata", "india": "Asia/Kolkata",
	"indian": "Asia/Kolkata", "japan": "Asia/Tokyo", "osaka": "Asia/Tokyo", "korea": "Asia/Seoul", "hanoi": "Asia/Bangkok",
	"saigon": "Asia/Ho_Chi_Minh", "abu dhabi": "Asia/Dubai", "tel aviv": "Asia/Jerusalem", "israel": "Asia/Jerusalem",
	"munich": "Europe/Berlin", "hamburg": "Europe/Berlin", "frankfurt": "Europe/Berlin", "cologne": "Europe/Berlin",
	"germany": "Europe/Berlin", "german": "Europe/Berlin", "france": "Europe/Paris", "lyon": "Europe/Paris",
	"milan": "Europe/Rome", "italy": "Europe/Rome", "barcelona": "Europe/Madrid", "geneva": "Europe/Zurich",
	"switzerland": "Europe/Zurich", "edinburgh": "Europe/London", "manchester": "Europe/London", "uk": "Europe/London",
	"england": "Europe/London", "ireland": "Europe/Dublin", "kiev": "Europe/Kyiv", "saint petersburg": "Europe/Moscow",
	"san francisco": "America/Los_Angeles", "seattle": "America/Los_Angeles", "la": "America/Los_Angeles",
	"san diego": "America/Los_Angeles", "california": "America/Los_Angeles", "las vegas": "America/Los_Angeles",
	"portland": "America/Los_Angeles", "boston": "America/New_York", "washington": "America/New_York",
	"philadelphia": "America/New_York", "miami": "America/New_York", "atlanta": "America/New_York", "nyc": "America/New_York",
	"new york city": "America/New_York", "montreal": "America/Toronto", "ottawa": "America/Toronto",
	"houston": "America/Chicago", "dallas": "America/Chicago", "austin": "America/Chicago", "texas": "America/Chicago",
	"rio": "America/Sao_Paulo", "rio de janeiro": "America/Sao_Paulo", "brasilia": "America/Sao_Paulo",
	"buenos aires": "America/Argentina/Buenos_Aires", "cape town": "Africa/Johannesburg", "canberra": "Australia/Sydney",
	"wellington": "Pacific/Auckland", "hawaii": "Pacific/Honolulu",
	"eastern": "America/New_York", "us eastern": "America/New_York", "central": "America/Chicago",
	"us central": "America/Chicago", "mountain": "America/Denver", "us mountain": "America/Denver",
	"pacific": "America/Los_Angeles", "us pacific": "America/Los_Angeles", "central european": "Europe/Berlin",
	"greenwich mean": "UTC", "universal": "UTC", "coordinated universal": "UTC", "japan standard": "Asia/Tokyo",
	"india standard": "Asia/Kolkata", "china standard": "Asia/Shanghai", "eastern standard": "America/New_York",
	"pacific standard": "America/Los_Angeles", "eastern daylight": "America/New_York", "pacific daylight": "America/Los_Angeles",
}

// chinesePlaces are the same in Chinese.
var chinesePlaces = map[string]string{
	"北京": "Asia/Shanghai", "上海": "Asia/Shanghai", "中国": "Asia/Shanghai", "深圳": "Asia/Shanghai", "广州": "Asia/Shanghai",
	"杭州": "Asia/Shanghai", "香港": "Asia/Hong_Kong", "澳门": "Asia/Macau", "台北": "Asia/Taipei", "台湾": "Asia/Taipei",
	"东京": "Asia/Tokyo", "大阪": "Asia/Tokyo", "日本": "Asia/Tokyo", "首尔": "Asia/Seoul", "韩国": "Asia/Seoul",
	"新加坡": "Asia/Singapore", "曼谷": "Asia/Bangkok", "泰国": "Asia/Bangkok", "吉隆坡": "Asia/Kuala_Lumpur",
	"雅加达": "Asia/Jakarta", "马尼拉": "Asia/Manila", "河内": "Asia/Bangkok", "新德里": "Asia/Kolkata", "孟买": "Asia/Kolkata",
	"印度": "Asia/Kolkata", "加德满都": "Asia/Kathmandu", "迪拜": "Asia/Dubai", "特拉维夫": "Asia/Jerusalem",
	"伊斯坦布尔": "Europe/Istanbul", "莫斯科": "Europe/Moscow", "柏林": "Europe/Berlin", "德国": "Europe/Berlin",
	"法兰克福": "Europe/Berlin", "慕尼黑": "Europe/Berlin", "巴黎": "Europe/Paris", "法国": "Europe/Paris", "伦敦": "Europe/London",
	"英国": "Europe/London", "都柏林": "Europe/Dublin", "马德里": "Europe/Madrid", "罗马": "Europe/Rome", "米兰": "Europe/Rome",
	"苏黎世": "Europe/Zurich", "日内瓦": "Europe/Zurich", "维也纳": "Europe/Vienna", "阿姆斯特丹": "Europe/Amsterdam",
	"布鲁塞尔": "Europe/Brussels", "斯德哥尔摩": "Europe/Stockholm", "里斯本": "Europe/Lisbon", "雅典": "Europe/Athens",
	"华沙": "Europe/Warsaw", "布拉格": "Europe/Prague", "纽约": "America/New_York", "波士顿": "America/New_York",
	"华盛顿": "America/New_York", "美东": "America/New_York", "美国东部": "America/New_York", "芝加哥": "America/Chicago",
	"美中": "America/Chicago", "丹佛": "America/Denver", "洛杉矶": "America/Los_Angeles", "旧金山": "America/Los_Angeles",
	"西雅图": "America/Los_Angeles", "硅谷": "America/Los_Angeles", "加州": "America/Los_Angeles", "美西": "America/Los_Angeles",
	"美国西部": "America/Los_Angeles", "太平洋": "America/Los_Angeles", "多伦多": "America/Toronto", "温哥华": "America/Vancouver",
	"墨西哥城": "America/Mexico_City", "圣保罗": "America/Sao_Paulo", "开罗": "Africa/Cairo", "约翰内斯堡": "Africa/Johannesburg",
	"内罗毕": "Africa/Nairobi", "悉尼": "Australia/Sydney", "墨尔本": "Australia/Melbourne", "奥克兰": "Pacific/Auckland",
	"夏威夷": "Pacific/Honolulu", "格林尼治": "UTC", "格林威治": "UTC", "世界": "UTC", "协调世界": "UTC",
}

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

// zoneNames are the names of IANA's zone.tab, one a line. Their last parts are
// cities.
//
//go:embed zones.txt
var zoneNames string

// cities are the zones by the names of cities in them: zone.tab's and places.
var cities = sync.OnceValue(func() map[string]string {
	known := map[string]string{}
	for name := range strings.FieldsSeq(zoneNames) {
		city := strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
		known[strings.ReplaceAll(city, "_", " ")] = name
	}
	maps.Copy(known, places)
	return known
})

func zoneRules() []rule {
	city := `(?P<place>` + strings.ReplaceAll(oneOf(cities()), " ", "[ _]") + `)`
	inCity, atCity := english(`in `+city, "zone", takePlace), english(city, "zone", takePlace).following("clock")
	inCity.strict, atCity.strict = true, true
	inChineseCity := read(`在?(?P<place>`+oneOf(chinesePlaces)+`)`, "zone", takeChinesePlace)
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
		read(`(?:按|以|用)?(?P<place>`+oneOf(chinesePlaces)+`)(?:当地)?(?:标准)?时间`, "zone", takeChinesePlace),
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
	d.setZone(cities()[place], place)
}

func takeChinesePlace(d *draft, m groups) {
	d.setZone(chinesePlaces[m.text("place")], m.text("place"))
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
	zone, err := loadZone(name)
	switch {
	case err != nil || name == "":
		d.fail(Impossible, "I know no time zone %q.", "没有“%s”这个时区。", said)
		d.suggest("every day at 09:00 Europe/Berlin", "北京时间每天上午九点")
	case d.zoneSaid && name != d.zone.String():
		d.fail(Ambiguous, "That names two time zones.", "说了两个时区。")
	default:
		d.zone, d.zoneSaid = zone, true
		d.now = d.now.In(zone)
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
	for _, zone := range shared[m.text("zone")] {
		d.fault.suggest("every day at 09:00 " + zone)
	}
}
