package text_test

import (
	"testing"

	"talaria/core/text"
)

func TestWhatHasTheWordsOfAQuestionWonders(t *testing.T) {
	for s, want := range map[string]bool{
		"when we met": true, "whether it rains": true, "我们的部署日是哪天": true, "我们有没有发布": true, "我的生日是几号": true,
		"when deploying, tag it": false, "we know what we do": false, "检查有没有多余的空格": false, "我什么都喜欢": false,
		"不管谁来发布都要打标签": false, "我们有好几个仓库": false, "部署日是周四": false, "": false,
	} {
		if got := text.Wonders(s); got != want {
			t.Errorf("Wonders(%q) = %t", s, got)
		}
	}
}
