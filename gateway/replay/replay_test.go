package replay_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"talaria/adapters/inbound"
	"talaria/core/chat"
	"talaria/gateway/replay"

	"github.com/google/go-cmp/cmp"
)

// plain is a platform whose raw events are chat.Events with a few words more.
type plain struct{}

type plainEvent struct {
	chat.Event
	Reason   inbound.Reason
	Concerns string
	Group    string
	Other    bool
}

func (plain) Normalize(raw json.RawMessage, _ inbound.Known) inbound.Item {
	var e plainEvent
	if json.Unmarshal(raw, &e) != nil {
		return inbound.Drop(inbound.Unsupported)
	}
	item := inbound.Item{Event: e.Event, Reason: e.Reason, Concerns: e.Concerns, Group: e.Group, ToOtherBot: e.Other}
	if e.Kind == chat.Press {
		item.Effects = []inbound.Effect{inbound.AnswerCallback(e.Message)}
	}
	return item
}

func (plain) Merge(parts []chat.Event) chat.Event {
	whole := parts[0]
	whole.Text = ""
	for _, p := range parts {
		whole.Text += p.Text
	}
	return whole
}

func (plain) Chat(a chat.Address) string { return a.Chat }

func said(change func(*plainEvent)) plainEvent {
	e := plainEvent{Event: chat.Event{
		Kind: chat.Message, Keys: []string{"k1"}, Message: "1", Text: "hi", Addressed: chat.ByMention,
		At: time.Unix(1000, 0).UTC(), Address: chat.Address{Chat: "c"}, Author: chat.Author{Identity: chat.Identity{ID: "u"}},
	}}
	if change != nil {
		change(&e)
	}
	return e
}

// summary is an Answer in a few words.
func summary(a replay.Answer) []string {
	var all []string
	for _, t := range a.Turns {
		all = append(all, "turn "+t.Key+" "+string(t.AddressedBy)+" "+t.Text)
	}
	for _, x := range a.Actions {
		all = append(all, "action "+x.Action+":"+x.Token)
	}
	for _, i := range a.Ignored {
		all = append(all, "ignored "+string(rune('0'+i.Event))+" "+string(i.Reason))
	}
	for _, e := range a.Effects {
		all = append(all, strings.Join(strings.Fields("effect "+e.Type+" "+e.ID+e.Key+" "+e.Chat+e.From+" "+e.To+" "+e.Text+e.About), " "))
	}
	return all
}

func TestReplay(t *testing.T) {
	edit := func(e *plainEvent) { e.Kind, e.Keys, e.Concerns, e.Text = chat.Edit, []string{"k1:e"}, "k1", "new" }
	ambient := func(e *plainEvent) { e.Addressed = chat.Ambient }
	for _, c := range []struct {
		name, context string
		events        []plainEvent
		want          []string
	}{
		{"a mention", `{}`, []plainEvent{said(nil)}, []string{"turn k1 mention hi"}},
		{"twice", `{}`, []plainEvent{said(nil), said(nil)}, []string{"turn k1 mention hi", "ignored 1 duplicate"}},
		{"seen before", `{"seen":["k1"]}`, []plainEvent{said(nil)}, []string{"ignored 0 duplicate"}},
		{"first unheard, then with a mention", `{}`, []plainEvent{said(ambient), said(nil)},
			[]string{"turn k1 mention hi", "ignored 0 not_addressed"}},
		{"an awake thread", `{"active_threads":["c#t"]}`,
			[]plainEvent{said(func(e *plainEvent) { ambient(e); e.Address.Thread = "t" })}, []string{"turn k1 thread hi"}},
		{"a room without mentions", `{"require_mention":false}`, []plainEvent{said(ambient)}, []string{"turn k1 ambient hi"}},
		{"there, but to another bot", `{"require_mention":false}`,
			[]plainEvent{said(func(e *plainEvent) { ambient(e); e.Other = true })}, []string{"ignored 0 addressed_elsewhere"}},
		{"another bot", `{}`, []plainEvent{said(func(e *plainEvent) { e.Author.Bot = true })}, []string{"ignored 0 bot_message"}},
		{"a bot that may mention", `{"allow_bots":"mentions"}`,
			[]plainEvent{said(func(e *plainEvent) { e.Author.Bot = true })}, []string{"turn k1 mention hi"}},
		{"a bot that may mention replies", `{"allow_bots":"mentions"}`,
			[]plainEvent{said(func(e *plainEvent) { e.Author.Bot, e.Addressed = true, chat.ByReply })}, []string{"ignored 0 bot_message"}},
		{"itself, whatever is allowed", `{"allow_bots":true}`,
			[]plainEvent{said(func(e *plainEvent) { e.Author.Self, e.Author.Bot = true, true })}, []string{"ignored 0 own_message"}},
		{"nobody in person", `{}`, []plainEvent{said(func(e *plainEvent) { e.Author.Anonymous = true })}, []string{"ignored 0 anonymous_sender"}},
		{"a place that is not let in", `{"allowed_channels":["d"]}`, []plainEvent{said(nil)}, []string{"ignored 0 not_addressed"}},
		{"too old", `{"now":5000,"max_age_s":60}`, []plainEvent{said(nil)}, []string{"ignored 0 stale", "effect tell_user c stale"}},
		{"old enough", `{"now":"1970-01-01T00:17:00Z","max_age_s":60}`, []plainEvent{said(nil)}, []string{"turn k1 mention hi"}},
		{"edit of what waits", `{"queued":["k1"]}`, []plainEvent{said(edit)}, []string{"effect replace_queued k1 new"}},
		{"edit of what waits, to the same", `{"queued":[{"dedupe_key":"k1","text":"new"}]}`, []plainEvent{said(edit)},
			[]string{"ignored 0 edit_without_change"}},
		{"edit after the turn", `{"seen":["k1"]}`, []plainEvent{said(edit)}, []string{"ignored 0 edit_after_turn"}},
		{"edit that adds the mention", `{}`, []plainEvent{said(edit)}, []string{"turn k1 mention new"}},
		{"edit of what never was for the bot", `{}`, []plainEvent{said(func(e *plainEvent) { edit(e); ambient(e) })},
			[]string{"ignored 0 not_addressed"}},
		{"edit of a direct message long ago", `{}`, []plainEvent{said(func(e *plainEvent) { edit(e); e.Direct, e.Addressed = true, chat.ByDM })},
			[]string{"ignored 0 edit_after_turn"}},
		{"an album", `{}`, []plainEvent{
			said(func(e *plainEvent) { e.Group = "g" }),
			said(func(e *plainEvent) { e.Group, e.Message = "g", "2" }),
			said(func(e *plainEvent) { e.Group, e.Message = "g", "2" }),
		}, []string{"turn k1 mention hihi", "ignored 2 duplicate"}},
		{"an album to nobody", `{}`, []plainEvent{
			said(func(e *plainEvent) { e.Group = "g"; ambient(e) }),
			said(func(e *plainEvent) { e.Group, e.Message = "g", "2"; ambient(e) }),
		}, []string{"ignored 0 not_addressed", "ignored 1 not_addressed"}},
		{"a press, twice", `{}`, []plainEvent{
			said(func(e *plainEvent) { e.Kind, e.Press = chat.Press, &chat.PressData{Action: "a", Token: "t"} }),
			said(func(e *plainEvent) { e.Kind, e.Press = chat.Press, &chat.PressData{Action: "a", Token: "t"} }),
		}, []string{"action a:t", "ignored 1 duplicate", "effect answer_callback 1", "effect answer_callback 1"}},
		{"both halves of a migration", `{}`, []plainEvent{
			said(func(e *plainEvent) {
				e.Kind, e.Migrate = chat.Migrate, &chat.Migration{From: chat.Address{Chat: "c"}, To: chat.Address{Chat: "d"}}
			}),
			said(func(e *plainEvent) {
				e.Kind, e.Migrate = chat.Migrate, &chat.Migration{From: chat.Address{Chat: "c"}, To: chat.Address{Chat: "d"}}
			}),
		}, []string{"ignored 0 system_message", "ignored 1 system_message", "effect migrate_chat c d"}},
		{"the bot was thrown out", `{}`, []plainEvent{said(func(e *plainEvent) { e.Kind, e.Author.Self = chat.Leave, true })},
			[]string{"ignored 0 system_message", "effect target_dead c"}},
		{"a person left", `{}`, []plainEvent{said(func(e *plainEvent) { e.Kind = chat.Leave })}, []string{"ignored 0 system_message"}},
		{"a message is gone", `{}`, []plainEvent{said(func(e *plainEvent) { e.Kind = chat.Delete })}, []string{"ignored 0 deleted"}},
		{"a reaction", `{}`, []plainEvent{said(func(e *plainEvent) { e.Kind = chat.Reaction })}, []string{"ignored 0 unsupported_update"}},
		{"dropped by the adapter", `{}`, []plainEvent{said(func(e *plainEvent) { e.Reason = inbound.Ping })}, []string{"ignored 0 ping"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			line, err := json.Marshal(map[string]any{"id": "x", "context": json.RawMessage(c.context), "events": c.events})
			if err != nil {
				t.Fatal(err)
			}
			answer, err := replay.Line(line, plain{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, summary(answer)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestReplayRefusesWhatIsNoRequest(t *testing.T) {
	for _, line := range []string{"", "[]", `{"context":{"queued":7}}`, `{"context":{"now":"soon"}}`} {
		if _, err := replay.Line([]byte(line), plain{}); err == nil {
			t.Errorf("%q is taken", line)
		}
	}
}
