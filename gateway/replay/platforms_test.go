package replay_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"talaria/adapters/discord"
	"talaria/adapters/inbound"
	"talaria/adapters/slack"
	"talaria/adapters/telegram"
	"talaria/gateway/replay"
)

func TestEachPlatformsEventsAreFollowed(t *testing.T) {
	for name, c := range map[string]struct {
		normalizer inbound.Normalizer
		line       string
		parts      []string
	}{
		"slack": {slack.Normalizer(), `{"id":"n1","platform":"slack","context":{"self":{"id":"UME1"},"active_threads":["T1/C1#1.000001"],"users":{"U2":"Bo"}},"events":[
	 {"type":"event_callback","team_id":"T1","event":{"type":"message","channel":"C1","user":"U9","text":"ask <@U2>","ts":"2.000001","thread_ts":"1.000001"}},
	 {"type":"event_callback","team_id":"T1","event":{"type":"message","channel":"C1","user":"UME1","text":"me","ts":"3.000001"}}]}`, []string{`"id":"n1"`, `"addressed_by":"thread"`, `"text":"ask @Bo"`, `"dedupe_key":"slack:T1:C1:2.000001"`, `{"event":1,"reason":"own_message"}`}},
		"discord": {discord.Normalizer(), `{"id":"n1","platform":"discord","context":{"self":{"id":"42"},"active_threads":["1/5#7"],"channels":{"7":{"type":11,"parent_id":"5"}}},"events":[
	 {"t":"MESSAGE_CREATE","s":1,"d":{"id":"90","channel_id":"7","guild_id":"1","content":"go on","author":{"id":"9"}}},
	 {"t":"MESSAGE_CREATE","s":2,"d":{"id":"91","channel_id":"7","guild_id":"1","content":"me","author":{"id":"42","bot":true}}}]}`, []string{`"id":"n1"`, `"addressed_by":"thread"`, `"chat":"1/5","thread":"7"`, `"dedupe_key":"discord:90"`, `{"event":1,"reason":"own_message"}`}},
		"telegram": {telegram.Normalizer(), `{"id":"n1","platform":"telegram","context":{"self":{"id":"42","name":"helper_bot"},"active_threads":["-100#7"]},"events":[
	 {"update_id":1,"message":{"message_id":5,"date":1,"chat":{"id":-100,"type":"supergroup"},"from":{"id":9},"message_thread_id":7,"is_topic_message":true,"text":"go on"}},
	 {"update_id":2,"message":{"message_id":6,"date":1,"chat":{"id":-100,"type":"supergroup"},"from":{"id":42,"is_bot":true},"text":"me"}}]}`, []string{`"id":"n1"`, `"addressed_by":"thread"`, `"dedupe_key":"telegram:-100:5"`, `{"event":1,"reason":"own_message"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			answer, err := replay.Line([]byte(c.line), c.normalizer)
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(answer)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range c.parts {
				if !strings.Contains(string(data), part) {
					t.Errorf("no %s in %s", part, data)
				}
			}
		})
	}
}

// What a recorded delivery would have come to.
func ExampleLine() {
	answer, err := replay.Line([]byte(`{"id":"1","platform":"slack","events":[{"type":"event_callback","team_id":"T1",
		"event":{"type":"message","subtype":"channel_topic","channel":"C1","user":"U1","ts":"1.000001"}}]}`), slack.Normalizer())
	if err != nil {
		panic(err)
	}
	out, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(out))
	// Output: {"id":"1","turns":[],"ignored":[{"event":0,"reason":"system_message"}],"actions":[],"effects":[]}
}
