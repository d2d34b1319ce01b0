package slack_test

import (
	"encoding/json"
	"strings"
	"testing"

	"talaria/adapters/slack"
)

func TestNormalizeSaysWhatEventsComeTo(t *testing.T) {
	line := `{"id":"n1","platform":"slack","context":{"self":{"id":"UME1"},"active_threads":["T1/C1#1.000001"],"users":{"U2":"Bo"}},"events":[
	 {"type":"event_callback","team_id":"T1","event":{"type":"message","channel":"C1","user":"U9","text":"ask <@U2>","ts":"2.000001","thread_ts":"1.000001"}},
	 {"type":"event_callback","team_id":"T1","event":{"type":"message","channel":"C1","user":"UME1","text":"me","ts":"3.000001"}}]}`
	out, err := slack.Normalize([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"id":"n1"`, `"addressed_by":"thread"`, `"text":"ask @Bo"`, `"dedupe_key":"slack:T1:C1:2.000001"`, `{"event":1,"reason":"own_message"}`} {
		if !strings.Contains(string(data), part) {
			t.Errorf("no %s in %s", part, data)
		}
	}
	if _, err := slack.Normalize([]byte("{")); err == nil {
		t.Error("no error for what is no JSON")
	}
}
