package telegram

import (
	"encoding/json"
	"strings"
	"testing"

	"talaria/adapters/adaptertest"
	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// helper is the account in testdata/inbound.
var helper = account{id: 6000000042, name: "helper_bot"}

// TestGolden holds each update of testdata/inbound against what it comes to.
func TestGolden(t *testing.T) {
	adaptertest.Golden(t, func(raw json.RawMessage) inbound.Item { return normalize(raw, helper) })
}

// FuzzNormalize: whatever comes, an update is an event with keys or is dropped
// with a reason, never a panic.
func FuzzNormalize(f *testing.F) {
	for _, raw := range adaptertest.Recorded(f) {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		item := normalize(raw, helper)
		adaptertest.CheckItem(t, item)
		if item.Group != "" {
			mergeAlbum([]chat.Event{item.Event, item.Event})
		}
	})
}

// FuzzRichText: entities of any sort lose no text but the mention.
func FuzzRichText(f *testing.F) {
	f.Add("👋 @helper_bot hi", []byte{3, 11, 0, 0, 2, 1})
	f.Fuzz(func(t *testing.T, text string, numbers []byte) {
		rich := newRichText(text, entitiesOf(numbers))
		got := rich.write(view{without: helper})
		want := strings.TrimSpace(string([]rune(text)))
		if !rich.mentions(helper) && strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(want), "") {
			t.Errorf("%q became %q", want, got)
		}
		rich.write(view{markdown: true, without: helper})
	})
}
