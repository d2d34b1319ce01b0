package briefing

import "testing"

// TestOnlyStatementsAreKept: what compaction drops is kept where it asks to be
// remembered, and what only begins like that is a question.
func TestOnlyStatementsAreKept(t *testing.T) {
	for message, want := range map[string]string{
		"remember that we deploy on Thursdays":      "we deploy on Thursdays",
		"Please remember I drink tea, ok?":          "I drink tea",
		"keep in mind that Ann is away, please":     "Ann is away",
		"remember who deploys: Ann":                 "who deploys: Ann",
		"remember when we deploy, tag the release":  "when we deploy, tag the release",
		"remember when deploying to tag it":         "when deploying to tag it",
		"from now on, answer in English":            "answer in English",
		"记住部署日是周四":                                  "部署日是周四",
		"请记住：我喜欢喝茶，好吗？":                             "我喜欢喝茶",
		"记住谁负责发布：安娜":                                "谁负责发布：安娜",
		"记得检查有没有多余的空格":                              "检查有没有多余的空格",
		"记住我喜欢什么颜色都行":                               "我喜欢什么颜色都行",
		"记住我们有好几个仓库":                                "我们有好几个仓库",
		"记住不管谁来发布都要打标签":                             "不管谁来发布都要打标签",
		"记住要这么做：先测试":                                "要这么做：先测试",
		"remember when we met?":                     "",
		"Remember when we met":                      "",
		"remember what our office is called?":       "",
		"remember our old office?":                  "",
		"remember how this is done":                 "",
		"记得我的生日吗？":                                  "",
		"记得我的生日吗":                                   "",
		"记得我的生日么。":                                  "",
		"记得我的生日呢？":                                  "",
		"记得部署日是不是周四":                                "",
		"记得我们有没有发布":                                 "",
		"记得我们的部署日是哪天":                               "",
		"记得谁负责发布":                                   "",
		"记住怎么做":                                     "",
		"remember, ok?":                             "",
		"we deploy on Thursdays, remember that one": "",
	} {
		if got, ok := asked(message); got != want || ok != (want != "") {
			t.Errorf("asked(%q) = %q, %t, want %q", message, got, ok, want)
		}
	}
}
