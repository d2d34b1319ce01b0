package telegram_test

import (
	"encoding/json"
	"fmt"

	"talaria/adapters/telegram"
)

// What a recorded update would have come to.
func ExampleNormalize() {
	answer, err := telegram.Normalize([]byte(`{"id":"1","platform":"telegram","events":[{"update_id":7,"channel_post":
		{"message_id":1,"date":1,"chat":{"id":-100,"type":"channel"},"text":"news"}}]}`))
	if err != nil {
		panic(err)
	}
	out, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(out))
	// Output: {"id":"1","turns":[],"ignored":[{"event":0,"reason":"unsupported_update"}],"actions":[],"effects":[]}
}
