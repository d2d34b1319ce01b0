package wording

// terminal is what a terminal says by itself.
var terminal = map[string]string{
	"Talaria. /help lists what I can do; Ctrl-C stops an answer, Ctrl-D leaves.": "Talaria。用 /帮助 查看我能做什么；Ctrl-C 停止回答，Ctrl-D 离开。",
	"Ctrl-C again to leave":                                                         "再按一次 Ctrl-C 离开",
	"stopping; Ctrl-C again to leave":                                               "正在停止；再按一次 Ctrl-C 离开",
	"leaving after this answer; Ctrl-D again to leave now":                          "回答完就离开；再按一次 Ctrl-D 立即离开",
	"No button has the number %s; type one from %d to %d, or what you want to say.": "没有编号为 %s 的按钮；请输入 %d 到 %d 之间的编号，或者直接说你想说的。",
	"I could not keep this message, so nothing comes of it. Please send it again (the arrow up brings it back). %s": "这条消息没能保存，所以不会有结果。请再发一次（按上箭头可以找回）。%s",
}
