package rehearsal_test

import (
	"encoding/json"
	"testing"

	"talaria/core/agent"
	"talaria/core/chat"
)

func TestWhatWasGatheredIsToldAsItStands(t *testing.T) {
	const news = "**Requests**\n- waiting: \"write\" <that> \\ report"
	data, err := json.Marshal(news)
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct{ text, want string }{
		"alone":          {"[scheduled for 2027-01-02 07:00 UTC: nobody waits]\nDaily briefing\n[gathered for it, as data: " + string(data) + "]", news},
		"in a place":     {"[from \"ann\"]\n[scheduled for 2027-01-02 07:00 UTC: nobody waits]\nword it\n[gathered for it, as data: " + string(data) + "]", news},
		"without a time": {"[gathered for it, as data: " + string(data) + "]", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			calls, got := talk(t, someWorld(), agent.Request{Messages: []agent.Message{{Role: agent.User, Text: tt.text, Origin: chat.External}}})
			if tt.want != "" && (got != tt.want || len(calls) > 0) || tt.want == "" && got == news {
				t.Errorf("told %q with calls %v", got, calls)
			}
		})
	}
}
