package discord_test

import (
	"encoding/json"
	"fmt"

	"talaria/adapters/discord"
)

// What a recorded dispatch would have come to.
func ExampleNormalize() {
	answer, err := discord.Normalize([]byte(`{"id":"1","platform":"discord","events":[{"op":0,"t":"MESSAGE_CREATE","s":4,
		"d":{"id":"90","channel_id":"7","guild_id":"1","type":6,"content":"","author":{"id":"9"}}}]}`))
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
