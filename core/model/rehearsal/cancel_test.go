package rehearsal_test

import (
	"slices"
	"strings"
	"testing"

	"talaria/core/agent"
)

func TestRemindersAreStoppedWithoutAnIdWhereThereIsOneAlone(t *testing.T) {
	const none, one, two = "There are no jobs of yours here.", "- `ab2de` every day at 9: stretch", "- `ab2de` every day at 9: stretch\n- `cd3fg` every day at 10: walk"
	for _, c := range []struct {
		say, jobs string
		calls     int
		answer    string
	}{
		{"stop my reminders", one, 2, "Deleted: ab2de"},
		{"please cancel all my reminders", two, 1, "Which of them?"},
		{"stop reminding me to stretch", one, 2, "Deleted: ab2de"},
		{"Delete the reminder.", none, 1, none},
		{"取消我的提醒", two, 1, "是哪一个"},
		{"别再提醒我了", one, 2, "Deleted: ab2de"},
		{"delete job ab2de", two, 1, "Deleted: ab2de"},
	} {
		r := ask(c.say)
		r.Tools = append(slices.Clone(tools), agent.Spec{Name: "schedule_list", Schema: schema(``)}, agent.Spec{Name: "schedule_cancel", Schema: schema(`"id"`, "id")})
		calls, answer := talk(t, &world{jobs: c.jobs}, r)
		if len(calls) != c.calls || !strings.Contains(answer, c.answer) {
			t.Errorf("%q: called %v and answered %q", c.say, calls, answer)
		}
	}
}
