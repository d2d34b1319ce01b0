package slack_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"talaria/adapters/fake/slack"
)

func TestTokens(t *testing.T) {
	p := calm(t)
	for _, c := range []struct{ method, bearer, form, want string }{
		{"auth.test", p.server.BotToken(), "", ""},
		{"auth.test", "", p.server.BotToken(), ""}, // some clients put it into the form
		{"auth.test", "", "", "not_authed"},
		{"auth.test", "xoxb-other", "", "invalid_auth"},
		{"auth.test", p.server.AppToken(), "", "not_allowed_token_type"},
		{"apps.connections.open", p.server.AppToken(), "", ""},
		{"apps.connections.open", p.server.BotToken(), "", "not_allowed_token_type"},
		{"no.such", p.server.BotToken(), "", "unknown_method"},
	} {
		v := url.Values{}
		if c.form != "" {
			v.Set("token", c.form)
		}
		if a := p.do(c.method, v, c.bearer); a.Error != c.want || a.OK != (c.want == "") {
			t.Errorf("%+v: %+v", c, a)
		}
	}
}

func TestRulesOfMessages(t *testing.T) {
	p := calm(t)
	buttons := func(ids ...string) string {
		var all []string
		for _, id := range ids {
			all = append(all, fmt.Sprintf(`{"type":"button","action_id":%q,"text":{"type":"plain_text","text":"x"}}`, id))
		}
		return `[{"type":"actions","elements":[` + strings.Join(all, ",") + `]}]`
	}
	section := func(n int) string {
		return `[{"type":"section","text":{"type":"mrkdwn","text":"` + strings.Repeat("é", n) + `"}}]`
	}
	for _, c := range []struct {
		change map[string]string
		want   string
	}{
		{map[string]string{}, ""},
		{map[string]string{"text": strings.Repeat("é", 40_000)}, ""},
		{map[string]string{"text": strings.Repeat("é", 40_001)}, "msg_too_long"},
		{map[string]string{"text": ""}, "no_text"},
		{map[string]string{"channel": "C404"}, "channel_not_found"},
		{map[string]string{"thread_ts": "1.000001"}, "thread_not_found"},
		{map[string]string{"blocks": buttons("a", "b")}, ""},
		{map[string]string{"blocks": buttons("a", "a")}, "invalid_blocks"},
		{map[string]string{"blocks": section(3000)}, ""},
		{map[string]string{"blocks": section(3001)}, "invalid_blocks"},
		{map[string]string{"blocks": "{"}, "invalid_blocks"},
		{map[string]string{"metadata": "{"}, "invalid_metadata_format"},
	} {
		if a := p.call("chat.postMessage", quiet(c.change)); a.Error != c.want {
			t.Errorf("%.80v: %+v", c.change, a.Error)
		}
	}
	p.server.Leave(general, slack.BotUser)
	p.refused(p.call("chat.postMessage", quiet(nil)), "not_in_channel")
	if n := len(p.server.Refusals()); n != 9 {
		t.Errorf("%d refusals", n)
	}
}

func TestRulesOfEdits(t *testing.T) {
	p := calm(t)
	sent := p.call("chat.postMessage", quiet(map[string]string{"blocks": `[{"type":"section","text":{"type":"mrkdwn","text":"b"}}]`}))
	edit := func(change map[string]string) answer {
		v := quiet(change)
		if v.Get("ts") == "" {
			v.Set("ts", sent.TS)
		}
		v.Set("parse", "none")
		return p.call("chat.update", v)
	}
	if a := edit(nil); !a.OK || p.server.Sent(general)[0].Blocks == nil {
		t.Errorf("blocks that are not given do not stay: %+v", a)
	}
	if a := edit(map[string]string{"blocks": "[]"}); !a.OK || p.server.Sent(general)[0].Blocks != nil {
		t.Errorf("blocks stay: %+v", a)
	}
	p.refused(edit(map[string]string{"text": strings.Repeat("x", 4001)}), "msg_too_long")
	p.refused(edit(map[string]string{"ts": "1.2"}), "message_not_found")
	p.refused(edit(map[string]string{"ts": p.server.Say(ada, general, "mine")}), "cant_update_message")
	if len(p.server.Breaches()) != 0 {
		t.Errorf("breaches: %v", p.server.Breaches())
	}
}

func TestLimitsOfRate(t *testing.T) {
	p := newPeer(t, slack.Options{Burst: 2})
	for range 2 {
		p.call("chat.postMessage", quiet(nil))
	}
	a := p.call("chat.postMessage", quiet(nil))
	if a.Error != "ratelimited" || a.status != http.StatusTooManyRequests || a.retry != "1" || p.server.Waits() != 1 {
		t.Errorf("third message: %+v", a)
	}
	p.server.Channel("C0OTHER", ada)
	if a := p.call("chat.postMessage", quiet(map[string]string{"channel": "C0OTHER"})); !a.OK {
		t.Errorf("another channel: %+v", a)
	}
}

// What Slack takes but ours must not do is logged.
func TestBreaches(t *testing.T) {
	p := calm(t)
	for name, c := range map[string]struct {
		change map[string]string
		want   string
	}{
		"preview":       {map[string]string{"unfurl_links": "true"}, "previews"},
		"media":         {map[string]string{"unfurl_media": ""}, "previews"},
		"everybody":     {map[string]string{"text": "<!here> look"}, "everybody"},
		"in a block":    {map[string]string{"blocks": `[{"type":"section","text":{"type":"mrkdwn","text":"\u003c!channel>"}}]`}, "everybody"},
		"names":         {map[string]string{"link_names": "1"}, "names"},
		"many":          {map[string]string{"text": "<@U01> <@U02> <@U03> <@U04>"}, "many"},
		"one is fine":   {map[string]string{"text": "<@U01>"}, ""},
		"typed is fine": {map[string]string{"text": "&lt;!here&gt;"}, ""},
	} {
		before := len(p.server.Breaches())
		if a := p.call("chat.postMessage", quiet(c.change)); !a.OK {
			t.Errorf("%s: %+v", name, a)
		}
		fresh := p.server.Breaches()[before:]
		if (c.want == "") != (len(fresh) == 0) || c.want != "" && !strings.Contains(fresh[0], c.want) {
			t.Errorf("%s: %v", name, fresh)
		}
	}
}

func TestHistoryAndPages(t *testing.T) {
	p := calm(t)
	root := p.server.Past(slack.Speech{User: ada, Channel: general, Text: "root"})
	p.call("chat.postMessage", quiet(map[string]string{"thread_ts": root, "metadata": `{"event_type":"t","event_payload":{"k":"v"}}`}))
	p.call("chat.postMessage", quiet(map[string]string{"text": "top"}))
	a := p.call("conversations.history", url.Values{"channel": {general}, "limit": {"1"}})
	if len(a.Messages) != 1 || a.Messages[0].Text != "top" || a.Meta.Cursor == "" {
		t.Errorf("history: %+v", a)
	}
	if a := p.call("conversations.history", url.Values{"channel": {general}, "cursor": {a.Meta.Cursor}}); len(a.Messages) != 1 || a.Messages[0].TS != root {
		t.Errorf("next page: %+v", a)
	}
	a = p.call("conversations.replies", url.Values{"channel": {general}, "ts": {root}, "include_all_metadata": {"1"}})
	if len(a.Messages) != 2 || len(a.Messages[1].Metadata) == 0 {
		t.Errorf("replies: %+v", a)
	}
	p.refused(p.call("conversations.replies", url.Values{"channel": {general}, "ts": {"1.2"}}), "thread_not_found")
}

func TestTally(t *testing.T) {
	p := calm(t)
	said := map[string]string{}
	for _, text := range []string{"answered", "doubled", "lost", "late"} {
		said[text] = p.server.Say(ada, general, text)
	}
	reply := func(to string) {
		p.call("chat.postMessage", quiet(map[string]string{"metadata": `{"event_type":"t","event_payload":{"id":"turn:` + to + `"}}`}))
	}
	reply(said["answered"])
	reply(said["late"])
	reply(said["doubled"])
	reply(said["doubled"])
	p.call("chat.postMessage", quiet(nil))
	got := p.server.Tally(nil)
	if got.Said != 4 || got.Answered != 2 || len(got.Lost) != 1 || len(got.Doubled) != 1 || len(got.Disordered) != 1 || len(got.Strays) != 1 {
		t.Errorf("tally: %+v", got)
	}
}

func TestPlacesAndReactions(t *testing.T) {
	p := calm(t)
	for _, c := range []struct{ method, params, want string }{
		{"conversations.info", "channel=" + general, ""},
		{"conversations.info", "channel=C404", "channel_not_found"},
		{"conversations.open", "users=" + ada, ""},
		{"conversations.open", "users=U404", "user_not_found"},
		{"users.info", "user=U404", "user_not_found"},
		{"reactions.add", "name=eyes&channel=" + general + "&timestamp=1.2", "message_not_found"},
		{"reactions.add", "name=eyes&channel=" + general + "&timestamp=" + p.server.Say(ada, general, "hi"), ""},
		{"views.open", "trigger_id=made.up&view={}", "invalid_trigger_id"},
		{"views.open", "trigger_id=" + p.server.Slash(ada, general, "x") + "&view={}", "invalid_arguments"},
		{"files.info", "file=F404", "file_not_found"},
		{"files.getUploadURLExternal", "filename=a&length=0", "invalid_arguments"},
		{"files.completeUploadExternal", "channel_id=" + general + `&files=[{"id":"F404"}]`, "file_not_found"},
	} {
		params, err := url.ParseQuery(c.params)
		if err != nil {
			t.Fatal(err)
		}
		if a := p.call(c.method, params); a.Error != c.want {
			t.Errorf("%s %s: %+v", c.method, c.params, a)
		}
	}
}
