package app_test

import (
	"strings"
	"testing"
)

const greetSkill = `---
name: greet-guests
description: Greets guests at the door. Use when somebody visits.
---

1. Say good morning.
2. Offer a seat.
`

// Tom's platform says that he speaks Chinese; of Eva it says nothing.
func TestPeopleAreAnsweredInTheirLanguage(t *testing.T) {
	w := newWorkspace(t)
	direct := w.Direct(tom)
	for _, c := range []struct{ line, want string }{
		{"help", "命令也可以用中文写"}, {"help memory", "我在这里记得什么"}, {"memroy", "你是想用 `/talaria memory` 吗"},
		{"status", "目前没有进行中的事"}, {"stop", "没有正在进行的事"}, {"usage", "每日额度"}, {"settings", "我会从你学习"},
		{"skills aprove x", "`/talaria skills` 没有 `aprove`"}, {"whoami language", "用法："}, {"forget us", "只删一条"}, {"export", "供阅读"},
	} {
		w.Slash(tom, direct, c.line)
		w.hear(direct, c.want)
	}
	w.Say(tom, direct, "/记忆 add 周五发周报")
	w.hear(direct, "记住了")
	w.Say(tom, direct, "/没有这个")
	w.hear(direct, "没有 `/没有这个` 这个命令")
	w.Say(tom, direct, "／技能")
	w.hear(direct, "这里还没有技能")

	w.Slash(tom, direct, "skills import\n"+greetSkill)
	card := w.hear(direct, "新技能")
	for _, b := range card.Buttons() {
		if b.Label == "批准" {
			w.Press(tom, direct, card.TS, b.ID)
		}
	}
	w.hear(direct, "已批准")

	own := w.Direct(eva)
	w.Slash(eva, own, "status")
	w.hear(own, "Nothing is running")
	w.Say(eva, own, "你好，你能做什么？")
	w.await("an answer", func() bool { return len(w.Sent(own)) == 2 && !w.Sent(own)[1].Streaming })
	w.Slash(eva, own, "status")
	w.hear(own, "目前没有进行中的事")
	w.Slash(eva, own, "whoami language English")
	w.hear(own, "What I know of you")
	w.Slash(eva, own, "stop")
	if m := w.hear(own, "Nothing was running"); strings.Contains(m.Text, "没有") {
		t.Errorf("in two languages: %s", m.Text)
	}
}
