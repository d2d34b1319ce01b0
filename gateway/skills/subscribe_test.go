package skills_test

import (
	"strings"
	"testing"

	"talaria/core/chat"
	"talaria/core/person"
)

var ops = chat.Address{Platform: "slack", Workspace: "T1", Chat: "C-ops"}

// inBoth has everybody take part in two channels, and gives ben's place a skill.
func inBoth(t *testing.T) *world {
	w := newWorld(t)
	for _, i := range []chat.Identity{ada, ben, cy} {
		for _, at := range []chat.Address{general, ops} {
			if err := w.directory.Been(t.Context(), w.resolve(i, at, false)); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.run(w.here(ben), "import\n"+recipe("tea", "Ask who wants tea."))
	w.run(w.here(ben), "approve tea")
	return w
}

func (w *world) there(i chat.Identity) person.Principal { return w.resolve(i, ops, false) }

func recipe(name, step string) string {
	return "---\nname: " + name + "\ndescription: How to make " + name + ".\n---\n\n1. " + step + "\n"
}

// says runs commands one after the other and checks what each answers.
func (w *world) says(steps ...step) {
	w.Helper()
	for _, s := range steps {
		got := w.run(s.who, s.line)
		for _, want := range s.want {
			if !strings.Contains(got, want) {
				w.Errorf("%s: no %q in\n%s", s.line, want, got)
			}
		}
	}
}

type step struct {
	who  person.Principal
	line string
	want []string
}

func TestAChannelSubscribesToAnothersSkill(t *testing.T) {
	w := inBoth(t)
	w.says(
		step{w.there(ben), "subscribe tea", []string{"No other place offers"}},
		step{w.here(cy), "share tea #ops", []string{"did not work", "/role"}},
		step{w.here(ben), "share tea", []string{"used here already"}},
		step{w.here(ben), "share tea #ops", []string{"offered to `#ops`"}},
		step{w.here(ben), "list", []string{"Offered to `#ops`"}},
		step{w.there(cy), "list", []string{"no skills here"}},
		step{w.there(cy), "subscribe", []string{"`tea` of `#general`", "not used here"}},
		step{w.there(cy), "subscribe tea", []string{"did not work", "/role"}},
		step{w.there(ben), "subscribe tea #nowhere", []string{"No other place offers"}},
		step{w.there(ben), "subscribe tea #general", []string{"is used here from the next request"}},
		step{w.there(ben), "subscribe tea", []string{"nothing would change"}},
		step{w.there(cy), "list", []string{"`tea`", "subscribed", "Of `#general`; subscribed to by `slack:T1:ben` on "}},
		step{w.there(cy), "show tea", []string{"Ask who wants tea", "subscribed to it of `#general`"}},
		step{w.there(cy), "search making tea", []string{"`tea`"}},
		step{w.here(cy), "list", []string{"Also used in `#ops` since "}},
		step{w.there(ben), "disable tea", []string{"another place keeps", "/skills subscribe tea stop"}},
		step{w.there(ben), "edit tea\n" + recipe("tea", "Buy cake."), []string{"another place keeps"}},
		step{w.there(ben), "share tea #general", []string{"not this place's to offer"}},
		step{w.dm(cy), "list", []string{"no skills here"}},
		step{w.there(ben), "audit", []string{"subscribe `tea`"}},
		step{w.there(ben), "subscribe tea stop", []string{"no longer used here"}},
		step{w.there(cy), "list", []string{"no skills here"}},
		step{w.there(ben), "subscribe tea", []string{"is used here"}},
		step{w.here(ben), "share tea #ops stop", []string{"no longer offered"}},
		step{w.there(cy), "show tea", []string{"no skill `tea`"}},
	)
	if n := len(w.said); n != 2 || w.said[1].to != ops || !strings.Contains(w.said[1].post.Markdown, "`#general` offers its skill **tea**") {
		t.Errorf("told %+v", w.said)
	}
}

func TestAPlaceIsNamedToShareInIt(t *testing.T) {
	w := inBoth(t)
	w.run(w.dm(cy), "import\n"+recipe("cake", "Bake it."))
	w.run(w.dm(cy), "approve cake")
	w.says(
		step{w.dm(cy), "share cake", []string{"in the place that you want to use it in"}},
		step{w.dm(cy), "share cake #opps", []string{"no place `#opps`", "Did you mean `#ops`?"}},
		step{w.dm(cy), "share cake #ops", []string{"serves your own requests in `#ops`"}},
		step{w.there(cy), "show cake", []string{"Bake it"}},
		step{w.there(ben), "show cake", []string{"no skill `cake`"}},
		step{w.dm(cy), "share cake <#C-ops|ops> stop", []string{"no longer used in `#ops`"}},
		step{w.there(cy), "show cake", []string{"no skill `cake`"}},
		step{w.here(ben), "subscribe cake", []string{"No other place offers `cake`"}},
	)
}
