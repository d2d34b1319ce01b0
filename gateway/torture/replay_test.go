package torture

import (
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"talaria/adapters/fake/slack"
)

// again is a platform as somebody stands before it who has seen one of its calls
// and can make it once more.
type again struct {
	scene
	env  []string
	tell func(p *play, text string) // has Ada say something, by the platform's own way
	// repeat makes one call, that Ada said "once", a number of times, half of them
	// in other words.
	repeat func(t *testing.T, times int)
}

var agains = map[string]func(t *testing.T) again{"slack": slackAgain, "discord": discordAgain, "telegram": telegramAgain}

// TestACallThatComesAgainIsOneTurn has one authentic call come a hundred times,
// half of them encoded in another way, and half of them after the program was
// killed.
func TestACallThatComesAgainIsOneTurn(t *testing.T) {
	for name, open := range agains {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if turns, p := turnsOf(t, open); turns != 1 {
				t.Errorf("%d turns\n%s", turns, p.w.lastLog())
			}
		})
	}
}

// TestARepeatedCallIsSeen runs the program that does not look up what it took.
// Were that one turn as well, the test above would prove nothing.
func TestARepeatedCallIsSeen(t *testing.T) {
	t.Parallel()
	if turns, p := turnsOf(t, slackAgain, "TALARIA_BREAK=no-dedupe"); turns < 2 {
		t.Errorf("%d turns\n%s", turns, p.w.lastLog())
	}
}

func turnsOf(t *testing.T, open func(t *testing.T) again, env ...string) (int, *play) {
	var a again
	p := cast(t, func(t *testing.T) scene { a = open(t); return a.scene }, &prompter{}, env...)
	p.w.env = append(p.w.env, a.env...)
	for _, run := range []string{"first", "second"} {
		p.p = p.w.serve()
		a.tell(p, run)
		p.hears(hers, "echo: "+run) // it listens
		a.repeat(t, 50)
		p.hears(hers, "echo: once")
		p.p.kill()
	}
	p.p = p.w.serve()
	a.tell(p, "after")
	p.hears(hers, "echo: after")
	p.p.stop()
	return strings.Count(p.transcript(), "echo: once"), p
}

// spoken has Ada say something that the simulator delivers.
func spoken(p *play, text string) { p.say(ada, hers, text) }

func slackAgain(t *testing.T) again {
	listen := freeAddress(t)
	address := "http://" + listen + "/hooks/slack"
	s := newSlackStage(t, slack.Options{NoLimits: true, Minute: 300 * time.Millisecond, Tries: -1, Ordered: true, Callback: address})
	now := time.Now()
	call := fmt.Sprintf(`{"type":"event_callback","team_id":%q,"api_app_id":%q,"event_id":"Ev0AGAIN","event_time":%d,`+
		`"event":{"type":"message","channel":%q,"channel_type":"im","user":%q,"text":"once","ts":"%d.000100"}}`,
		slack.Team, slack.App, now.Unix(), s.Direct(slackPeople[ada]), slackPeople[ada], now.Unix())
	sign := func(h http.Header, body string) { slack.Sign(h, []byte(body), s.SigningSecret(), time.Now()) }
	return again{scene: s, tell: spoken,
		env: []string{
			"TALARIA_ADAPTERS_SLACK_MODE=http", "TALARIA_WEB_LISTEN=" + listen, "TALARIA_ADAPTERS_SLACK_SIGNING_SECRET=" + s.SigningSecret(),
		},
		repeat: func(t *testing.T, times int) { repeatedly(t, address, call, times, sign) },
	}
}

// telegramAgain posts everything itself: the program takes a webhook at an https
// address alone, where the simulator reaches nobody.
func telegramAgain(t *testing.T) again {
	const secret = "a-secret-of-the-webhook"
	listen := freeAddress(t)
	address := "http://" + listen + "/hooks/telegram"
	s := telegramScene(t).(telegramStage)
	sign := func(h http.Header, _ string) { h.Set("X-Telegram-Bot-Api-Secret-Token", secret) }
	said := 0
	update := func(text string) string {
		said++
		return fmt.Sprintf(`{"update_id":%d,"message":{"message_id":%s,"date":%d,"chat":{"id":%[4]d,"type":"private","first_name":"Ada"},`+
			`"from":{"id":%[4]d,"is_bot":false,"first_name":"Ada"},"text":%[5]q}}`, 100+said, s.say(ada, hers, text), time.Now().Unix(), telegramPerson(ada), text)
	}
	once := update("once")
	return again{scene: s,
		env: []string{
			"TALARIA_ADAPTERS_TELEGRAM_MODE=webhook", "TALARIA_ADAPTERS_TELEGRAM_WEBHOOK_URL=https://127.0.0.1:1/hooks/telegram",
			"TALARIA_ADAPTERS_TELEGRAM_WEBHOOK_SECRET=" + secret, "TALARIA_WEB_LISTEN=" + listen,
		},
		tell: func(p *play, text string) {
			body := update(text)
			p.until("a call to be taken", func() bool { return posted(p.T, address, body, sign) == http.StatusOK })
		},
		repeat: func(t *testing.T, times int) { repeatedly(t, address, once, times, sign) },
	}
}

// discordAgain has the gateway tell of one message again, each time under a new
// number, as it does where a session begins anew.
func discordAgain(t *testing.T) again {
	s := discordScene(t).(discordStage)
	told := map[string]any{
		"id": s.say(ada, hers, "once"), "channel_id": discordHers, "type": 0, "content": "once", "timestamp": time.Now().Format(time.RFC3339),
		"author": map[string]any{"id": discordPeople[ada], "username": "ada"},
	}
	began := 0
	return again{scene: s,
		tell: func(p *play, text string) {
			p.until("the program to listen", func() bool { return s.began() > began })
			began = s.began()
			spoken(p, text)
		},
		repeat: func(_ *testing.T, times int) {
			for n := range times {
				told["tts"] = n%2 == 1
				s.Dispatch("MESSAGE_CREATE", maps.Clone(told))
			}
		},
	}
}

// repeatedly makes a call a number of times, side by side.
func repeatedly(t *testing.T, address, call string, times int, sign func(h http.Header, body string)) {
	var wg sync.WaitGroup
	for worker := range 10 {
		wg.Go(func() {
			for n := range times / 10 {
				body := call
				if (worker+n)%2 == 1 {
					body = strings.ReplaceAll(body, `":`, `" : `) + "\n"
				}
				if code := posted(t, address, body, sign); code != http.StatusOK {
					t.Errorf("answered with %d", code)
				}
			}
		})
	}
	wg.Wait()
}

// posted is what a call is answered with, zero where it is not.
func posted(t *testing.T, address, body string, sign func(h http.Header, body string)) (code int) {
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0
	}
	req.Header.Set("Content-Type", "application/json")
	sign(req.Header, body)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	return resp.StatusCode
}

// freeAddress is one that nobody listens at just now.
func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
