package rehearsal_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestAQuestionIsNotKept: what asks is answered from what is known, or looked
// for, and what tells is kept.
func TestAQuestionIsNotKept(t *testing.T) {
	for say, kept := range map[string]string{
		"我们的部署日是哪天？": "", "我们的部署日是哪天": "", "我们的发布是周几呢": "", "我叫什么名字？": "", "我的生日是几号": "",
		"我们用不用 Redis": "", "我们用 Redis 吗？": "", "我们用 Redis？": "", "我的上司是谁": "", "我们的服务器在哪": "", "我住在多远的地方": "",
		"我们为什么用 Redis": "", "以后怎么发布": "", "记得我们的部署日是哪天吗？": "", "记住我们的部署日是哪天？": "", "还记得我喜欢喝什么吗": "",
		"we use Redis?": "", "our office is in Bergen?": "", "remember what our office is called?": "",

		"我们的部署日是周四": "我们的部署日是周四", "我什么都喜欢": "", "我喜欢什么颜色都行": "我喜欢什么颜色都行", "我喜欢好几种茶": "我喜欢好几种茶",
		"记住谁负责发布：安娜": "谁负责发布：安娜", "能记住我喜欢喝茶吗？": "我喜欢喝茶", "我们用 Redis，无论谁来发布": "我们用 Redis，无论谁来发布",
		"could you remember that I drink tea?": "I drink tea", "remember how to reach Ann: by phone": "how to reach Ann: by phone", "we use Redis": "we use Redis",
	} {
		calls, answer := talk(t, someWorld(), ask(say))
		got := ""
		for _, c := range calls {
			if strings.HasPrefix(c, "memory ") {
				got = c
			}
		}
		if kept == "" && got != "" || !strings.Contains(got, kept) || kept != "" && !strings.Contains(got, fmt.Sprintf(`"text":%q}`, kept)) {
			t.Errorf("%q: kept %s, want %q; answered %s", say, got, kept, answer)
		}
	}
}

func TestAWayOfWorkingIsKeptInChinese(t *testing.T) {
	for say, lesson := range map[string]bool{
		"记住这是怎么做的": true, "记住怎么做的": true, "记住怎么做": true, "请记住我们是怎么做的。": true, "把这个过程记下来": true, "请把刚才的步骤都记住": true, "记住这个流程": true,
		"把这个做成一个技能": true, "以后都这样做": true, "学会这个流程吧": true, "make this a skill": true,
		"记住怎么做蛋糕：先打蛋": false, "记住流程图在墙上": false, "以后都用中文": false,
	} {
		if calls, answer := talk(t, someWorld(), ask(say)); strings.Contains(answer, "复盘") != lesson && strings.Contains(answer, "review") != lesson || lesson && len(calls) > 0 {
			t.Errorf("%q calls %v and is answered %q, want a lesson: %t", say, calls, answer, lesson)
		}
	}
}

func TestALetterThatWasQuotedIsGeneralised(t *testing.T) {
	_, calls := respond(t, review(`{"request":"write \"a\" to plan.txt","outcome":"success","gate":{"pass":true},
	 "turns":[{"asked":"write \"a\" to plan.txt","steps":[{"tool":"files_write","args":"{\"name\":\"plan.txt\",\"text\":\"a\"}","result":"written"}],"answered":"done"},
	 {"asked":"remember how this is done","answered":"yes"}]}`))
	if len(calls) != 1 || !strings.Contains(string(calls[0].Args), `write \"{text}\" to {file}`) {
		t.Errorf("%s", calls)
	}
}
