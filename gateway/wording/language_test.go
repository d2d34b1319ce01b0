package wording_test

import (
	"testing"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/wording"
	"talaria/storage/teststore"
)

func TestALanguageIsWhatAPersonToldElseWritesElseWhatTheirPlatformSays(t *testing.T) {
	says := func(text string) chat.Event { return chat.Event{Kind: chat.Message, Origin: chat.Member, Text: text} }
	calls := func(args string) chat.Event {
		return chat.Event{Kind: chat.Command, Command: &chat.CommandCall{Name: "x", Args: args}}
	}
	on := func(platform string, e chat.Event) chat.Event { e.Author.Language = platform; return e }
	forwarded := says("请看这个")
	forwarded.Forwarded = true
	for _, c := range []struct {
		what string
		told string
		said []chat.Event // the last of them is answered
		want wording.Language
	}{
		{"nothing", "", []chat.Event{calls("")}, wording.English},
		{"the platform", "", []chat.Event{on("zh-Hans", calls(""))}, wording.Chinese},
		{"another platform", "", []chat.Event{on("de", calls(""))}, wording.English},
		{"a verb of a command", "", []chat.Event{on("zh-CN", calls("delete the first one"))}, wording.Chinese},
		{"Chinese after a command", "", []chat.Event{calls("add 周五发周报")}, wording.Chinese},
		{"a Chinese message", "", []chat.Event{says("帮我看看 report.pdf")}, wording.Chinese},
		{"an English message", "", []chat.Event{on("zh", says("please look at the report"))}, wording.English},
		{"a short word", "", []chat.Event{on("zh", says("ok"))}, wording.Chinese},
		{"Japanese", "", []chat.Event{says("今日は何をしますか")}, wording.English},
		{"another's words", "", []chat.Event{forwarded}, wording.English},
		{"what was written before", "", []chat.Event{says("你好"), calls("")}, wording.Chinese},
		{"what was written last", "", []chat.Event{says("你好"), says("and now in English again"), calls("")}, wording.English},
		{"a short question after a Chinese message", "", []chat.Event{says("你好"), says("what is 2+2?"), calls("")}, wording.English},
		{"a name after a Chinese message", "", []chat.Event{says("你好"), says("report.pdf"), calls("")}, wording.Chinese},
		{"an assent after a Chinese message", "", []chat.Event{says("你好"), says("OK!"), calls("")}, wording.Chinese},
		{"what they told", "English", []chat.Event{on("zh", says("你好")), calls("")}, wording.English},
		{"what they told in Chinese", "中文", []chat.Event{says("an English message")}, wording.Chinese},
		{"a language of neither", "German", []chat.Event{on("zh", calls(""))}, wording.English},
	} {
		store, who := teststore.Memory(t), person.Principal{Person: "p"}
		if c.told != "" {
			if err := person.ChangeSettings(t.Context(), store, who, func(v *person.Settings) { v.Language = c.told }); err != nil {
				t.Fatal(err)
			}
		}
		var got wording.Language
		for _, e := range c.said {
			ctx, err := wording.For(t.Context(), store, who, e)
			if err != nil {
				t.Fatal(err)
			}
			got = wording.In(ctx)
		}
		if got != c.want {
			t.Errorf("by %s it is %q, want %q", c.what, got, c.want)
		}
	}
}

func TestWhatHasNoChineseTextIsSaidInEnglish(t *testing.T) {
	if got := wording.Chinese.Text("no such text: %d", 3); got != "no such text: 3" {
		t.Errorf("said %q", got)
	}
	if got := wording.Text(t.Context(), "Stopped %d requests.", 1200); got != "Stopped 1200 requests." {
		t.Errorf("said %q", got)
	}
}

func TestATextIsInTheLanguageOfMostOfItsLetters(t *testing.T) {
	for text, want := range map[string]wording.Language{
		"": wording.English, "42": wording.English, "Done: 周报.md is written.": wording.English,
		"已写好 report.pdf，请看。": wording.Chinese, "好的": wording.Chinese,
	} {
		if got := wording.LanguageOf(text); got != want {
			t.Errorf("%q is in %q", text, got)
		}
	}
}
