package telegram

import (
	"testing"

	tele "gopkg.in/telebot.v3"
)

// entitiesOf makes entities of arbitrary bytes, for fuzzing.
func entitiesOf(numbers []byte) []tele.MessageEntity {
	kinds := []tele.EntityType{
		tele.EntityMention, tele.EntityBold, tele.EntityItalic, tele.EntityCode, tele.EntityCodeBlock,
		tele.EntityTextLink, tele.EntityBlockquote, tele.EntityStrikethrough, tele.EntityTMention,
	}
	var all []tele.MessageEntity
	for i := 0; i+2 < len(numbers); i += 3 {
		all = append(all, tele.MessageEntity{
			Offset: int(int8(numbers[i])), Length: int(int8(numbers[i+1])), Type: kinds[int(numbers[i+2])%len(kinds)],
		})
	}
	return all
}

func TestRichTextBecomesMarkdown(t *testing.T) {
	bold := func(at, n int) tele.MessageEntity {
		return tele.MessageEntity{Type: tele.EntityBold, Offset: at, Length: n}
	}
	for _, c := range []struct {
		name, text, want string
		entities         []tele.MessageEntity
	}{
		{"no entities", "  2 * 3 * 4 ", "2 * 3 * 4", nil},
		{"literal marks stay", "2 * 3 is six", "2 * 3 is **six**", []tele.MessageEntity{bold(9, 3)}},
		{"blanks stay outside of a style", "a bold word", "a **bold** word", []tele.MessageEntity{bold(1, 6)}},
		{"a style of blanks is none", "a   b", "a   b", []tele.MessageEntity{bold(1, 3)}},
		{"nested", "one two three", "**one _two_ three**", []tele.MessageEntity{
			{Type: tele.EntityItalic, Offset: 4, Length: 3}, bold(0, 13),
		}},
		{"crossing: the later one is left out", "one two three", "**one two** three", []tele.MessageEntity{
			bold(0, 7), {Type: tele.EntityItalic, Offset: 4, Length: 9},
		}},
		{"code with back-ticks", "a `b", "a `` `b ``", []tele.MessageEntity{{Type: tele.EntityCode, Offset: 2, Length: 2}}},
		{"the mention goes with one blank", "hey @helper_bot can you", "hey can you", []tele.MessageEntity{
			{Type: tele.EntityMention, Offset: 4, Length: 11},
		}},
		{"another's mention stays", "ask @tomtom", "ask @tomtom", []tele.MessageEntity{
			{Type: tele.EntityMention, Offset: 4, Length: 7},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := newRichText(c.text, c.entities).write(view{markdown: true, without: helper}); got != c.want {
				t.Errorf("got %q, not %q", got, c.want)
			}
		})
	}
}
