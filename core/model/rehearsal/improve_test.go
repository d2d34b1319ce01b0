package rehearsal_test

import (
	"encoding/json"
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
