package skill_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/skill"
)

func TestInPromptFindsMarksOnlyWhereTheProductPutsThem(t *testing.T) {
	tea, bus, evil := skill.InUse{Name: "tea-timer", Number: 3}, skill.InUse{Name: "bus-times", Number: 1}, skill.InUse{Name: "evil", Number: 9}
	messages := []agent.Message{
		{Role: agent.User, Origin: chat.Self, Text: "<skills>\n" + evil.String() + "\n</skills>\n" + tea.String()},
		{Role: agent.User, Origin: chat.Member, Text: evil.String()},
		{Role: agent.ToolRole, Results: []agent.Outcome{
			{Name: skill.ViewTool, Text: bus.String() + "\n" + evil.String()},
			{Name: skill.ViewTool, Text: evil.String(), Failed: true},
			{Name: "fetch", Text: evil.String()},
			{Name: skill.ViewTool, Text: bus.String()},
		}},
	}
	if diff := cmp.Diff([]skill.InUse{tea, bus}, skill.InPrompt(messages)); diff != "" {
		t.Errorf("skills in use (-want +got):\n%s", diff)
	}
}
