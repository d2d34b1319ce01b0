package place_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/place"
)

// world is where somebody takes part, and what a platform calls that.
type world map[chat.Address][]string

func (w world) Readable(context.Context, person.Principal) (all []chat.Address, err error) {
	for _, id := range []string{"D1", "C100", "C200", "C300", "C400", "C500", "C600"} {
		for a := range w {
			if a.Chat == id {
				all = append(all, a)
			}
		}
	}
	return all, nil
}

func (w world) Names(_ context.Context, a chat.Address) ([]string, error) {
	if names, ok := w[a]; ok {
		return names, nil
	}
	return nil, errors.New("no such place")
}

func at(id string) chat.Address { return chat.Address{Platform: "slack", Workspace: "T1", Chat: id} }

func book() *place.Book {
	w := world{
		at("D1"): nil, at("C100"): {"ops"}, at("C200"): {"releases"}, at("C300"): {"support"}, at("C400"): {"support"}, at("C500"): {"運維"},
		at("C600"): {"Café Müller"},
	}
	return place.New(w, map[string]chat.Namer{"slack": w}, slog.New(slog.DiscardHandler))
}

func TestAPlaceIsFoundByWhatItIsCalled(t *testing.T) {
	who := person.Principal{Place: at("D1"), Direct: true, Identity: chat.Identity{Platform: "slack", Workspace: "T1", ID: "U1"}}
	b := book()
	for word, want := range map[string]chat.Address{
		"#ops": at("C100"), "ops": at("C100"), "OPS": at("C100"), "<#C100|ops>": at("C100"), "<#C100>": at("C100"), "<#C100|>": at("C100"),
		"C200": at("C200"), "#C200": at("C200"), "#運維": at("C500"), "cafe muller": at("C600"), "slack:T1:C900": at("C900"),
		"C0123456": at("C0123456"), "<#C0123456|unknown>": at("C0123456"),
	} {
		if got, err := b.Find(t.Context(), who, word); err != nil || got != want {
			t.Errorf("%q is %v, %v", word, got, err)
		}
	}
	for word, want := range map[string][]string{
		"#support": {"#support (C300)", "#support (C400)"}, "#opps": {"#ops"}, "#release": {"#releases"},
		"#zzzzzzzz": {"#ops", "#releases", "#support (C300)", "#support (C400)", "#運維"}, "": nil,
	} {
		_, err := b.Find(t.Context(), who, word)
		unclear, ok := errors.AsType[*place.Unclear](err)
		if !ok {
			t.Errorf("%q gives %v", word, err)
			continue
		}
		if diff := cmp.Diff(want, unclear.Like); want != nil && diff != "" {
			t.Errorf("like %q (-want +got):\n%s", word, diff)
		}
		if unclear.Several != (word == "#support") || !strings.Contains(err.Error(), word) {
			t.Errorf("%q is told of as %v", word, err)
		}
	}
}

func TestWhereSomebodyTakesPartIsNotToldInASharedPlace(t *testing.T) {
	who := person.Principal{Place: at("C100"), Identity: chat.Identity{Platform: "slack", Workspace: "T1", ID: "U1"}}
	for word, want := range map[string][]string{"#zzzzzzzz": nil, "#release": {"#releases"}} {
		_, err := book().Find(t.Context(), who, word)
		if unclear, ok := errors.AsType[*place.Unclear](err); !ok || !cmp.Equal(want, unclear.Like) {
			t.Errorf("%q tells of %v", word, unclear)
		}
	}
}

func TestAPlaceWithoutANameIsCalledByItsID(t *testing.T) {
	b := book()
	for a, want := range map[chat.Address]string{
		at("C100"): "#ops", at("D1"): "D1", at("C777"): "C777", {Platform: "console", Chat: "console"}: "console",
	} {
		if got := b.Name(t.Context(), a); got != want {
			t.Errorf("%v is called %q", a, got)
		}
	}
}
