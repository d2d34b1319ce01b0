package when

import (
	"strings"
)

func chineseRepeats() []rule {
	return []rule{
		read(`每个?|每逢|逢`, "every", flag(func(d *draft) { d.recurring = true })),
		read(`每一?(?:天|日)|天天|日日`, "repeat", flag(func(d *draft) { d.addEvery(1, day) })),
		read(`每(?:天|日)?(?P<part>早|晚|夜)`, "repeat", func(d *draft, m groups) {
			d.addEvery(1, day)
			d.part = chinesePart(m.text("part"))
		}).but(`上|间|晨|晚|中|里`),
		read(`每一?个?{周}`, "repeat", flag(func(d *draft) { d.addEvery(1, week) })),
		read(`每一?个?{周}的?(?:{周})?(?P<day>[一二三四五六日天](?:[,和及与]?{周}?[一二三四五六日天])*)`, "repeat", func(d *draft, m groups) {
			d.addEvery(1, week)
			takeChineseWeekdays(d, m)
		}).but(`[点时十个天小分:月号\d]`),
		read(`每一?个?{周}(?P<day>[一二三四五六日天])`, "repeat", func(d *draft, m groups) {
			d.addEvery(1, week)
			takeChineseWeekdays(d, m)
		}),
		read(`每一?个?{周}(?P<day>[1-7])`, "repeat", func(d *draft, m groups) {
			d.addEvery(1, week)
			takeChineseWeekdays(d, m)
		}).but(`[\d:点时个天小分次]`),
		read(`每一?个?月|月月`, "repeat", flag(func(d *draft) { d.addEvery(1, month) })),
		read(`每一?个?季度?|每季`, "repeat", flag(func(d *draft) { d.recurring, d.quarter = true, true })),
		read(`每一?年|年年`, "repeat", flag(func(d *draft) { d.addEvery(1, year) })),
		read(`每一?个?(?:小时|钟头)`, "repeat", flag(func(d *draft) { d.addEvery(1, hour) })),
		read(`每一?(?:分钟|分)`, "repeat", flag(func(d *draft) { d.addEvery(1, minute) })),
		read(`每一?秒钟?`, "repeat", flag(func(d *draft) { d.addEvery(1, second) })),
		read(`(?P<len>{长})一次`, "repeat", takeChineseEvery),
		read(`每?隔(?:一)?(?P<u>天|日|周|星期|礼拜|个月|月|年)|每?隔一个(?P<v>星期|礼拜|月|小时)|每?双(?P<w>周)`, "repeat", func(d *draft, m groups) {
			name := strings.TrimPrefix(m.text("u")+m.text("v")+m.text("w"), "个")
			n := 2
			if name == "小时" {
				n = 1
			}
			d.addEvery(n, chineseUnitOf(name))
		}),
		read(`每?(?:隔|双){周}(?P<day>[一二三四五六日天])`, "repeat", func(d *draft, m groups) {
			d.addEvery(2, week)
			takeChineseWeekdays(d, m)
		}).but(`[个次]`),
		read(`每隔?(?P<len>{长})`, "repeat", takeChineseEvery),
		read(`(?:每?隔|每间隔|间隔)(?P<len>{长})`, "repeat", takeChineseEvery),
		read(`每?(?P<u>天|日|周|星期|月)(?P<n>{n})次`, "repeat", func(d *draft, m groups) {
			d.addEvery(1, chineseUnitOf(m.text("u")))
			d.times = chineseNumber(m.text("n"))
		}),
		read(`(?:一天|一日|每天)(?P<n>{n})次`, "repeat", func(d *draft, m groups) {
			d.addEvery(1, day)
			d.times = chineseNumber(m.text("n"))
		}),
	}
}

// takeChineseEvery reads 每十五分钟 and 每隔一个半小时.
func takeChineseEvery(d *draft, m groups) {
	terms := chineseTerm.FindAllStringSubmatch(m.text("len"), -1)
	t := terms[0]
	if len(terms) == 1 && t[1] == "" && t[2] != "" && !strings.Contains(t[3], "半") && t[5] == "" {
		n, u := chineseNumber(t[2]), chineseUnitOf(t[4])
		switch {
		case t[4] == "刻钟":
			n *= 15
		case u == quarter:
			n, u = n*3, month
		}
		d.addEvery(n, u)
		return
	}
	d.measureChinese(m.text("len"))
	d.everyLength()
}
