package slack

import (
	"cmp"
	"context"
	"encoding/json"

	"talaria/adapters/inbound"
	"talaria/adapters/markdown"
	"talaria/core/chat"
	"talaria/core/text"

	"github.com/slack-go/slack"
)

// homeView is the type of a view in the Home tab.
const homeView = "home"

// Slack's limits for a Home tab (docs.slack.dev/reference/views/home-tab-views)
// and a header in it (docs.slack.dev/reference/block-kit/blocks/header-block).
const (
	maxHomeBlocks = 100
	maxHeader     = 150
)

// openedHome is made of the Home tab's opening; the same event tells of the other
// tabs.
func (s *scene) openedHome() inbound.Item {
	switch {
	case s.Tab != "home":
		return inbound.Drop(inbound.System)
	case s.User == "" || s.Channel == "":
		return inbound.Drop(inbound.Unsupported)
	}
	return s.opened("")
}

// opened is the event that a person opened something in their direct
// conversation.
func (s *scene) opened(thread string) inbound.Item {
	return inbound.Item{Event: chat.Event{
		Kind: chat.Opened, At: instant(s.EventTS), Direct: true,
		Keys:    []string{s.place() + ":" + s.Type + ":" + s.User + ":" + cmp.Or(thread, s.EventTS)},
		Address: chat.Address{Platform: Platform, Workspace: s.me.team, Chat: s.Channel, Thread: thread},
		Author:  s.author(&s.event.message),
	}}
}

// onHome is a press in a Home tab, which names no channel: the direct
// conversation stands in the tab's metadata.
func (p *interaction) onHome(a action, press chat.PressData, team string, ok bool) inbound.Item {
	var m formMetadata
	if json.Unmarshal([]byte(p.View.Metadata), &m) != nil || m.Chat == "" || !ok || p.User.ID == "" {
		return inbound.Drop(inbound.UnknownPress)
	}
	at := instant(a.TS)
	return inbound.Item{Event: chat.Event{
		Kind: chat.Press, At: at, Direct: true, Press: &press, Page: true,
		Keys:    []string{Platform + ":action:" + team + ":" + m.Chat + ":home:" + cmp.Or(a.TS, p.Trigger)},
		Address: chat.Address{Platform: Platform, Workspace: team, Chat: m.Chat},
		Author:  p.author(team), Interaction: handle(p.Trigger, p.ResponseURL, at),
	}}
}

// ShowHome implements chat.HomeKeeper.
func (a *Adapter) ShowHome(ctx context.Context, place chat.Address, who chat.Identity, p chat.Page) error {
	where, err := json.Marshal(formMetadata{Chat: place.Chat})
	if err != nil {
		return err
	}
	view := slack.HomeTabViewRequest{
		Type: slack.VTHomeTab, PrivateMetadata: string(where), Blocks: slack.Blocks{BlockSet: homeBlocks(p)},
	}
	_, err = a.client.call(ctx, "views.publish", func(ctx context.Context, api *slack.Client) error {
		_, err := api.PublishViewContext(ctx, slack.PublishViewContextRequest{UserID: who.ID, View: view})
		return err
	})
	return err
}

// homeBlocks are a page's blocks. Sections share the room, so that a long one
// hides none after it; what there is no room for is counted.
func homeBlocks(p chat.Page) []slack.Block {
	var all []slack.Block
	for n, s := range p.Sections {
		room := (maxHomeBlocks - len(all)) / (len(p.Sections) - n)
		all = append(all, sectionBlocks(s, room)...)
	}
	return all
}

// sectionBlocks are at most room blocks.
func sectionBlocks(s chat.Section, room int) []slack.Block {
	all := []slack.Block{slack.NewHeaderBlock(plain(text.Clip(s.Title, maxHeader)))}
	for n, entry := range s.Entries {
		blocks := entryBlocks(entry)
		last := 0
		if n < len(s.Entries)-1 {
			last = 1 // for how many more there are
		}
		if len(all)+len(blocks)+last > room {
			return append(all, slack.NewSectionBlock(plain("…"), nil, nil))
		}
		all = append(all, blocks...)
	}
	return all
}

// entryBlocks are an entry's text, as much as one section takes, and its buttons.
func entryBlocks(entry chat.Post) []slack.Block {
	messages := markdown.Slack(spelled(entry.Markdown, false))
	if len(messages) == 0 || messages[0].Text == "" {
		return nil
	}
	p := payload{Text: sections(messages[0].Text)[0], Buttons: buttons(entry.Buttons)}
	if len(p.Buttons) == 0 {
		return []slack.Block{textBlock(p.Text)}
	}
	return []slack.Block{textBlock(p.Text), p.row()}
}
