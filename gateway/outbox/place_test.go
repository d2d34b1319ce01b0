package outbox_test

import (
	"testing"

	"talaria/core/chat"
	"talaria/gateway/outbox"
)

// placed says where it was asked to render for.
type placed struct{ *platform }

func (placed) Render(p chat.Post) []chat.Part { return []chat.Part{{Text: p.At.String()}} }

func TestAPlatformKnowsWhereItsWordsWillStand(t *testing.T) {
	t.Parallel()
	box := outbox.New(outbox.Config{Adapters: map[string]chat.Adapter{"test": placed{newPlatform()}}})
	at := here
	at.Thread = "7"
	said := box.Compose(outbox.Say{Turn: "t", Address: at, Post: chat.Post{Markdown: "`/help`"}})
	if len(said) != 1 || said[0].Text != at.String() {
		t.Errorf("rendered for %+v, not for %s", said, at)
	}
}
