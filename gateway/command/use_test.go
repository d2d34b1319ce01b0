package command_test

import (
	"context"
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
	for _, c := range command.ForHouse(toolbox{}) {
		if c.Name != "tools" {
			continue
		}
		for lang, stop := range map[wording.Language]string{wording.English: ".", wording.Chinese: "。"} {
			post, err := c.Run(wording.With(context.Background(), lang), command.Call{})
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
}
