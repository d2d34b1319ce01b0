package slack_test

import (
	"fmt"
	"net/http"
	"net/url"

	"talaria/adapters/fake/slack"
)

// A person says something, a bot answers, and the truth is told.
func ExampleServer() {
	server, err := slack.Start(slack.Options{})
	if err != nil {
		panic(err)
	}
	defer server.Close()
	server.Channel("C0GENERAL", "UADA01")
	said := server.Say("UADA01", "C0GENERAL", "hello")
	resp, err := http.PostForm(server.URL()+"chat.postMessage", url.Values{
		"token": {server.BotToken()}, "channel": {"C0GENERAL"}, "text": {"hello yourself"}, "thread_ts": {said},
		"unfurl_links": {"false"}, "unfurl_media": {"false"},
	})
	if err != nil {
		panic(err)
	}
	resp.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	tally := server.Tally(func(m slack.Message) string { return m.Thread })
	fmt.Println(tally.Said, tally.Answered, len(tally.Lost), server.Breaches())
	// Output: 1 1 0 []
}
