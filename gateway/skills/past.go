package skills

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"talaria/core/chat"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

func (d *Desk) history(ctx context.Context, r request) (chat.Post, error) {
	name, _ := r.first()
	s, err := d.library.Find(ctx, r.Who, name)
	if err != nil {
		return chat.Post{}, err
	}
	all, err := d.library.History(ctx, r.Who, s.Ref)
	if err != nil {
		return chat.Post{}, err
	}
	var b strings.Builder
	for _, v := range all {
		mark := ""
		if v.Number == s.InForce {
			mark = wording.Text(ctx, ", **in force**")
		}
		b.WriteString(wording.Text(ctx, "- %d, %s, by %s: %s%s", v.Number, v.Created.UTC().Format(wording.Text(ctx, "2 Jan 2006 15:04")), writer(ctx, v), wording.In(ctx).Of(string(v.State)), mark))
		if v.Grant != nil && v.Grant.Policy != "" {
			b.WriteString(wording.Text(ctx, " (by the policy %s)", command.Plain(v.Grant.Policy)))
		} else if v.Grant != nil {
			b.WriteString(wording.Text(ctx, " (by `%s`)", code(v.Grant.As.String())))
		}
		if v.Reason != "" {
			b.WriteString(": " + command.Clipped(v.Reason, 120))
		}
		b.WriteByte('\n')
	}
	return wording.Say(ctx, "**%s**\n\n%s\n`/skills diff %s FROM TO` compares two, `/skills rollback %s NUMBER` goes back to one.", s.Name, b.String(), s.Name, s.Name), nil
}

func (d *Desk) diff(ctx context.Context, r request) (chat.Post, error) {
	words := strings.Fields(r.words)
	s, err := d.library.Find(ctx, r.Who, words[0])
	if err != nil {
		return chat.Post{}, err
	}
	from, to := s.InForce-1, s.InForce
	if draft, err := d.waiting(ctx, r.Who, s.Name); err == nil {
		from, to = s.InForce, draft.Number
	}
	for i, w := range words[1:min(len(words), 3)] {
		n, err := strconv.Atoi(w)
		if err != nil || n < 0 || n > s.Last {
			return command.Refuse(ctx, "`%s` is no revision of `%s`; they are numbered to %d.", code(w), s.Name, s.Last)
		}
		if i == 0 {
			from = n
		} else {
			to = n
		}
	}
	text, err := d.library.Diff(ctx, r.Who, s.At(to), max(from, 0))
	if err != nil {
		return chat.Post{}, err
	}
	if text == "" {
		return wording.Say(ctx, "Revisions %d and %d of `%s` say the same.", from, to, s.Name), nil
	}
	what := wording.Text(ctx, "revision %d to %d", from, to)
	if from <= 0 {
		what = wording.Text(ctx, "revision %d, all of it new", to)
	}
	return wording.Say(ctx, "**%s**, %s\n\n%s", s.Name, what, fenced("diff", unmarked(text))), nil
}

func (d *Desk) audit(ctx context.Context, r request) (chat.Post, error) {
	const most = 20
	all, err := d.library.Audit(ctx, r.Who, most)
	if err != nil {
		return chat.Post{}, err
	}
	if len(all) == 0 {
		return wording.Say(ctx, "Nothing was decided here yet."), nil
	}
	var b strings.Builder
	for _, e := range all {
		by := wording.Text(ctx, "me")
		if e.By != "" {
			by = "`" + code(e.As.String()) + "`"
		}
		b.WriteString(wording.Text(ctx, "- %s %s `%s` by %s", e.At.UTC().Format(wording.Text(ctx, "2 Jan 15:04")), wording.In(ctx).Of(string(e.Action)), code(e.Ref.Name), by))
		if e.Refused != "" {
			b.WriteString(wording.Text(ctx, " — **refused**: %s", command.Plain(e.Refused)))
		}
		if e.Reason != "" {
			fmt.Fprintf(&b, " (%s)", command.Clipped(e.Reason, 80))
		}
		b.WriteByte('\n')
	}
	return chat.Post{Markdown: b.String()}, nil
}
