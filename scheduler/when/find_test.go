package when_test

import (
	"testing"

	"talaria/scheduler/when"
)

func TestSchedulesAreFoundInSentences(t *testing.T) {
	zone, now := madrid(t)
	for _, tt := range []struct{ text, next, task string }{
		{"Remind me every Thursday at 6 pm to water Anna's plants", "27-05-13 18:00, 27-05-20 18:00, 27-05-27 18:00", "water Anna's plants"},
		{"remind me in 40 minutes to move the car", "once 27-05-12 15:00", "move the car"},
		{"Please remind us tomorrow at 9:30 about the stand-up", "once 27-05-13 09:30", "the stand-up"},
		{"summarise the open tickets every weekday at 8", "27-05-13 08:00, 27-05-14 08:00, 27-05-17 08:00", "summarise the open tickets"},
		{"every Monday, remind me at 7am to run", "27-05-17 07:00, 27-05-24 07:00, 27-05-31 07:00", "run"},
		{"at 7am, remind me to run every Monday", "27-05-17 07:00, 27-05-24 07:00, 27-05-31 07:00", "run"},
		{"every Friday at 4pm remind me to prepare the Monday meeting", "27-05-14 16:00, 27-05-21 16:00, 27-05-28 16:00", "prepare the Monday meeting"},
		{"check the backups on the first Monday of each month at 10", "27-06-07 10:00, 27-07-05 10:00, 27-08-02 10:00", "check the backups"},
		{"ping me about the oven in half an hour", "once 27-05-12 14:50", "the oven"},
		{"remind me to prepare the noon meeting tomorrow at 10", "once 27-05-13 10:00", "prepare the noon meeting"},
		{"summarise the last 24 hours every morning at 7", "27-05-13 07:00, 27-05-14 07:00, 27-05-15 07:00", "summarise the last 24 hours"},
		{"汇总过去24小时的消息，每天早上七点", "27-05-13 07:00, 27-05-14 07:00, 27-05-15 07:00", "汇总过去24小时的消息"},
		{"remind me to book the midnight train every Friday at 5pm", "27-05-14 17:00, 27-05-21 17:00, 27-05-28 17:00", "book the midnight train"},
		{"every day at 17:00 for the next 2 days remind me to stretch", "27-05-12 17:00, 27-05-13 17:00", "stretch"},
		{"未来三天每天早上九点提醒我喝水", "27-05-13 09:00, 27-05-14 09:00, 27-05-15 09:00", "喝水"},
		{"每周四下午六点提醒我浇花", "27-05-13 18:00, 27-05-20 18:00, 27-05-27 18:00", "浇花"},
		{"提醒我明天上午九点半给客户打电话", "once 27-05-13 09:30", "给客户打电话"},
		{"40分钟后叫我关火", "once 27-05-12 15:00", "关火"},
		{"请每个工作日早上八点汇总未处理的工单", "27-05-13 08:00, 27-05-14 08:00, 27-05-17 08:00", "汇总未处理的工单"},
		{"每周一提醒我早上七点跑步", "27-05-17 07:00, 27-05-24 07:00, 27-05-31 07:00", "跑步"},
	} {
		s, task, ok := when.Find(tt.text, zone, now)
		if !ok {
			t.Errorf("%q: nothing found", tt.text)
			continue
		}
		if got := shown(s, now); got != tt.next || task != tt.task {
			t.Errorf("%q = %q at %s, want %q at %s", tt.text, task, got, tt.task, tt.next)
		}
	}
}

func TestNoScheduleIsFoundWhereThereIsNone(t *testing.T) {
	zone, now := madrid(t)
	for _, text := range []string{
		"", "what is the capital of France?", "remind me to call Bob", "the meeting was yesterday at 9",
		"remind me sometime to clean up", "三国演义的作者是谁", "提醒我交房租",
	} {
		if s, task, ok := when.Find(text, zone, now); ok {
			t.Errorf("%q = %q %s", text, task, s.Text(when.English))
		}
	}
}
