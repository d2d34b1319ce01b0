package slack_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"talaria/adapters/fake/slack"
)

// params are the parameters of a call with a change.
func params(usual, change map[string]string) url.Values {
	v := url.Values{}
	for _, fields := range []map[string]string{usual, change} {
		for name, value := range fields {
			v.Set(name, value)
		}
	}
	return v
}

// docs.slack.dev/reference/methods/chat.startStream and appendStream, stopStream.
func TestRulesOfStreams(t *testing.T) {
	p := newPeer(t, slack.Options{NoLimits: true, StreamLife: time.Hour})
	root, direct := p.server.Say(ada, general, "go on"), p.server.Direct(ada)
	asked := p.server.Say(ada, direct, "go on")
	usual := map[string]string{
		"channel": general, "thread_ts": root, "recipient_user_id": ada, "recipient_team_id": slack.Team, "markdown_text": "one",
	}
	for _, c := range []struct {
		change map[string]string
		want   string
	}{
		{nil, ""},
		{map[string]string{"channel": "C404"}, "channel_not_found"},
		{map[string]string{"thread_ts": ""}, "invalid_thread_ts"},
		{map[string]string{"thread_ts": "1.000001"}, "invalid_thread_ts"},
		{map[string]string{"recipient_user_id": ""}, "missing_recipient_user_id"},
		{map[string]string{"recipient_team_id": ""}, "missing_recipient_team_id"},
		{map[string]string{"recipient_user_id": general}, "user_not_found"},
		{map[string]string{"recipient_team_id": "T0OTHER"}, "user_not_found"},
		{map[string]string{"markdown_text": strings.Repeat("é", 12_001)}, "msg_too_long"},
		{map[string]string{"channel": direct, "thread_ts": asked, "recipient_user_id": "", "recipient_team_id": ""}, ""},
	} {
		if a := p.call("chat.startStream", params(usual, c.change)); a.Error != c.want {
			t.Errorf("%.80v: %q", c.change, a.Error)
		}
	}
	ts := p.server.Sent(general)[0].TS
	at := func(more map[string]string) url.Values {
		return params(map[string]string{"channel": general, "ts": ts}, more)
	}
	p.refused(p.call("chat.appendStream", at(nil)), "no_text")
	p.refused(p.call("chat.appendStream", at(map[string]string{"ts": root, "markdown_text": "x"})), "message_not_owned_by_app")
	p.refused(p.call("chat.update", quiet(map[string]string{"ts": ts, "parse": "none"})), "streaming_state_conflict")
	p.refused(p.call("chat.delete", at(nil)), "cant_delete_message")
	p.call("chat.appendStream", at(map[string]string{"markdown_text": " two"}))
	p.refused(p.call("chat.stopStream", at(map[string]string{"metadata": "{"})), "invalid_metadata_format")
	p.call("chat.stopStream", at(map[string]string{"metadata": `{"event_type":"t","event_payload":{}}`}))
	p.refused(p.call("chat.appendStream", at(map[string]string{"markdown_text": "x"})), "message_not_in_streaming_state")
	p.refused(p.call("chat.stopStream", at(nil)), "message_not_in_streaming_state")
	if m := p.server.Sent(general)[0]; m.Text != "one two" || m.Streaming || len(m.Metadata) == 0 || m.Recipient != ada {
		t.Errorf("%+v", m)
	}
	if n := len(p.server.Breaches()); n != 0 {
		t.Errorf("%d breaches: %v", n, p.server.Breaches())
	}
	p.call("chat.startStream", params(usual, map[string]string{"markdown_text": "https://x.example <!here>"}))
	if n := len(p.server.Breaches()); n != 2 {
		t.Errorf("%d breaches of a stream that shows a preview and notifies everybody", n)
	}
}

// github.com/slackapi/python-slack-sdk/issues/1859
func TestSlackClosesAStreamByItself(t *testing.T) {
	p := newPeer(t, slack.Options{NoLimits: true, StreamLife: time.Nanosecond})
	root := p.server.Say(ada, general, "go on")
	a := p.call("chat.startStream", url.Values{
		"channel": {general}, "thread_ts": {root}, "recipient_user_id": {ada}, "recipient_team_id": {slack.Team},
	})
	p.refused(p.call("chat.stopStream", url.Values{"channel": {general}, "ts": {a.TS}}), "message_not_in_streaming_state")
	if a := p.call("chat.update", quiet(map[string]string{"ts": a.TS, "parse": "none"})); !a.OK {
		t.Errorf("an edit after it: %+v", a)
	}
}

// docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts,
// setTitle and setStatus.
func TestRulesOfAssistantThreads(t *testing.T) {
	p := calm(t)
	thread, direct := p.server.OpenAssistant(ada, general), p.server.Direct(ada)
	prompts := func(n int) string {
		all := make([]slack.Prompt, n)
		for i := range all {
			all[i] = slack.Prompt{Title: fmt.Sprint(i), Message: "m"}
		}
		data, _ := json.Marshal(all)
		return string(data)
	}
	usual := map[string]string{"channel_id": direct, "thread_ts": thread, "prompts": prompts(4), "title": "T", "status": "is busy"}
	for _, c := range []struct {
		method string
		change map[string]string
		want   string
	}{
		{"setSuggestedPrompts", nil, ""},
		{"setSuggestedPrompts", map[string]string{"prompts": prompts(5)}, "invalid_arguments"},
		{"setSuggestedPrompts", map[string]string{"prompts": `[{"title":"t"}]`}, "invalid_arguments"},
		{"setSuggestedPrompts", map[string]string{"channel_id": "D404"}, "channel_not_found"},
		{"setSuggestedPrompts", map[string]string{"thread_ts": p.server.Say(ada, direct, "hi")}, "invalid_thread_ts"},
		{"setTitle", nil, ""},
		{"setTitle", map[string]string{"title": ""}, "invalid_arguments"},
		{"setTitle", map[string]string{"thread_ts": "1.2"}, "invalid_thread_ts"},
		{"setStatus", nil, ""},
		{"setStatus", map[string]string{"channel_id": general, "thread_ts": p.server.Say(ada, general, "hi")}, ""},
		{"setStatus", map[string]string{"thread_ts": "1.2"}, "invalid_thread_ts"},
	} {
		if a := p.call("assistant.threads."+c.method, params(usual, c.change)); a.Error != c.want {
			t.Errorf("%s %.80v: %q", c.method, c.change, a.Error)
		}
	}
	if a := p.server.Assistant(thread); a.Title != "T" || len(a.Prompts) != 4 {
		t.Errorf("%+v", a)
	}
}

// docs.slack.dev/reference/views/home-tab-views and views.publish.
func TestRulesOfHomeTabs(t *testing.T) {
	p := calm(t)
	block := func(kind, text string) string {
		return fmt.Sprintf(`{"type":%q,"text":{"type":"plain_text","text":%q}}`, kind, text)
	}
	view := func(blocks ...string) string { return `{"type":"home","blocks":[` + strings.Join(blocks, ",") + `]}` }
	many := make([]string, 101)
	for i := range many {
		many[i] = block("section", "x")
	}
	usual := map[string]string{"user_id": ada, "view": view(block("header", "Yours"))}
	for _, c := range []struct {
		change map[string]string
		want   string
	}{
		{nil, ""},
		{map[string]string{"user_id": "U404"}, "user_not_found"},
		{map[string]string{"view": `{"type":"modal","blocks":[]}`}, "invalid_arguments"},
		{map[string]string{"view": view(many...)}, "invalid_arguments"},
		{map[string]string{"view": view(many[1:]...)}, ""},
		{map[string]string{"view": view(block("header", strings.Repeat("x", 151)))}, "invalid_arguments"},
		{map[string]string{"view": view(block("section", strings.Repeat("x", 3001)))}, "invalid_arguments"},
		{map[string]string{"view": `{"type":"home","blocks":[],"private_metadata":"` + strings.Repeat("x", 3001) + `"}`}, "invalid_arguments"},
		{map[string]string{"hash": "hash.0"}, "hash_conflict"},
		{map[string]string{"view": view(block("header", "Yours"), `{"type":"actions","elements":[{"type":"button","action_id":"a","value":"v","text":{"type":"plain_text","text":"A"}}]}`)}, ""},
	} {
		if a := p.call("views.publish", params(usual, c.change)); a.Error != c.want {
			t.Errorf("%.80v: %q", c.change, a.Error)
		}
	}
	h := p.server.Home(ada)
	if h.Published != 3 || h.Text() != "Yours\n" || len(h.Buttons()) != 1 || p.server.PressHome(ada, "a") == "" {
		t.Errorf("%d times published, %q", h.Published, h.Text())
	}
}

// docs.slack.dev/reference/scopes
func TestSurfacesWantTheirScopes(t *testing.T) {
	p := newPeer(t, slack.Options{NoLimits: true, Scopes: "channels:history"})
	for _, method := range []string{
		"chat.startStream", "chat.appendStream", "chat.stopStream",
		"assistant.threads.setStatus", "assistant.threads.setTitle", "assistant.threads.setSuggestedPrompts",
	} {
		p.refused(p.call(method, nil), "missing_scope")
	}
}

// docs.slack.dev/apis/web-api/rate-limits: starting a stream is of tier 2.
func TestStreamsHaveATier(t *testing.T) {
	p := newPeer(t, slack.Options{})
	for range 20 {
		p.refused(p.call("chat.startStream", url.Values{"channel": {"C404"}}), "channel_not_found")
	}
	p.refused(p.call("chat.startStream", url.Values{"channel": {"C404"}}), "ratelimited")
}
