package match_test

import (
	"testing"

	"talaria/core/skill/match"
)

func skillOf(name, description string) match.Skill {
	return match.Skill{Name: name, Description: description}
}

func TestTheSameAbilityInOtherWords(t *testing.T) {
	for _, c := range [][2]match.Skill{
		{skillOf("flight-finder", "Find cheap flights for given dates."), skillOf("cheap-flights", "Search for inexpensive flights on the dates that were given.")},
		{skillOf("photo-sort", "Sort photos into albums."), skillOf("picture-albums", "Sort pictures into albums.")},
		{skillOf("meeting-minutes", "Write the minutes of a meeting with decisions."), skillOf("会议纪要", "写会议纪要和决议。")},
		{skillOf("backup-db", "Back up the database every night."), skillOf("nightly-database-backup", "Make a backup of the database each night.")},
		{skillOf("expense-claims", "Collect receipts and fill in the expense claim."), skillOf("报销", "收集票据并填写报销单。")},
		{skillOf("Log Watch", "Watch the logs and alert on errors!"), skillOf("log-watch", "Watch the logs, and alert on errors.")},
	} {
		if s := match.Similarity(c[0], c[1]); s < match.Same {
			t.Errorf("%s and %s: %.2f, want the same", c[0].Name, c[1].Name, s)
		}
	}
}

func TestOppositesAndOtherObjectsAreAnother(t *testing.T) {
	for _, c := range [][2]match.Skill{
		{skillOf("import-contacts", "Import contacts from a CSV file."), skillOf("export-contacts", "Export contacts to a CSV file.")},
		{skillOf("encrypt-archive", "Encrypt an archive with a key."), skillOf("decrypt-archive", "Decrypt an archive with a key.")},
		{skillOf("french-to-italian", "Translate letters from French to Italian."), skillOf("italian-to-french", "Translate letters from Italian to French.")},
		{skillOf("ja2en", "Translate Japanese to English."), skillOf("ja2de", "Translate Japanese to German.")},
		{skillOf("telegram-digest", "Post a digest to Telegram."), skillOf("whatsapp-digest", "Post a digest to WhatsApp.")},
		{skillOf("webp-convert", "Convert pictures to webp."), skillOf("tiff-convert", "Convert pictures to tiff.")},
		{skillOf("json-to-yaml", "Convert JSON to YAML."), skillOf("yaml-to-json", "Convert YAML to JSON.")},
		{skillOf("enable-plugin", "Enable a plugin."), skillOf("disable-plugin", "Disable a plugin.")},
		{skillOf("日报", "每天生成销售日报。"), skillOf("月报", "每月生成销售月报。")},
		{skillOf("英译法", "把英文邮件翻译成法文。"), skillOf("法译英", "把法文邮件翻译成英文。")},
		{skillOf("上传附件", "上传附件到网盘。"), skillOf("下载附件", "从网盘下载附件。")},
		{skillOf("invite-guest", "Install the agent on a server."), skillOf("remove-guest", "Uninstall the agent from a server.")},
	} {
		if s := match.Similarity(c[0], c[1]); s >= match.Another {
			t.Errorf("%s and %s: %.2f, want another", c[0].Name, c[1].Name, s)
		}
		if a, b := match.Similarity(c[0], c[1]), match.Similarity(c[1], c[0]); a != b {
			t.Errorf("%s and %s: %v one way, %v the other", c[0].Name, c[1].Name, a, b)
		}
	}
}

func TestRequestsOfOneKindAreAlike(t *testing.T) {
	for _, c := range [][2]string{
		{"summarise yesterday's sales channel", "give me a summary of the sales channel of today"},
		{"check the deploy logs for errors", "look through the deployment logs, any errors?"},
		{"translate the contract into German", "please translate this agreement to German"},
		{"帮我写一下本周的周报", "生成这周的周报"},
		{"summarize my unread mail", "总结一下未读邮件"},
		{"book a meeting room for Tuesday 3pm", "reserve a conference room on Thursday morning"},
	} {
		if s := match.RequestSimilarity(c[0], c[1]); s < match.Alike {
			t.Errorf("%q and %q: %.2f, want alike", c[0], c[1], s)
		}
	}
	for _, c := range [][2]string{
		{"translate the contract into German", "translate the contract into French"},
		{"start the build server", "stop the build server"},
		{"check the deploy logs for errors", "deploy the new version"},
		{"find the cheapest flight to Rome", "what's the weather in Rome"},
		{"帮我写一下本周的周报", "帮我订一张去上海的机票"},
		{"and make it shorter", "book a flight to Rome"},
		{"", ""},
	} {
		if s := match.RequestSimilarity(c[0], c[1]); s >= match.Another {
			t.Errorf("%q and %q: %.2f, want another", c[0], c[1], s)
		}
	}
}

func TestCardsThatSayTheSame(t *testing.T) {
	for _, c := range [][2]string{
		{"Anna prefers short answers without bullet points", "Anna likes answers short and with no bullet points."},
		{"Deploys happen on Tuesday mornings", "We deploy every Tuesday morning."},
		{"团队每周三下午三点开例会", "每周三下午三点是团队例会"},
	} {
		if s := match.CardSimilarity(c[0], c[1]); s < match.Alike {
			t.Errorf("%q and %q: %.2f, want alike", c[0], c[1], s)
		}
	}
	for _, c := range [][2]string{
		{"Use tabs", "Do not use tabs"},
		{"Staging runs Postgres 16", "Staging runs Postgres 14"},
		{"用户喜欢长的回答", "用户不喜欢长的回答"},
		{"Anna prefers short answers", "Ben prefers short answers"},
		{"Deploys happen on Tuesday mornings", "Deploys happen on Friday mornings"},
		{"prefers tea", "prefers coffee"},
		{"Edits with vim", "Edits with emacs"},
		{"Ben keeps black tea in the kitchen", "Ben keeps green coffee in the kitchen"},
		{"用户喜欢喝茶", "用户喜欢喝咖啡"},
	} {
		if s := match.CardSimilarity(c[0], c[1]); s >= match.Alike {
			t.Errorf("%q and %q: %.2f, want below alike", c[0], c[1], s)
		}
	}
}

func TestContradictionsAreNegations(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"the menu names the cook", "the menu never names the cook", true},
		{"报告要写结论", "报告不要写结论", true},
		{"room 12 has a projector", "room 14 has a projector", false},
		{"the menu names the cook", "the menu names the cook first", false},
		{"Ben drinks tea", "Ben does not drink coffee", false},
		{"the menu names the cook", "trains do not run on Sunday", false},
	} {
		if got := match.Contradict(c.a, c.b); got != c.want {
			t.Errorf("%q against %q: %v", c.a, c.b, got)
		}
	}
}

func TestRivalsCanNotBothBeMet(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"the menu must be green, because the cook likes it", "the menu must be purple, because the cook likes it", true},
		{"save it as csv", "the office reads json alone", true},
		{"cut the cake into 8 pieces", "cut the cake into 12 pieces", true},
		{"print the names", "do not print the names", true},
		{"the menu must be green, because the cook likes it", "green, please: the cook wants the menu like that", false},
		{"print the names", "print the names", false},
		{"print the names", "open the window in the morning", false},
	} {
		if got := match.Rivals(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %t", c.a, c.b, got)
		}
	}
}
