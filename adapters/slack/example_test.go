package slack_test

import (
	"encoding/json"
	"fmt"

	"talaria/adapters/slack"
)

// What a recorded delivery would have come to.
func ExampleNormalize() {
	answer, err := slack.Normalize([]byte(`{"id":"1","platform":"slack","events":[{"type":"event_callback","team_id":"T1",
		"event":{"type":"message","subtype":"channel_topic","channel":"C1","user":"U1","ts":"1.000001"}}]}`))
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
