package command_test

import (
	"context"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/gateway/wording"
	"talaria/scheduler"
	"talaria/storage"
	"talaria/storage/sqlite"
)

var (
	// typed are ids, names and what people type, which no language changes.
	typed   = regexp.MustCompile("`[^`]*`|UTC|token|\\b(?:here|dm)\\b|\"[^\"]*\"")
	english = regexp.MustCompile(`[A-Za-z]{2,}`)
)

func TestChineseReadersAreToldAboutJobsInChinese(t *testing.T) {
	d, err := sqlite.Open(t.Context(), ":memory:", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := storage.New(d)
	defer s.Close()
	sched := scheduler.New(scheduler.Config{
		Store: s, People: resident{}, Zone: time.UTC, Limits: scheduler.Limits{Jobs: 2, Every: 5 * time.Minute}, Log: slog.New(slog.DiscardHandler),
		In: func(ctx context.Context) scheduler.Tongue { return wording.In(ctx) },
		Outcome: func(context.Context, chat.Address, string) (scheduler.Outcome, error) {
			return scheduler.Outcome{Over: true}, nil
		},
	})
	table := command.NewTable(command.ForJobs(sched.Desk, s))
	who := person.Principal{Person: "ann", Role: person.Member, Direct: true, Place: chat.Address{Platform: "test", Chat: "ann"}}
	id := ""
	tests := []struct{ args, want string }{
		{"add 每周五17:00 提醒我发周报", "(?s)任务 `.*：每周五17:00（UTC）。\n接下来：\\d{4}-\\d\\d-\\d\\d 周五 17:00, .*周五 17:00, .*周五 17:00。\n到时会说：提醒：发周报"},
		{"add 每个工作日早上8点 总结昨天的决定，最多20000个token", "(?s)每个工作日08:00.*到时会处理并告诉你.*每次最多 20000 个 token"},
		{"add 每天9点 总结", "已到上限（2 个）"},
		{"", "每周五17:00（UTC），下次 .* 周五 17:00"},
		{"show ID", "(?s)每周五17:00.*发到 我们的私聊.*运行了 0 次"},
		{"show nope", "你没有这个任务"},
		{"set ID limit x", "不是数字"},
		{"set ID limit 3", "最多运行 3 次"},
		{"set ID budget 2", "模型的价格"},
		{"set ID to moon", "不是可以发到的地方"},
		{"set ID tokens 9000", "提醒会原样说出来"},
		{"set ID when 每分钟", "太频繁了"},
		{"pause ID", "已暂停"},
		{"delete ID", "已删除"},
		{"import", "没有"},
	}
	for _, tt := range tests {
		call := &chat.CommandCall{Name: "jobs", Args: strings.ReplaceAll(tt.args, "ID", id)}
		post, err := table.Run(wording.With(t.Context(), wording.Chinese), command.Call{Who: who, Event: chat.Event{Keys: []string{tt.args}, Command: call}})
		if err != nil {
			t.Fatalf("%s: %v", tt.args, err)
		}
		if found := regexp.MustCompile("任务 `([a-z0-9]+)`").FindStringSubmatch(post.Markdown); id == "" && found != nil {
			id = found[1]
		}
		if !regexp.MustCompile(tt.want).MatchString(post.Markdown) {
			t.Errorf("/jobs %s is answered with %q, not with %q", tt.args, post.Markdown, tt.want)
		}
		if left := english.FindAllString(typed.ReplaceAllString(post.Markdown, ""), -1); left != nil {
			t.Errorf("/jobs %s is answered with %v in %q", tt.args, left, post.Markdown)
		}
	}
}
