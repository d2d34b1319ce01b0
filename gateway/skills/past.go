package skills

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"talaria/core/chat"
	"talaria/gateway/command"
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
			mark = ", **in force**"
		}
		fmt.Fprintf(&b, "- %d, %s, by %s: %s%s", v.Number, v.Created.UTC().Format("2 Jan 2006 15:04"), writer(v), v.State, mark)
		if v.Grant != nil && v.Grant.Policy != "" {
			fmt.Fprintf(&b, " (by the policy %s)", command.Plain(v.Grant.Policy))
		} else if v.Grant != nil {
			fmt.Fprintf(&b, " (by `%s`)", code(v.Grant.As.String()))
		}
		if v.Reason != "" {
			b.WriteString(": " + command.Clipped(v.Reason, 120))
		}
		b.WriteByte('\n')
	}
	return say("**%s**\n\n%s\n`/skills diff %s FROM TO` compares two, `/skills rollback %s NUMBER` goes back to one.", s.Name, b.String(), s.Name, s.Name), nil
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
			return command.Refuse("`%s` is no revision of `%s`; they are numbered to %d.", code(w), s.Name, s.Last)
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
		return say("Revisions %d and %d of `%s` say the same.", from, to, s.Name), nil
	}
	what := fmt.Sprintf("revision %d to %d", from, to)
	if from <= 0 {
		what = fmt.Sprintf("revision %d, all of it new", to)
	}
	return say("**%s**, %s\n\n%s", s.Name, what, fenced("diff", unmarked(text))), nil
}

func (d *Desk) audit(ctx context.Context, r request) (chat.Post, error) {
	const most = 20
	all, err := d.library.Audit(ctx, r.Who, most)
	if err != nil {
		return chat.Post{}, err
	}
	if len(all) == 0 {
		return say("Nothing was decided here yet."), nil
	}
	var b strings.Builder
	for _, e := range all {
		by := "me"
		if e.By != "" {
			by = "`" + code(e.As.String()) + "`"
		}
		fmt.Fprintf(&b, "- %s %s `%s` by %s", e.At.UTC().Format("2 Jan 15:04"), e.Action, code(e.Ref.Name), by)
		if e.Refused != "" {
			fmt.Fprintf(&b, " — **refused**: %s", command.Plain(e.Refused))
		}
		if e.Reason != "" {
			fmt.Fprintf(&b, " (%s)", command.Clipped(e.Reason, 80))
		}
		b.WriteByte('\n')
	}
	return say("%s", b.String()), nil
}
