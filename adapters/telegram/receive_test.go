package telegram

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/chat"
)

func TestWatermarkConfirmsNoOpenUpdate(t *testing.T) {
	w := newWatermark()
	offset := func(want int64) {
		t.Helper()
		if got := w.offset(); got != want {
			t.Errorf("offset %d, not %d", got, want)
		}
	}
	offset(0)
	for _, id := range []int64{10, 11, 12} {
		if !w.begin(id) {
			t.Errorf("%d is known", id)
		}
	}
	offset(10)
	w.settle(11)
	offset(10)
	if w.begin(11) || w.begin(10) {
		t.Error("a known update is begun again")
	}
	w.settle(10)
	offset(12)
	w.confirm(12)
	w.settle(12)
	offset(13)
	w.confirm(13)
	offset(0) // all confirmed: ask for the earliest there is
	if !w.begin(3) {
		t.Error("after a week's silence ids start anywhere")
	}
	offset(3)
}

func TestAlbumIsClosedAfterAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAlbums(albumPause)
		part := func(id string) chat.Event {
			return chat.Event{Kind: chat.Message, Message: id, Keys: []string{"album", "part " + id}, Text: id}
		}
		done := 0
		settle := func(error) { done++ }
		if fresh, late := a.add("g", part("1"), settle); !fresh || late {
			t.Fatal("the first part is not fresh")
		}
		go func() {
			time.Sleep(albumPause - time.Millisecond)
			a.add("g", part("3"), settle)
			time.Sleep(albumPause - time.Millisecond)
			a.add("g", part("2"), settle)
		}()
		begin := time.Now()
		whole, finish := a.gather(t.Context(), "g")
		if took := time.Since(begin); took != 3*albumPause-2*time.Millisecond {
			t.Errorf("gathered for %v", took)
		}
		if want := []string{"album", "part 1", "part 2", "part 3"}; !slices.Equal(whole.Keys, want) || whole.Text != "[1] 1\n[2] 2\n[3] 3" {
			t.Errorf("whole: %v, %q", whole.Keys, whole.Text)
		}
		if done != 0 {
			t.Error("parts are settled before the whole is kept")
		}
		if finish(nil); done != 3 {
			t.Errorf("%d parts settled", done)
		}
		if _, late := a.add("g", part("4"), settle); !late {
			t.Error("a part after the end is not late")
		}
	})
}

func TestAlbumPartsWakeTogether(t *testing.T) {
	part := func(id, text string, by chat.Addressed) chat.Event {
		return chat.Event{Kind: chat.Message, Message: id, Keys: []string{"a", id}, Text: text, Addressed: by}
	}
	whole := mergeAlbum([]chat.Event{part("9", "", chat.Ambient), part("10", "look", chat.ByMention), part("9", "", chat.Ambient)})
	if whole.Addressed != chat.ByMention || whole.Text != "look" || len(whole.Keys) != 3 {
		t.Errorf("whole: %+v", whole)
	}
	command := part("11", "", chat.ByCommand)
	command.Kind, command.Command = chat.Command, &chat.CommandCall{Name: "read"}
	whole = mergeAlbum([]chat.Event{part("9", "", chat.Ambient), command})
	if whole.Kind != chat.Command || whole.Command.Name != "read" || whole.Addressed != chat.ByCommand {
		t.Errorf("whole: %+v", whole)
	}
}

func TestParkingIsBounded(t *testing.T) {
	p := &parking{store: sink{}}
	for i := range parkingLots {
		if err := p.add(t.Context(), chat.Event{Keys: []string{fmt.Sprint(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.add(t.Context(), chat.Event{}); !errors.Is(err, errNoParking) {
		t.Errorf("one too many: %v", err)
	}
}

// sink is a checkpoint that takes everything.
type sink struct{}

func (sink) Load(context.Context) ([]byte, error) { return nil, nil }

func (sink) Save(context.Context, []byte) error { return nil }
