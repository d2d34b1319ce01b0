package slack_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"talaria/adapters/fake/slack"
)

// long is a text of n characters.
func long(n int) string { return strings.Repeat("é", n) }

func text(kind string, n int) string { return fmt.Sprintf(`{"type":%q,"text":%q}`, kind, long(n)) }

func times(n int, one func(i int) string) string {
	var all []string
	for i := range n {
		all = append(all, one(i))
	}
	return strings.Join(all, ",")
}

// docs.slack.dev/reference/block-kit/blocks and .../block-elements, a page each.
func TestRulesOfBlocks(t *testing.T) {
	p := calm(t)
	button := func(label string, value int) func(i int) string {
		return func(i int) string {
			return fmt.Sprintf(`{"type":"button","action_id":"a%d","text":%s,"value":%q}`, i, label, strings.Repeat("v", value))
		}
	}
	actions := func(elements string) string { return `[{"type":"actions","elements":[` + elements + `]}]` }
	choice := func(n, label, value int) string {
		return actions(`{"type":"static_select","action_id":"a","options":[` + times(n, func(i int) string {
			return fmt.Sprintf(`{"text":%s,"value":"%0*d"}`, text("plain_text", label), value, i)
		}) + `]}`)
	}
	usual := text("plain_text", 1)
	for _, c := range []struct{ what, blocks, want string }{
		{"25 buttons", actions(times(25, button(usual, 2000))), ""},
		{"26 buttons", actions(times(26, button(usual, 1))), "invalid_blocks"},
		{"no elements", actions(""), "invalid_blocks"},
		{"a label of 75", actions(button(text("plain_text", 75), 1)(0)), ""},
		{"a label of 76", actions(button(text("plain_text", 76), 1)(0)), "invalid_blocks"},
		{"no label", actions(button(text("plain_text", 0), 1)(0)), "invalid_blocks"},
		{"a label with marks", actions(button(text("mrkdwn", 1), 1)(0)), "invalid_blocks"},
		{"a value of 2001", actions(button(usual, 2001)(0)), "invalid_blocks"},
		{"a style there is none of", actions(`{"type":"button","action_id":"a","style":"loud","text":` + usual + `}`), "invalid_blocks"},
		{"no action", actions(`{"type":"button","text":` + usual + `}`), "invalid_blocks"},
		{"100 options", choice(100, 75, 150), ""},
		{"101 options", choice(101, 1, 3), "invalid_blocks"},
		{"an option's value of 151", choice(1, 1, 151), "invalid_blocks"},
		{"a section without a text", `[{"type":"section"}]`, "invalid_blocks"},
		{"ten fields", `[{"type":"section","fields":[` + times(10, func(int) string { return text("mrkdwn", 2000) }) + `]}]`, ""},
		{"a field of 2001", `[{"type":"section","fields":[` + text("mrkdwn", 2001) + `]}]`, "invalid_blocks"},
		{"ids that are the same", `[{"type":"divider","block_id":"b"},{"type":"divider","block_id":"b"}]`, "invalid_blocks"},
		{"eleven in a context", `[{"type":"context","elements":[` + times(11, func(int) string { return usual }) + `]}]`, "invalid_blocks"},
		{"a block there is none of", `[{"type":"marquee"}]`, "invalid_blocks"},
		{"51 blocks", `[` + times(51, func(int) string { return `{"type":"divider"}` }) + `]`, "invalid_blocks"},
		{"markdown of 12,000", `[{"type":"markdown","text":"` + long(12_000) + `"}]`, ""},
		{"markdown of 12,001 together", `[{"type":"markdown","text":"` + long(12_000) + `"},{"type":"markdown","text":"x"}]`, "msg_blocks_too_long"},
		// github.com/slackapi/bolt-js/issues/2509
		{"sections of 13,500 together", `[` + times(5, func(int) string { return `{"type":"section","text":` + text("mrkdwn", 2700) + `}` }) + `]`, "msg_blocks_too_long"},
	} {
		if a := p.call("chat.postMessage", quiet(map[string]string{"blocks": c.blocks})); a.Error != c.want {
			t.Errorf("%s: %q", c.what, a.Error)
		}
	}
}

// docs.slack.dev/reference/views/modal-views and .../methods/views.open
func TestRulesOfModals(t *testing.T) {
	p := calm(t)
	input := func(label, value int) string {
		return fmt.Sprintf(`{"type":"input","block_id":"b","label":%s,"element":{"type":"plain_text_input","action_id":"v","initial_value":%q}}`, text("plain_text", label), long(value))
	}
	view := func(title, submit, metadata int, callback string, blocks ...string) string {
		return fmt.Sprintf(`{"type":"modal","title":%s,"submit":%s,"private_metadata":%q,"callback_id":%q,"blocks":[%s]}`,
			text("plain_text", title), text("plain_text", submit), long(metadata), callback, strings.Join(blocks, ","))
	}
	for _, c := range []struct{ what, view, want string }{
		{"all that there may be", view(24, 24, 3000, strings.Repeat("c", 255), input(2000, 3000)), ""},
		{"a title of 25", view(25, 1, 0, "c", input(1, 1)), "invalid_arguments"},
		{"no title", view(0, 1, 0, "c", input(1, 1)), "invalid_arguments"},
		{"a button of 25", view(1, 25, 0, "c", input(1, 1)), "invalid_arguments"},
		{"metadata of 3001", view(1, 1, 3001, "c", input(1, 1)), "invalid_arguments"},
		{"a name of 256", view(1, 1, 0, strings.Repeat("c", 256), input(1, 1)), "invalid_arguments"},
		{"a label of 2001", view(1, 1, 0, "c", input(2001, 1)), "invalid_arguments"},
		{"a value of 3001", view(1, 1, 0, "c", input(1, 3001)), "invalid_arguments"},
		{"nothing in it", view(1, 1, 0, "c"), "invalid_arguments"},
		{"an input that can't be sent", `{"type":"modal","title":` + text("plain_text", 1) + `,"blocks":[` + input(1, 1) + `]}`, "invalid_arguments"},
	} {
		trigger := p.server.Slash(ada, general, "help")
		if a := p.call("views.open", url.Values{"trigger_id": {trigger}, "view": {c.view}}); a.Error != c.want {
			t.Errorf("%s: %q", c.what, a.Error)
		}
	}
}

// docs.slack.dev/apis/web-api/rate-limits, and the tier on each method's page.
func TestReadingHasTiers(t *testing.T) {
	p := newPeer(t, slack.Options{})
	const tier, enough = 50, 1000 // in a minute, and calls that can't take that long
	for n := range enough {
		if a := p.call("conversations.info", url.Values{"channel": {"C404"}}); a.Error == "ratelimited" {
			if n < tier {
				t.Errorf("refused after %d calls", n)
			}
			return
		}
	}
	t.Errorf("%d calls and no limit", enough)
}
