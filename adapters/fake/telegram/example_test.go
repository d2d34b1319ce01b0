package telegram_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"talaria/adapters/fake/telegram"
)

// A harness starts the server, has people say things while a bot runs against
// its URL, waits for what it wants to see, and asks for the truth.
func ExampleServer() {
	server, err := telegram.Start(telegram.Options{NoFlood: true})
	if err != nil {
		panic(err)
	}
	defer server.Close()
	update := server.Say(510, 510, "ping")

	bot := server.URL() + "/bot" + server.Token()
	for _, call := range []struct {
		method string
		params url.Values
	}{
		{"getUpdates", nil},
		{"sendMessage", url.Values{
			"chat_id": {"510"}, "text": {"pong"}, "reply_parameters": {`{"message_id":1}`},
			"link_preview_options": {`{"is_disabled":true}`},
		}},
		{"getUpdates", url.Values{"offset": {fmt.Sprint(update + 1)}}},
	} {
		resp, err := http.PostForm(bot+"/"+call.method, call.params)
		if err != nil {
			panic(err)
		}
		resp.Body.Close()
	}
	http.DefaultClient.CloseIdleConnections()

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := server.Await(ctx, func() bool { return server.Unconfirmed() == 0 }); err != nil {
		panic(err)
	}
	tally := server.Tally(nil)
	fmt.Println("said", tally.Said, "answered", tally.Answered, "lost", len(tally.Lost), "breaches", len(server.Breaches()))
	// Output: said 1 answered 1 lost 0 breaches 0
}
