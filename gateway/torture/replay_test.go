package torture

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"talaria/adapters/fake/slack"
)

// hook is where Slack calls the program, and a call that somebody who has seen
// it can send again: the same one, and the same in other words.
type hook struct {
	address, secret, call string
}

// TestACallThatComesAgainIsOneTurn sends one authentic call a hundred times,
// side by side, half of them encoded in another way, and half of them after the
// program was killed. The program that does not look up what it took must be
// seen to fail.
func TestACallThatComesAgainIsOneTurn(t *testing.T) {
	for _, broken := range []bool{false, true} {
		t.Run(fmt.Sprintf("broken %t", broken), func(t *testing.T) {
			t.Parallel()
			listen := freeAddress(t)
			h := hook{address: "http://" + listen + "/hooks/slack"}
			open := func(t *testing.T) scene {
				s := newSlackStage(t, slack.Options{NoLimits: true, Minute: 300 * time.Millisecond, Tries: -1, Ordered: true, Callback: h.address})
				h.secret, h.call = s.SigningSecret(), once(s)
				return s
			}
			p := cast(t, open, &prompter{}, "TALARIA_ADAPTERS_SLACK_MODE=http", "TALARIA_WEB_LISTEN="+listen)
			p.w.env = append(p.w.env, "TALARIA_ADAPTERS_SLACK_SIGNING_SECRET="+h.secret)
			if broken {
				p.w.env = append(p.w.env, "TALARIA_BREAK=no-dedupe")
			}
			for _, run := range []string{"first", "second"} {
				p.p = p.w.serve()
				p.say(ada, hers, run)
				p.hears(hers, "echo: "+run) // it listens
				h.repeat(t, 50)
				p.hears(hers, "echo: once")
				p.p.kill()
			}
			p.p = p.w.serve()
			p.say(ada, hers, "after")
			p.hears(hers, "echo: after")
			p.p.stop()
			if turns := strings.Count(p.transcript(), "echo: once"); turns == 0 || turns > 1 != broken {
				t.Errorf("%d turns\n%s", turns, p.w.lastLog())
			}
		})
	}
}

// once is a call that tells of a message of Ada's.
func once(s slackStage) string {
	return fmt.Sprintf(`{"type":"event_callback","team_id":%q,"api_app_id":%q,"event_id":"Ev0AGAIN","event_time":%d,`+
		`"event":{"type":"message","channel":%q,"channel_type":"im","user":%q,"text":"once","ts":"%d.000100"}}`,
		slack.Team, slack.App, time.Now().Unix(), s.Direct(slackPeople[ada]), slackPeople[ada], time.Now().Unix())
}

// repeat sends the call a number of times.
func (h hook) repeat(t *testing.T, times int) {
	var wg sync.WaitGroup
	for worker := range 10 {
		wg.Go(func() {
			for n := range times / 10 {
				body := h.call
				if (worker+n)%2 == 1 {
					body = strings.ReplaceAll(body, `":`, `" : `) + "\n"
				}
				resp, err := http.DefaultClient.Do(h.signed(t, body))
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if resp.StatusCode != http.StatusOK {
					t.Errorf("answered with %d", resp.StatusCode)
				}
			}
		})
	}
	wg.Wait()
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

// signed is a call as Slack makes it now.
func (h hook) signed(t *testing.T, body string) *http.Request {
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	slack.Sign(req.Header, []byte(body), h.secret, time.Now())
	return req
}
