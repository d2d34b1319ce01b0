package text

import "strings"

// talk are words by which people ask for what was said, and that tell nothing
// of what it was about.
var talk = set(`say says said saying tell told telling talk talked talking speak spoke spoken discuss discussed mention mentioned
	ask asked chat chatted conversation conversations message messages find search look show anything something everything
	please again ever`)

// talkRuns are the same in scripts without spaces, with the words that only
// build a sentence, longer ones first.
var talkRuns = strings.NewReplacer(runs(`
	有没有 有沒有 是不是 什么时候 什麼時候 为什么 為什麼 我们 我們 你们 你們 他们 他們 咱们 什么 什麼 怎么 怎麼 哪些 哪个 哪個 关于 關於 一下
	说过 說過 聊过 聊過 谈过 談過 提过 提過 提到 讲过 講過 讨论 討論 记得 記得 告诉 告訴 请问 請問 事情 内容 查找 搜索 搜一下
	说 說 聊 谈 談 讲 講 过 過 的 了 吗 嗎 呢 吧 我 你 他 她 它 是 在 和 跟 与 與 谁 誰 对 對 把 被 都 还 還 又 那 这 這 有 会 會
	について について何 でした です ました ます 何を 何 を は が の に で と も か`)...)

// runs are pairs for a replacer that puts a blank for each word of a list.
func runs(list string) (pairs []string) {
	for _, w := range strings.Fields(list) {
		pairs = append(pairs, w, " ")
	}
	return pairs
}

// Content is what of a question about earlier conversations stands for what is
// looked for: without words that ask, and that call it a conversation.
func Content(s string) string {
	var b strings.Builder
	for piece, script := range Pieces(s) {
		switch {
		case script:
			b.WriteString(talkRuns.Replace(piece))
		case !talk[piece]:
			b.WriteString(piece)
		}
		b.WriteByte(' ')
	}
	return b.String()
}
