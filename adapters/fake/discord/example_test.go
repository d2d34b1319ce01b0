package discord_test

import (
	"fmt"
	"net/http"
	"strings"

	"talaria/adapters/fake/discord"
)

// A harness starts the server, has people say things while a bot runs against
// URL, and then asks for the truth.
func Example() {
	server, err := discord.Start(discord.Options{NoRates: true})
	if err != nil {
		panic(err)
	}
	defer server.Close()
	server.Guild("1", "5")
	server.Channel("1", "7")
	question := server.Say("5", "7", "are you there?")

	body := `{"content":"yes","flags":4,"allowed_mentions":{"parse":[]},"message_reference":{"message_id":"` + question + `"}}`
	req, err := http.NewRequest("POST", server.URL()+"/api/v9/channels/7/messages", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Authorization", "Bot "+server.Token())
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		panic(err)
	}
	resp.Body.Close()
	http.DefaultClient.CloseIdleConnections()

	tally := server.Tally(nil)
	fmt.Println(tally.Said, tally.Answered, len(tally.Lost), server.Breaches())
	// Output: 1 1 0 []
}
