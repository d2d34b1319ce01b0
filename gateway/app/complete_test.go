package app_test

import (
	"slices"
	"strings"
	"testing"

	"talaria/adapters/fake/discord"
	"talaria/gateway/app"
)

// offered are the completions that somebody on Discord is shown.
func (s discordStage) offered(t *testing.T, user, channel, name, verb, option, typed string) (shown []string) {
	t.Helper()
	token := s.Type(user, channel, name, verb, option, typed)
	if token == "" {
		t.Fatalf("/%s %s %s is not completed", name, verb, option)
	}
	if err := s.Await(t.Context(), func() (ok bool) { shown, ok = s.Completions(token); return ok }); err != nil {
		t.Fatal(err)
	}
	return shown
}

// do gives a command by its native form.
func (s discordStage) do(user, channel, name, verb string, values ...string) {
	var options []any
	for pair := range slices.Chunk(values, 2) {
		options = append(options, map[string]any{"type": 3, "name": pair[0], "value": pair[1]})
	}
	s.Command(user, channel, name, map[string]any{"type": 1, "name": verb, "options": options})
}

func TestTheMenuIsToldInChineseToo(t *testing.T) {
	for _, c := range app.Menu().Commands {
		if c.Told["zh"] == "" {
			t.Errorf("/%s is not", c.Name)
		}
	}
}

func TestCompletionsShowNobodyWhatTheyMayNotSee(t *testing.T) {
	const hers, his = "9011", "9012"
	s := onDiscord(t).(discordStage)
	s.Direct(hers, s.id(ada))
	s.Direct(his, s.id(cy))
	w := newTroupe(t, s)
	w.command(cy, "skills import\n"+tea("one.txt"))
	w.hears(0, "(?s)New skill.*teatime")
	s.do(s.id(ada), hers, "memory", "add", "text", "the safe is behind the picture")
	told := func(what string) func() bool {
		return func() bool {
			return slices.ContainsFunc(s.Sent(hers), func(m discord.Message) bool { return strings.Contains(m.Text, what) })
		}
	}
	if err := s.Await(t.Context(), told("Noted as")); err != nil {
		t.Fatal(err)
	}

	for _, c := range []struct {
		what, user, channel, name, verb, option, typed, want string
	}{
		{"her own card in her own conversation", s.id(ada), hers, "memory", "delete", "id", "picture", "the safe is behind the picture"},
		{"not what isn't asked for", s.id(ada), hers, "memory", "delete", "id", "xyz", ""},
		{"not in the shared place", s.id(ada), discordChannel, "memory", "delete", "id", "", ""},
		{"not to somebody else", s.id(cy), his, "memory", "delete", "id", "", ""},
		{"a draft, where it waits", s.id(ben), discordChannel, "skills", "approve", "name", "tea", "teatime"},
		{"not a space's draft elsewhere", s.id(cy), his, "skills", "approve", "name", "", ""},
		{"a command", s.id(cy), his, "help", "", "command", "mem", "memory: what I remember here"},
		{"not a command that isn't theirs", s.id(cy), his, "help", "", "command", "rol", ""},
	} {
		got := strings.Join(s.offered(t, c.user, c.channel, c.name, c.verb, c.option, c.typed), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", c.what, got)
		}
	}

	for _, c := range s.Menu() {
		if len(c.Options) > 0 && c.Options[0].Name == "arguments" {
			t.Errorf("/%s has a form that Discord does not take", c.Name)
		}
	}
	card := s.offered(t, s.id(ada), hers, "memory", "delete", "id", "")[0]
	id, _, _ := strings.Cut(card, ":")
	s.do(s.id(ada), hers, "memory", "delete", "id", id)
	if err := s.Await(t.Context(), told("Deleted")); err != nil {
		t.Fatal(err)
	}
	for _, b := range w.breaches() {
		t.Error(b)
	}
}
