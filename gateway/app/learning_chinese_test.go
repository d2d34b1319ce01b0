package app_test

import "testing"

// TestTheWalkOfTheReadmeInChinese: what was done is kept by a word, approved by
// a button, and followed by the same wish in other words and by its name.
func TestTheWalkOfTheReadmeInChinese(t *testing.T) {
	t.Parallel()
	s := serve(t, "TALARIA_LEARNING_REFLECTION_QUIET=1s")
	s.Say(admin, admin, "记住我们的部署日是周四")
	hears(t, s, admin, "记住了：我们的部署日是周四")
	s.Say(admin, admin, "我们的部署日是哪天？")
	hears(t, s, admin, "(?s)我记得的是.*周四")
	s.Say(admin, admin, "/new")
	hears(t, s, admin, "重新开始")
	s.Say(admin, admin, "把“中午起航”写到 plan.txt，然后读 plan.txt，然后告诉我东京的时间")
	hears(t, s, admin, "(?s)中午起航.*Tokyo")
	s.Say(admin, admin, "记住这是怎么做的")
	hears(t, s, admin, "新技能：.{0,4}files-write-read-time-task")
	pressed(t, s, admin, admin, "批准")
	hears(t, s, admin, "已批准")
	s.Say(admin, admin, "请把“无风”写到 log.txt，读一下 log.txt，再告诉我东京现在几点")
	hears(t, s, admin, "(?s)我按技能.*files-write-read-time-task.*无风.*Tokyo")
	s.Say(admin, admin, "/files_write_read_time_task “黄昏划船”写到 notes.txt")
	hears(t, s, admin, "(?s)我按技能.*files-write-read-time-task.*黄昏划船.*Tokyo")
}
