package zone

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

// Chinese are cities and countries by their Chinese names.
var Chinese = map[string]string{
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

// countries have one zone, or one that is meant if no other is said. UTC is
// nobody's.
var countries = map[string]string{
	"south korea": "Asia/Seoul", "vietnam": "Asia/Ho_Chi_Minh", "thailand": "Asia/Bangkok", "spain": "Europe/Madrid",
	"austria": "Europe/Vienna", "poland": "Europe/Warsaw", "sweden": "Europe/Stockholm", "ukraine": "Europe/Kyiv",
	"turkey": "Europe/Istanbul", "egypt": "Africa/Cairo", "south africa": "Africa/Johannesburg", "kenya": "Africa/Nairobi",
	"nigeria": "Africa/Lagos", "brazil": "America/Sao_Paulo", "argentina": "America/Argentina/Buenos_Aires",
	"new zealand": "Pacific/Auckland", "utc": "UTC", "gmt": "UTC",
}
