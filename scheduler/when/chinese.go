package when

import "slices"

// chineseRules are tried at each character; the longest match wins, and the
// first of equally long ones.
func chineseRules() []rule {
	return slices.Concat(chineseFillers(), chineseClocks(), chineseDays(), chineseWeekdayRules(), chineseDateRules(),
		chineseMonthdayRules(), chineseLengthRules(), chineseRepeats())
}

func chineseFillers() []rule {
	return []rule{
		read(`[的在于和及与都就请再各钟整,.!~]|一次|一下|准时|左右|大约|大概|当地时间|本地时间|我的时间|的时候|时候|每次`, "", filler),
		read(`从|自`, starting, filler),
		read(`直到|截至|截止到|到|至`, until, filler),
		read(`开始|起|为止|止`, "", filler),
		read(`今天|今日`, "day", flag(func(d *draft) { d.dayShift, d.today = some(0), true })),
	}
}

const chineseClock = `(?P<part>{段})?(?:(?P<h>{n})(?:点钟|点整|点|时整|时)(?:过?(?P<half>半)|过?(?P<q>[一1三3])刻|过?(?P<m>{n})分?)?|(?P<h2>\d{1,2}):(?P<m2>\d\d)(?::\d\d)?)`
