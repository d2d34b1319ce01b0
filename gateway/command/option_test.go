package command_test

import (
	"context"
	"fmt"
	"testing"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"

	"github.com/google/go-cmp/cmp"
)

func TestWhatIsOfferedWhileTyping(t *testing.T) {
	fruits := func(context.Context, person.Principal) (all []chat.Choice, err error) {
		for n := range 40 {
			all = append(all, chat.Choice{Value: fmt.Sprint("f", n), Label: fmt.Sprint("apple ", n)})
		}
		return append(all, chat.Choice{Value: "x1", Label: "Pineapple"}, chat.Choice{Value: "apricot"}), nil
	}
	tb := command.NewTable([]command.Command{{
		Name: "eat", Summary: "eat", Role: person.Member,
		Verbs: []command.Verb{{Name: "one", Options: []command.Option{{Name: "fruit", Complete: fruits}, {Name: "how"}}}},
	}})
	for what, c := range map[string]struct {
		role  person.Role
		query chat.QueryData
		want  []string
	}{
		"begins with it, then holds it": {person.Member, chat.QueryData{Command: "eat", Verb: "one", Option: "fruit", Typed: "AP"}, nil}, // more than 25
		"a label's middle":              {person.Member, chat.QueryData{Command: "eat", Verb: "one", Option: "fruit", Typed: "neap"}, []string{"x1"}},
		"a value without a label":       {person.Member, chat.QueryData{Command: "eat", Verb: "one", Option: "fruit", Typed: "apr"}, []string{"apricot"}},
		"nothing fits":                  {person.Member, chat.QueryData{Command: "eat", Verb: "one", Option: "fruit", Typed: "plum"}, []string{}},
		"who may not":                   {person.Guest, chat.QueryData{Command: "eat", Verb: "one", Option: "fruit"}, []string{}},
		"anything can be said":          {person.Member, chat.QueryData{Command: "eat", Verb: "one", Option: "how"}, []string{}},
		"no such verb":                  {person.Member, chat.QueryData{Command: "eat", Verb: "two", Option: "fruit"}, []string{}},
		"no such command":               {person.Member, chat.QueryData{Command: "drink", Option: "fruit"}, []string{}},
		"help knows what one may use":   {person.Guest, chat.QueryData{Command: "help", Option: "command"}, []string{"help"}},
	} {
		got, err := tb.Complete(t.Context(), person.Principal{Role: c.role}, c.query)
		if err != nil {
			t.Fatal(err)
		}
		values := []string{}
		for _, choice := range got {
			values = append(values, choice.Value)
		}
		if c.want == nil {
			if len(got) != 25 || values[0] != "f0" {
				t.Errorf("%s: %q", what, values)
			}
			continue
		}
		if diff := cmp.Diff(c.want, values); diff != "" {
			t.Errorf("%s (-want +got)\n%s", what, diff)
		}
	}
}
