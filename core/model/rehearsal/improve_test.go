package rehearsal_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"talaria/core/agent"
	"talaria/core/chat"
)

// improved has the model improve a skill.
func improved(t *testing.T, document string) (reason, text string) {
	t.Helper()
	said, _ := respond(t, agent.Request{
		Prefix:   "You improve a skill of Talaria, a bot.",
		Messages: []agent.Message{{Role: agent.User, Origin: chat.External, Text: "<skill>\n" + document + "\n</skill>"}},
	})
	var out struct{ Reason, Text string }
	if err := json.Unmarshal([]byte(said), &out); err != nil {
		t.Fatalf("%s: %v", said, err)
	}
	return out.Reason, out.Text
}

const brewing = `"text":"---\nname: brew\ndescription: Brew tea.\n---\n\n## Steps\n\n1. Boil water.\n2. Wait.\n"`

func TestACorrectionInAFailedUseBecomesARuleOfTheSkill(t *testing.T) {
	_, text := improved(t, `{`+brewing+`,"failed":[{"request":"brew tea","outcome":"failure","turns":[],
		"feedback":[{"sign":"correction with reason","text":"no, eighty degrees, boiling water makes green tea bitter"}]}]}`)
	if !strings.Contains(text, "1. Boil water.") || !strings.Contains(text, "## Rules\n\n- eighty degrees") {
		t.Errorf("wrote:\n%s", text)
	}
}

func TestASkillThatFailsGetsTheStepsThatWorked(t *testing.T) {
	_, text := improved(t, `{`+brewing+`,"rewrite":true,"failed":[],"succeeded":[{"request":"brew tea","outcome":"success",
		"turns":[{"asked":"brew tea","steps":[{"tool":"time","args":"{}","result":"noon"}]}]}]}`)
	if strings.Contains(text, "Boil water") || !strings.Contains(text, "1. Tell the time with `time`.") || !strings.HasPrefix(text, "---\nname: brew\n") {
		t.Errorf("wrote:\n%s", text)
	}
}

func TestFailuresThatTheTextHasNoPartInLeaveItAlone(t *testing.T) {
	reason, text := improved(t, `{`+brewing+`,"failed":[{"request":"brew tea","outcome":"failure","turns":[]}]}`)
	if text != "" || reason == "" {
		t.Errorf("wrote %q because %q", text, reason)
	}
}

// TestAnAdditionIsAStepOfItsOwnTool: what is to be done always is done, and not
// remembered each time.
func TestAnAdditionIsAStepOfItsOwnTool(t *testing.T) {
	for said, step := range map[string]string{
		"no, always tell the time in UTC too, because the crew is abroad": "3. Tell the time in UTC with `time`.",
		"no, from now on, also list the files":                            "3. List the files with `files_list`.",
		"不对，以后都要另外告诉我 UTC 时间，因为船员在国外":                                     "3. 用 `time` 告诉我 UTC 时间。",
		"不对，以后都要另外列出文件，因为大家要看":                                            "3. 用 `files_list` 列出文件。",
	} {
		_, text := improved(t, `{`+brewing+`,"failed":[{"request":"brew tea","outcome":"failure","turns":[],
			"feedback":[{"sign":"correction with reason","text":"`+said+`"}]}]}`)
		if !strings.Contains(text, step) || strings.Contains(text, "`memory`") {
			t.Errorf("%s wrote:\n%s", said, text)
		}
	}
	_, text := improved(t, `{`+brewing+`,"failed":[{"request":"brew tea","outcome":"failure","turns":[],
		"feedback":[{"sign":"correction with reason","text":"also remember that Ann drinks coffee, because she is new"}]}]}`)
	if strings.Contains(text, "`memory`") {
		t.Errorf("a fact became a step:\n%s", text)
	}
}

// TestWhatASkillHasIsNoRuleBesideIt: a second look at a task adds nothing that
// the skill says already.
func TestWhatASkillHasIsNoRuleBesideIt(t *testing.T) {
	document := func(text string) string {
		return `{"request":"brew tea","outcome":"success","turns":[{"asked":"brew tea","steps":[{"tool":"time","args":"{}","result":"noon"}]}],
			"feedback":[{"sign":"correction with reason","text":"also list the files, because they change"}],
			"skills":[{"name":"brew","in_use":true,"text":"` + text + `"}]}`
	}
	const steps = `---\nname: brew\ndescription: Brew tea.\n---\n\n## Steps\n\n1. Tell the time.\n`
	if _, calls := respond(t, review(document(steps))); len(calls) != 1 {
		t.Fatalf("calls: %v", calls)
	}
	said, calls := respond(t, review(document(steps+`2. List the files with `+"`files_list`"+`.\n`)))
	if len(calls) > 0 || !strings.Contains(said, `"rules":[]`) {
		t.Errorf("calls %v and says %s", calls, said)
	}
}

// TestAnAdditionWithoutRoomIsARule: what can be no step is not lost.
func TestAnAdditionWithoutRoomIsARule(t *testing.T) {
	steps := ""
	for n := range 10 {
		steps += fmt.Sprintf(`%d. Read the file %d.txt.\n`, n+1, n)
	}
	_, text := improved(t, `{"text":"---\nname: read\ndescription: Read.\n---\n\n## Steps\n\n`+steps+`","failed":[{"request":"read","outcome":"failure","turns":[],
		"feedback":[{"sign":"correction with reason","text":"no, list the files too, because there are more"}]}]}`)
	if !strings.Contains(text, "## Rules\n\n- list the files too, because there are more") {
		t.Errorf("wrote:\n%s", text)
	}
}
