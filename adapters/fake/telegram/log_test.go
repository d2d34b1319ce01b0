package telegram_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"talaria/adapters/fake/telegram"
)

func TestFaults(t *testing.T) {
	p := calm(t)
	p.server.Say(ada, ada, "hi")
	const send = `{"chat_id":11,"text":"x","link_preview_options":{"is_disabled":true}}`
	p.server.Break(telegram.Fault{Method: "sendMessage", Cut: telegram.CutBefore})
	if _, err := p.try(p.ctx, "sendMessage", send); err == nil || len(p.server.Sent(ada)) != 0 {
		t.Errorf("cut before: %v", err)
	}
	p.server.Break(telegram.Fault{Method: "sendMessage", Cut: telegram.CutAfter})
	if _, err := p.try(p.ctx, "sendMessage", send); err == nil || len(p.server.Sent(ada)) != 1 {
		t.Errorf("cut after: %v", err)
	}
	p.server.Break(telegram.Fault{Times: -1, Match: func(chat int64) bool { return chat == ada }, Code: 503, Description: "Service Unavailable"})
	for range 2 {
		p.refused(p.call("sendMessage", send), 503, "Service Unavailable")
	}
	p.server.Heal()
	if a := p.call("sendMessage", send); !a.OK {
		t.Errorf("healed: %+v", a)
	}
}

// What Telegram takes but ours must not do is logged.
func TestBreaches(t *testing.T) {
	p := calm(t)
	p.server.Group(group, ada)
	quiet := `"link_preview_options":{"is_disabled":true}`
	for body, want := range map[string]string{
		`{"chat_id":-1001,"text":"see https://example.com"}`:                                                                      "live link preview",
		`{"chat_id":-1001,"text":"x","parse_mode":"HTML",` + quiet + `}`:                                                          "parse_mode",
		`{"chat_id":-1001,"text":"ask @person_11",` + quiet + `}`:                                                                 "notifies @person_11",
		`{"chat_id":-1001,"text":"Ada","entities":[{"type":"text_mention","offset":0,"length":3}],` + quiet + `}`:                 "mention by entity",
		`{"chat_id":-1001,"text":"run @person_11 a@b.example","entities":[{"type":"code","offset":4,"length":10}],` + quiet + `}`: "",
	} {
		before := len(p.server.Breaches())
		if a := p.call("sendMessage", body); !a.OK {
			t.Errorf("%s: %+v", body, a)
		}
		fresh := p.server.Breaches()[before:]
		if (want == "") != (len(fresh) == 0) || want != "" && !strings.Contains(fresh[0], want) {
			t.Errorf("%s: %v", body, fresh)
		}
	}
	p.call("deleteWebhook", url.Values{}.Encode()+`{"drop_pending_updates":true}`)
	if all := p.server.Breaches(); !strings.Contains(all[len(all)-1], "drops pending updates") {
		t.Errorf("breaches: %v", all)
	}
}

func TestTally(t *testing.T) {
	p := calm(t)
	reply := func(to int64, text string) {
		p.call("sendMessage", fmt.Sprintf(`{"chat_id":11,"text":%q,"link_preview_options":{"is_disabled":true},"reply_parameters":{"message_id":%d}}`, text, to))
	}
	for _, text := range []string{"answered", "doubled", "lost", "late"} {
		p.server.Say(ada, ada, text)
	}
	reply(1, "a")
	reply(4, "early")
	reply(2, "b")
	reply(2, "b")
	reply(3, "…")
	p.call("sendMessage", `{"chat_id":11,"text":"stray","link_preview_options":{"is_disabled":true}}`)
	got := p.server.Tally(nil)
	if got.Said != 4 || got.Answered != 2 || len(got.Lost) != 1 || len(got.Doubled) != 1 || len(got.Orphans) != 1 || len(got.Disordered) != 1 || len(got.Strays) != 1 {
		t.Errorf("tally: %+v", got)
	}
}

// BenchmarkSend is how many messages the simulator takes, its client included.
func BenchmarkSend(b *testing.B) {
	s, err := telegram.Start(telegram.Options{NoFlood: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	s.Say(ada, ada, "hi")
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	b.ReportAllocs()
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			resp, err := client.Post(s.URL()+"/bot"+s.Token()+"/sendMessage", "application/json",
				strings.NewReader(`{"chat_id":"11","text":"the answer","link_preview_options":{"is_disabled":true}}`))
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
	})
}
