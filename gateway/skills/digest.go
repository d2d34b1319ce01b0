package skills

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/learning/curate"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// The buttons of a digest.
const (
	actKeep    = "skill.keep"
	actImprove = "skill.improve"
	actArchive = "skill.archive"
)

// maxButtons bounds the buttons of a digest, three for each skill.
const maxButtons = 9

// decisions are the buttons about one skill.
func decisions(ctx context.Context, s skill.Scope, name string) []chat.Button {
	t := skillToken(skill.Ref{Scope: s, Name: name})
	const most = 16
	short := command.Clipped(name, most)
	return []chat.Button{
		{Label: wording.Text(ctx, "Keep %s", short), Action: actKeep, Token: t},
		{Label: wording.Text(ctx, "Improve %s", short), Action: actImprove, Token: t, Style: "primary"},
		{Label: wording.Text(ctx, "Archive %s", short), Action: actArchive, Token: t, Style: "danger"},
	}
}

// skillToken names a skill, whatever its revision.
func skillToken(r skill.Ref) string {
	sum := sha256.Sum256([]byte("skill\x00" + r.At(0).String()))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:16])[:26])
}

// Digested puts the weekly digest before those who decide about a scope.
func (d *Desk) Digested(ctx context.Context, g curate.Digest) error {
	var names []string
	for _, part := range [][]curate.Entry{g.Ailing, g.Prune, g.Improve, g.Failed, g.Keep} {
		for _, e := range part {
			names = append(names, e.Name)
		}
	}
	p, ok, err := d.at(ctx, g.Scope, names...)
	if err != nil || !ok {
		return err
	}
	if ctx, err = wording.ForUnasked(ctx, d.Store, p.Person); err != nil {
		return err
	}
	return d.tell(ctx, "digest:"+g.Scope.String()+":"+g.At.UTC().Format("2006-01-02"), p.Place.Place(), digestPost(ctx, g))
}

func digestPost(ctx context.Context, g curate.Digest) chat.Post {
	var b strings.Builder
	part := func(title string, all []curate.Entry) {
		if len(all) == 0 {
			return
		}
		fmt.Fprintf(&b, "**%s**\n\n", wording.In(ctx).Of(title))
		for _, e := range all {
			b.WriteString(wording.Text(ctx, "- `%s` (revision %d): %s\n", code(e.Name), e.Revision, command.Plain(e.Why)))
		}
		b.WriteByte('\n')
	}
	part("Out of use, for their health check failed; each needs a new text", g.Failed)
	part("Their health check failed; they are yours, so you decide", g.Ailing)
	part("Prune: they fail more often than they help", g.Prune)
	part("Improve: they could do better", g.Improve)
	part("Keep: they do well", g.Keep)
	post := chat.Post{Markdown: "**" + wording.Text(ctx, "How the skills did") + "**\n\n" + strings.TrimSpace(b.String())}
	for _, e := range slices.Concat(g.Ailing, g.Prune, g.Improve) {
		if len(post.Buttons) < maxButtons {
			post.Buttons = append(post.Buttons, decisions(ctx, g.Scope, e.Name)...)
		}
	}
	return post
}

// digest shows the digest of where it is asked for now.
func (d *Desk) digest(ctx context.Context, r request) (chat.Post, error) {
	if !person.AtLeast(r.Who.Role, person.Member) {
		return chat.Post{}, person.ErrForbidden
	}
	g, err := d.Curator().Digest(ctx, skill.Here(r.Who))
	if err != nil {
		return chat.Post{}, err
	}
	if g.Empty() {
		return wording.Say(ctx, "No skill here was used often enough yet to say how it does."), nil
	}
	return digestPost(ctx, g), nil
}

// improve proposes a better text for a skill.
func (d *Desk) improve(ctx context.Context, r request) (chat.Post, error) {
	name, _ := r.first()
	s, err := d.own(ctx, r, name)
	if err != nil {
		return chat.Post{}, err
	}
	return d.improved(ctx, r.Who, s.Ref)
}

func (d *Desk) improved(ctx context.Context, who person.Principal, r skill.Ref) (chat.Post, error) {
	if !person.AtLeast(who.Role, person.Member) {
		return chat.Post{}, person.ErrForbidden
	}
	pr, err := d.Curator().Improve(ctx, r)
	if errors.Is(err, curate.ErrNoBetter) {
		return wording.Say(ctx, "I have nothing better for **%s**: %s.", code(r.Name), command.Plain(err.Error())), nil
	}
	if err != nil {
		return chat.Post{}, err
	}
	out, err := d.library.Propose(ctx, who, pr)
	if err != nil {
		return chat.Post{}, err
	}
	return d.outcome(ctx, who, out)
}

// planned shows what the next look would do, changing nothing.
func (d *Desk) planned(ctx context.Context, who person.Principal) (chat.Post, error) {
	if !person.AtLeast(who.Role, person.Member) {
		return chat.Post{}, person.ErrForbidden
	}
	p, err := d.Curator().Plan(ctx, skill.Here(who))
	if err != nil {
		return chat.Post{}, err
	}
	if len(p.Actions) == 0 {
		return wording.Say(ctx, "The next look would change nothing here."), nil
	}
	return wording.Say(ctx, "The next look would do this:\n\n%s", fenced("", strings.TrimSpace(p.String()))), nil
}

// judged finds the skill that a digest's button is about.
func (d *Desk) judged(do func(ctx context.Context, p command.Press, s skill.Skill) (chat.Post, error)) func(context.Context, command.Press) (command.Reaction, error) {
	return func(ctx context.Context, p command.Press) (command.Reaction, error) {
		all, err := d.library.List(ctx, p.Who)
		if err != nil {
			return command.Reaction{}, err
		}
		for _, s := range all {
			if skillToken(s.Ref) != p.Token {
				continue
			}
			post, err := do(ctx, p, s)
			post, err = settle(ctx, post, err)
			return command.Reaction{Say: post}, err
		}
		return command.Reaction{Say: wording.Say(ctx, "There is no such skill here any more."), Aside: true}, nil
	}
}

func (d *Desk) keepIt(ctx context.Context, p command.Press, s skill.Skill) (chat.Post, error) {
	if !p.Who.Direct && !person.AtLeast(p.Who.Role, person.Approver) {
		return chat.Post{}, person.ErrForbidden
	}
	if err := d.Curator().Keep(ctx, s.Ref); err != nil {
		return chat.Post{}, err
	}
	return wording.Say(ctx, "**%s** stays as it is. I ask again when it has changed.", code(s.Name)), nil
}

func (d *Desk) improveIt(ctx context.Context, p command.Press, s skill.Skill) (chat.Post, error) {
	return d.improved(ctx, p.Who, s.Ref)
}

func (d *Desk) archiveIt(ctx context.Context, p command.Press, s skill.Skill) (chat.Post, error) {
	if _, err := d.library.Archive(ctx, p.Who, s.Ref.At(0), "said so at the digest"); err != nil {
		return chat.Post{}, err
	}
	return wording.Say(ctx, "**%s** is put away. `/skills restore %s` undoes that.", code(s.Name), code(s.Name)), nil
}

// digestActions are what the buttons of digests and reports do.
func (d *Desk) digestActions() []command.Action {
	return []command.Action{
		{Name: actKeep, Role: person.Guest, Run: d.judged(d.keepIt)},
		{Name: actImprove, Role: person.Guest, Run: d.judged(d.improveIt)},
		{Name: actArchive, Role: person.Guest, Run: d.judged(d.archiveIt)},
	}
}
