package when

import (
	"regexp"
	"strconv"
	"strings"
)

func chineseDays() []rule {
	return []rule{
		read(`明天|明日|明儿`, "day", flag(func(d *draft) { d.dayShift = some(1) })),
		read(`后天|后日`, "day", flag(func(d *draft) { d.dayShift = some(2) })),
		read(`下一?个(?:工作日|上班日)`, "day", flag(nextWorking)),
		read(`大后天`, "day", flag(func(d *draft) { d.dayShift = some(3) })),
		read(`(?P<day>今|明|后|当)(?P<part>早|晚|夜)`, "day", func(d *draft, m groups) {
			d.dayShift = some(map[string]int{"今": 0, "当": 0, "明": 1, "后": 2}[m.text("day")])
			d.today = d.dayShift.n == 0
			d.part = chinesePart(m.text("part"))
		}),
		read(`昨天|昨日|昨晚|昨夜|前天|大前天|前晚|上个?{周}[一二三四五六日天末]?|上个?月|去年|刚才|刚刚`, "day", flag(past)),
	}
}

// chineseWeekdayRules are for days of the week.
func chineseWeekdayRules() []rule {
	return []rule{
		read(`{周}(?P<day>[一二三四五六日天])`, "weekday", takeChineseWeekdays),
		read(`{周}(?P<day>[1-7])`, "weekday", takeChineseWeekdays).but(`[\d:点时个天小分]`),
		read(`{周}(?P<day>[一二三四五六日天](?:[,和及与]?{周}?[一二三四五六日天])+)`, "weekday", takeChineseWeekdays).but(`[点时十个天小分:月号\d]`),
		read(`(?:从|每)?个?{周}(?P<a>[一二三四五六日天1-7])(?:到|至|-|~){周}?(?P<b>[一二三四五六日天1-7])`, "weekday", func(d *draft, m groups) {
			d.recurring = true
			d.addRange(chineseWeekday([]rune(m.text("a"))[0]), chineseWeekday([]rune(m.text("b"))[0]))
		}).but(`[点时]`),
		read(`每?个?(?:工作日|平日|平时|上班日)`, "weekday", flag(func(d *draft) {
			d.recurring = true
			d.addWeekdays(1, 2, 3, 4, 5)
		})),
		read(`每?个?(?:周末|双休日|周六日|周六周日)`, "weekday", flag(func(d *draft) {
			d.recurring = true
			d.addWeekdays(6, 0)
		})),
		read(`除了?(?P<days>(?:{周}[一二三四五六日天末](?:[,和及与]?{周}?[一二三四五六日天])*))(?:以外|之外|外)?`, "weekday", func(d *draft, m groups) {
			d.recurring = true
			for _, r := range m.text("days") {
				switch {
				case r == '末':
					d.except |= 1<<6 | 1
				case strings.ContainsRune("一二三四五六日天", r):
					d.except |= 1 << chineseWeekday(r)
				}
			}
		}),
		read(`(?:这个?|本|下个?)(?:周末|个?双休日)`, "vague", flag(func(d *draft) {
			d.fail(Vague, "Saturday or Sunday, and when?", "周六还是周日，几点？")
			d.suggest("this Saturday at 10:00", "this Sunday at 10:00", "本周六上午十点", "本周日上午十点")
		})),
		read(`(?P<days>{周}[一二三四五六日天](?:[,和及与]?{周}?[一二三四五六日天])*)(?:除外|不算|不用|休息)`, "weekday", func(d *draft, m groups) {
			d.recurring = true
			for _, r := range m.text("days") {
				if strings.ContainsRune("一二三四五六日天", r) {
					d.except |= 1 << chineseWeekday(r)
				}
			}
		}),
		read(`(?P<rel>这个?|本|下下个?|下个?){周}(?P<day>[一二三四五六日天])?`, "weekday", func(d *draft, m groups) {
			d.weekShift = some(map[string]int{"这": 0, "本": 0, "下": 1, "下下": 2}[strings.TrimSuffix(m.text("rel"), "个")])
			if day := m.text("day"); day != "" {
				d.addWeekdays(chineseWeekday([]rune(day)[0]))
			}
		}),
	}
}

// chineseDateRules are for months and dates.
func chineseDateRules() []rule {
	return []rule{
		read(`(?P<rel>这个?|本|下下个?|下个?)月`, "month", func(d *draft, m groups) {
			d.monthShift = some(map[string]int{"这": 0, "本": 0, "下": 1, "下下": 2}[strings.TrimSuffix(m.text("rel"), "个")])
		}),
		read(`(?P<year>\d{4}|[一二]?[零〇一二三四五六七八九]{4}|今|明|后)年(?P<m>{n})月(?P<day>{n})[号日]?`, "date", takeChineseDate),
		read(`(?P<m>{n})月(?P<day>{n})[号日]?`, "date", takeChineseDate).but(`[:点时]`),
		read(`(?P<m>{n})月(?P<day>\d{1,2})`, "date", takeChineseDate).but(`[点时]`),
		read(`(?P<year>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<day>\d{1,2})t?`, "date", takeChineseDate),
		read(`(?P<m>\d{1,2})/(?P<day>\d{1,2})`, "date", takeChineseDate),
		read(`(?P<list>(?:{n}月[,和及与])+{n}月)(?:(?P<day>{n})[号日])?`, "month", func(d *draft, m groups) {
			for _, name := range chineseSplit(m.text("list")) {
				d.addMonth(chineseNumber(strings.TrimSuffix(name, "月")))
			}
			if day := m.text("day"); day != "" {
				d.addMonthday(chineseNumber(day))
			}
		}),
		read(`(?P<m>{n})月份?`, "month", func(d *draft, m groups) { d.addMonth(chineseNumber(m.text("m"))) }),
	}
}

// chineseMonthdayRules are for days of months, and the days that have a name.
func chineseMonthdayRules() []rule {
	return []rule{
		read(`(?P<list>(?:{n}[号日]?[,和及与])+)(?P<n>{n})[号日]`, "monthday", func(d *draft, m groups) {
			for _, n := range chineseSplit(m.text("list") + m.text("n")) {
				d.addMonthday(chineseNumber(strings.TrimRight(n, "号日")))
			}
		}),
		read(`(?P<n>{n})[号日]?(?:到|至|-|~)(?P<o>{n})[号日]`, "monthday", func(d *draft, m groups) {
			d.addMonthdays(chineseNumber(m.text("n")), chineseNumber(m.text("o")))
		}),
		read(`(?P<n>{n})[号日]`, "monthday", func(d *draft, m groups) { d.addMonthday(chineseNumber(m.text("n"))) }),
		read(`第一天|首日|月初第一天|1号`, "monthday", flag(func(d *draft) { d.addMonthday(1) })),
		read(`月?(?:最后[一1]天|最后[一1]日|底|末)`, "monthday", flag(func(d *draft) { d.days = append(d.days, "L") })),
		read(`月?(?:最后一天|底|末)的?前一天`, "monthday", flag(func(d *draft) { d.addLastDay(2) })),
		read(`倒数第(?P<n>{n})[天日]`, "monthday", func(d *draft, m groups) { d.addLastDay(chineseNumber(m.text("n"))) }),
		read(`(?:最后一个|最末一个)工作日`, "monthday", flag(func(d *draft) { d.days = append(d.days, "LW") })),
		read(`(?:第一个|首个)工作日`, "monthday", flag(func(d *draft) { d.days = append(d.days, "1W") })),
		read(`(?:第(?P<n>{n})|(?P<last>最后一)|(?P<first>首))个?{周}(?P<day>[一二三四五六日天])`, "ordinal", func(d *draft, m groups) {
			n := chineseNumber(m.text("n"))
			if m.text("last") != "" {
				n = -1
			} else if m.text("first") != "" {
				n = 1
			}
			d.addOrdinal(n, chineseWeekday([]rune(m.text("day"))[0]))
		}),
		read(`(?P<list>(?:第{n}个?[,和及与])+)(?:第(?P<n>{n})|(?P<last>最后一))个?{周}(?P<day>[一二三四五六日天])`, "ordinal", func(d *draft, m groups) {
			weekday := chineseWeekday([]rune(m.text("day"))[0])
			for _, n := range chineseSplit(strings.Trim(m.text("list"), ",和及与")) {
				d.addOrdinal(chineseNumber(strings.TrimSuffix(strings.TrimPrefix(n, "第"), "个")), weekday)
			}
			if m.text("last") != "" {
				d.addOrdinal(-1, weekday)
				return
			}
			d.addOrdinal(chineseNumber(m.text("n")), weekday)
		}),
		read(`倒数第(?P<n>{n})个?{周}(?P<day>[一二三四五六日天])`, "ordinal", func(d *draft, m groups) {
			d.addOrdinal(-chineseNumber(m.text("n")), chineseWeekday([]rune(m.text("day"))[0]))
		}),
		holiday(`元旦节?`, 1, 1),
		holiday(`劳动节|五一`, 5, 1),
		holiday(`国庆节?|十一(?:国庆)`, 10, 1),
		holiday(`儿童节|六一`, 6, 1),
		holiday(`圣诞节?`, 12, 25),
		holiday(`平安夜`, 12, 24),
		holiday(`情人节`, 2, 14),
		read(`春节|除夕|中秋节?|端午节?|元宵节?|清明节?|农历|阴历|初[一二三四五六七八九十]`, "date", flag(func(d *draft) {
			d.fail(Vague, "I do not know the lunar calendar.", "我不懂农历，请说公历日期。")
		})),
	}
}

// holiday is a day that has a name, of a year that may be said.
func holiday(names string, month, day int) rule {
	return read(`(?:(?P<year>今|明|后)年的?)?(?:`+names+`)`, "date", func(d *draft, m groups) {
		d.addDate(d.chineseYear(m.text("year")), month, day)
	})
}

// chineseLengthRules are for lengths of time, and for what is no time at all.
func chineseLengthRules() []rule {
	return []rule{
		read(`(?P<len>{长})(?:钟)?(?:之后|以后|后)`, "length", takeChineseLength),
		read(`(?:再?过|再等)(?P<len>{长})(?:之后|以后|后)?`, "length", takeChineseLength),
		read(`(?P<len>{长})(?:之前|以前|前)`, "length", flag(past)),
		read(`(?:过去|最近|近)的?{长}`, subject, filler),
		read(`(?:在?未来|在?接下来)的?(?P<len>{长})内?`, "bound", func(d *draft, m groups) {
			d.lasting(func(b *draft) { b.measureChinese(m.text("len")) })
		}).but(`的`),
		read(`(?P<len>{长})`, "bare", func(d *draft, m groups) { d.measureChinese(m.text("len")) }),
		read(`改天|改日|回头|有空|有时间|得闲|过几天|过两天|过些天|过会儿?|过一会儿?|几(?:个)?(?:分钟|小时|天|周|月)(?:后|之后|以后)?|稍后|稍等|一会儿?|待会儿?|等会儿?|等一下|以后|尽快|马上|有时候?|偶尔|经常|定期|不时|不久|近期|最近|找时间|某天|某个时候|随便|随时|晚点|早点|半天后?|将来|下次|时不时|隔三差五`, "vague", flag(vague)),
		read(`下班前?|下班后|收工|一天结束时?|今天结束前?`, "vague", flag(func(d *draft) {
			d.fail(Vague, "When does the working day end?", "几点下班？")
			d.suggest("today at 17:00", "today at 18:00", "今天17:00", "今天18:00")
		})),
	}
}

func takeChineseWeekdays(d *draft, m groups) {
	for _, r := range m.text("day") {
		if strings.ContainsRune("一二三四五六日天1234567", r) {
			d.addWeekdays(chineseWeekday(r))
		}
	}
	// 周五 by itself is every Friday: the one to come is called 这周五 or 本周五.
	d.plain = true
}

func takeChineseDate(d *draft, m groups) {
	d.addDate(d.chineseYear(m.text("year")), chineseNumber(m.text("m")), chineseNumber(m.text("day")))
}

// chineseYear is 0 where none was said.
func (d *draft) chineseYear(text string) int {
	switch text {
	case "":
		return 0
	case "今", "明", "后":
		return d.now.Year() + map[string]int{"今": 0, "明": 1, "后": 2}[text]
	}
	return chineseNumber(text)
}

func takeChineseLength(d *draft, m groups) {
	d.measureChinese(m.text("len"))
	d.after = true
}

var chineseTerm = regexp.MustCompile(words.Replace(`(?:(\d{1,7}\.\d)|({n}))?(个?半个?|个)?({量})(半)?`))

// measureChinese adds up 一个半小时, 1小时30分钟, 两天半.
func (d *draft) measureChinese(text string) {
	d.oneLength()
	for _, m := range chineseTerm.FindAllStringSubmatch(text, -1) {
		amount := 0.0
		if m[1] != "" {
			amount, _ = strconv.ParseFloat(m[1], 64) // the pattern lets only numbers through
		} else if m[2] != "" {
			amount = float64(chineseNumber(m[2]))
		}
		if strings.Contains(m[3], "半") || m[5] != "" {
			amount += 0.5
		}
		if amount <= 0 {
			d.fail(Impossible, "That is no length of time.", "这不是一段时间。")
			d.suggest("in 10 minutes", "10分钟后")
			return
		}
		if m[4] == "刻钟" {
			amount *= 15
		}
		d.addLength(amount, chineseUnitOf(m[4]))
	}
}

func chineseUnitOf(name string) unit {
	switch name {
	case "秒", "秒钟":
		return second
	case "分", "分钟", "刻钟":
		return minute
	case "小时", "钟头":
		return hour
	case "天", "日":
		return day
	case "周", "星期", "礼拜":
		return week
	case "月":
		return month
	case "季度":
		return quarter
	}
	return year
}
