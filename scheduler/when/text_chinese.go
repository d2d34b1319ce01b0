package when

import (
	"fmt"
	"strings"
	"time"
)

var (
	chineseDayNames = [...]string{"日", "一", "二", "三", "四", "五", "六"}
	chineseOrdinals = [...]string{"最后一个", "第一个", "第二个", "第三个", "第四个", "第五个"}
	chineseUnits    = map[unit]string{second: "秒", minute: "分钟", hour: "小时"}
)

type inChinese struct{}

func (inChinese) once(at time.Time) string {
	layout := "15:04"
	if at.Second() != 0 {
		layout = "15:04:05"
	}
	return fmt.Sprintf("一次：%d年%d月%d日（周%s）%s", at.Year(), at.Month(), at.Day(), chineseDayNames[at.Weekday()], at.Format(layout))
}

func (inChinese) interval(n int64, u unit) string {
	if n == 1 {
		return "每" + chineseUnits[u]
	}
	return fmt.Sprintf("每%d%s", n, chineseUnits[u])
}

func (inChinese) clocks(times []clock) string { return strings.Join(clockTexts(times), "、") }

func (z inChinese) window(minutes int, from, to clock) string {
	n, u := inUnits(int64(minutes) * 60)
	return fmt.Sprintf("%s到%s%s", from, to, z.interval(n, u))
}

func (inChinese) pastHour(m int) string { return fmt.Sprintf("每小时第%d分钟", m) }

func (z inChinese) days(d sayDays) string {
	var texts []string
	if !d.rule.anyMonthday {
		texts = append(texts, z.months(d)+strings.Join(z.monthdays(d.rule), "、"))
	}
	if !d.rule.anyWeekday {
		texts = append(texts, z.weekdays(d))
	}
	if len(texts) == 0 && len(d.months) > 0 {
		texts = append(texts, z.months(d)+"每天")
	}
	text := strings.Join(texts, "或")
	if d.step.N <= 1 {
		if text == "" {
			return "每天"
		}
		return text
	}
	n, u := d.step.inYears()
	step := fmt.Sprintf("每%d%s", n, map[string]string{"day": "天", "week": "周", "month": "个月", "year": "年"}[u])
	if text == "" {
		return step
	}
	return step + "，" + text
}

func (inChinese) monthdays(r dayRule) []string {
	var texts []string
	for _, n := range bitsOf(r.monthdays) {
		texts = append(texts, itoa(n)+"号")
	}
	for _, n := range bitsOf(r.nearest) {
		if n == 1 {
			texts = append(texts, "第一个工作日")
			continue
		}
		texts = append(texts, fmt.Sprintf("离%d号最近的工作日", n))
	}
	for _, n := range bitsOf(r.beforeLast) {
		if n == 0 {
			texts = append(texts, "最后一天")
			continue
		}
		texts = append(texts, fmt.Sprintf("倒数第%d天", n+1))
	}
	if r.lastWorking {
		texts = append(texts, "最后一个工作日")
	}
	return texts
}

// months says of which months the days are.
func (inChinese) months(d sayDays) string {
	switch {
	case len(d.months) > 0:
		var names []string
		for _, m := range d.months {
			names = append(names, itoa(m)+"月")
		}
		return "每年" + strings.Join(names, "、")
	case d.step.Unit == Month && d.step.N > 1:
		return ""
	}
	return "每月"
}

func (z inChinese) weekdays(d sayDays) string {
	var texts []string
	switch plain := bitsOf(d.rule.weekdays); list(plain) {
	case "":
	case "1,2,3,4,5":
		texts = append(texts, "每个工作日")
	default:
		var names []string
		for _, w := range zeroLast(plain) {
			names = append(names, "周"+chineseDayNames[w])
		}
		each := "每"
		if d.step.N > 1 {
			each = ""
		}
		texts = append(texts, each+strings.Join(names, "、"))
	}
	ordinals := false
	for w, bits := range d.rule.ordinals {
		for _, n := range zeroLast(bitsOf(bits)) {
			nth := ""
			if before, ok := beforeLast(n); ok {
				nth = "倒数" + chineseOrdinals[before+1]
			} else {
				nth = chineseOrdinals[n]
			}
			texts = append(texts, nth+"周"+chineseDayNames[w])
			ordinals = true
		}
	}
	text := strings.Join(texts, "、")
	if ordinals || len(d.months) > 0 && d.rule.anyMonthday {
		text = z.months(d) + text
	}
	return text
}

func (inChinese) together(days, times string) string { return days + times }

func (inChinese) both(lines []string) string { return strings.Join(lines, "；") }

func (inChinese) from(day time.Time) string {
	return fmt.Sprintf("，从%d年%d月%d日起", day.Year(), day.Month(), day.Day())
}

func (inChinese) until(at time.Time) string {
	return fmt.Sprintf("，到%d年%d月%d日%s为止", at.Year(), at.Month(), at.Day(), at.Format("15:04"))
}

func (inChinese) zone(name string) string { return "（" + name + "）" }
