package skills

import (
	"context"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/text"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// unknownVerb answers a verb that there is none of.
func (d *Desk) unknownVerb(ctx context.Context, name string) (chat.Post, error) {
	var names []string
	for _, v := range d.verbs() {
		names = append(names, v.name)
	}
	return command.Misused(ctx, "`/skills` has no `%s`.%s `/skills help` lists all that it has.", code(command.Clipped(name, 40)), didYouMean(ctx, like(name, names)))
}

// unknownName answers a name that no skill has where it is asked for. Where one
// has it, something else was not found, as why says.
func (d *Desk) unknownName(ctx context.Context, r request, why error) (chat.Post, error) {
	name, _ := r.first()
	all, err := d.library.List(ctx, r.Who)
	if err != nil {
		return chat.Post{}, err
	}
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	if slices.Contains(names, name) {
		return settle(ctx, chat.Post{}, why)
	}
	return command.Refuse(ctx, "There is no skill `%s` here.%s `/skills list` shows what there is.", code(command.Clipped(name, 80)), didYouMean(ctx, like(name, names)))
}

// maxLike bounds what is offered for a word that is none.
const maxLike = 3

// like are the words that one may have been meant for, the nearest first.
func like(word string, all []string) []string {
	word = text.Fold(word)
	far := map[string]int{}
	for _, w := range all {
		n := text.Edits(word, text.Fold(w))
		if len(word) > 2 && strings.Contains(text.Fold(w), word) {
			n = 1
		}
		if n <= 2 && n < len([]rune(word)) {
			far[w] = n
		}
	}
	near := slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(all))), func(w string) bool { return far[w] == 0 })
	slices.SortStableFunc(near, func(a, b string) int { return far[a] - far[b] })
	return near[:min(len(near), maxLike)]
}

func didYouMean(ctx context.Context, words []string) string {
	if len(words) == 0 {
		return ""
	}
	return wording.Text(ctx, " Did you mean %s?", "`"+strings.Join(words, wording.Text(ctx, "` or `"))+"`")
}
