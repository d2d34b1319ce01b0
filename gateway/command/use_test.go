package command_test

import (
	"slices"
	"strings"
	"testing"

	"talaria/core/person"
	"talaria/core/tool"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// toolbox is a house where everything may be used.
type toolbox struct{ command.House }

func (toolbox) Tools(person.Principal) []string { return tool.Names() }

func TestEveryToolIsToldInThePersonsLanguage(t *testing.T) {
	commands := command.ForHouse(toolbox{})
	n := slices.IndexFunc(commands, func(c command.Command) bool { return c.Name == "tools" })
	for lang, stop := range map[wording.Language]string{wording.English: ".", wording.Chinese: "。"} {
		post, err := commands[n].Run(wording.With(t.Context(), lang), command.Call{})
		if err != nil {
			t.Fatal(err)
		}
		_, list, _ := strings.Cut(post.Markdown, "\n\n")
		lines := strings.Split(list, "\n")
		if len(lines) != len(tool.Names()) {
			t.Errorf("%s: %q", lang, post.Markdown)
		}
		for _, l := range lines {
			name, purpose, _ := strings.Cut(strings.TrimPrefix(l, "- `"), "`")
			if purpose = strings.Trim(purpose, ":： "+stop); purpose == "" || wording.LanguageOf(purpose) != lang {
				t.Errorf("%s: %s is for %q", lang, name, purpose)
			}
		}
	}
}
