package skills

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/foreign"
	"talaria/core/skill/manifest"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// share lets the person's own turns see a skill of theirs, here or in a place
// that they name and are in. A skill of the place itself is offered to the place
// that is named.
func (d *Desk) share(ctx context.Context, r request) (chat.Post, error) {
	name, rest := r.first()
	word, stop := untilStop(rest)
	who, where := r.Who, wording.Text(ctx, "here")
	if word != "" {
		at, err := d.placed(ctx, r, word)
		if err != nil {
			return chat.Post{}, err
		}
		who, where = at, wording.Text(ctx, "in %s", d.called(ctx, at.Place))
	}
	if who.Direct {
		return command.Refuse(ctx, "Say `/skills share %s` in the place that you want to use it in, or name that place: there it then serves your own requests. `/skills publish %s` gives it to everybody there.", code(name), code(name))
	}
	s, err := d.library.Share(ctx, who, name, !stop)
	if errors.Is(err, skill.ErrNotFound) && !r.Who.Direct {
		return d.offer(ctx, r, name, who, !stop)
	}
	if err != nil {
		return chat.Post{}, err
	}
	if stop {
		return wording.Say(ctx, "**%s** is no longer used %s.", s.Name, where), nil
	}
	return wording.Say(ctx, "**%s** serves your own requests %s now. `/skills share %s stop` there ends that, `/skills publish %s` there proposes it for everybody.", s.Name, where, s.Name, s.Name), nil
}

// untilStop parts the words after a name into a place, whose name may have
// several, and whether something ends.
func untilStop(words string) (place string, stop bool) {
	place, stop = strings.CutSuffix(" "+strings.TrimSpace(words), " stop")
	return strings.TrimSpace(place), stop
}

// called is the name of a place, ready to be shown.
func (d *Desk) called(ctx context.Context, a chat.Address) string {
	return "`" + code(d.Places.Name(ctx, a)) + "`"
}

// placed is whoever asks, in another place of which they are a member.
func (d *Desk) placed(ctx context.Context, r request, word string) (person.Principal, error) {
	p := r.Who
	at, err := d.Places.Find(ctx, p, word)
	if err != nil {
		return p, err
	}
	p.Place, p.Direct = at, false
	now, err := d.Directory.Present(ctx, p)
	if err != nil {
		return p, err
	}
	if !person.AtLeast(now.Role, person.Member) {
		return p, fmt.Errorf("%q is no place that both of us are in: %w", word, person.ErrForbidden)
	}
	return now, nil
}

// publish proposes a skill for a wider scope, whose approvers decide.
func (d *Desk) publish(ctx context.Context, r request) (chat.Post, error) {
	name, rest := r.first()
	s, err := d.library.Find(ctx, r.Who, name)
	if err != nil {
		return chat.Post{}, err
	}
	to := skill.OfTeam(r.Who.Team)
	if rest != "team" {
		if r.Who.Direct {
			return command.Refuse(ctx, "`/skills publish %s team` proposes it for the whole team. For one place, say `/skills publish %s` there.", s.Name, s.Name)
		}
		to = skill.OfSpace(r.Who.Team, r.Who.Place)
	}
	out, err := d.library.Publish(ctx, r.Who, s.Ref.At(0), to)
	if err != nil {
		return chat.Post{}, err
	}
	return d.outcome(ctx, r.Who, out)
}

// adopt takes a copy among the person's own, which with follow is told of what
// is new in the original.
func (d *Desk) adopt(ctx context.Context, r request, follow bool) (chat.Post, error) {
	name, _ := r.first()
	s, err := d.library.Find(ctx, r.Who, name)
	if err != nil {
		return chat.Post{}, err
	}
	if s.Scope == skill.OfPerson(r.Who.Person) {
		return command.Refuse(ctx, "**%s** is among your own already.", s.Name)
	}
	out, err := d.library.Adopt(ctx, r.Who, s.Name, follow)
	if err != nil {
		return chat.Post{}, err
	}
	return d.outcome(ctx, r.Who, out)
}

// take proposes the SKILL.md that a message holds below the command, and the
// files that came with it: a SKILL.md each, or an archive of skills.
func (d *Desk) take(ctx context.Context, r request) (chat.Post, error) {
	if r.words != "" {
		return d.takeText(ctx, r, r.words+"\n", chat.Member)
	}
	if len(r.Event.Attachments) == 0 {
		return command.Misused(ctx, "Send `/skills import` with the SKILL.md on the lines below, or as the caption of a .md or .zip file. Folders are imported with `talaria skills import`.")
	}
	var home foreign.Home
	for _, a := range r.Event.Attachments {
		data, err := d.Fetch(ctx, r.Event, a)
		if err != nil {
			d.log.Warn("attachment not fetched", "platform", r.Event.Address.Platform, "err", err)
			return command.Refuse(ctx, "%q could not be fetched.", command.Clipped(a.Label, 60))
		}
		if !strings.HasSuffix(strings.ToLower(a.Label), ".zip") {
			return d.takeText(ctx, r, string(data), chat.External)
		}
		more, err := foreign.OpenZip(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return command.Refuse(ctx, "%q can't be read: %s.", command.Clipped(a.Label, 60), command.Plain(err.Error()))
		}
		more.Called(a.Label)
		home.Join(more)
	}
	if home.Person() {
		return d.takeHome(ctx, r, home)
	}
	return d.takeAll(ctx, r, home)
}

func (d *Desk) takeText(ctx context.Context, r request, text string, o chat.Origin) (chat.Post, error) {
	files := manifest.Bundle{manifest.MainFile: []byte(text)}
	m, _, err := files.Manifest("")
	if err != nil {
		return command.Refuse(ctx, "That can't be read as a skill: %s.", command.Plain(err.Error()))
	}
	return d.takeFiles(ctx, r, m.Name, files, o)
}

func (d *Desk) takeFiles(ctx context.Context, r request, name string, files manifest.Bundle, o chat.Origin) (chat.Post, error) {
	if d.IsCommand(name) {
		return chat.Post{}, fmt.Errorf("%w: %s", skill.ErrInvalid, isCommand(ctx, name))
	}
	pr := skill.Proposal{
		Ref: skill.Ref{Scope: skill.Here(r.Who), Name: name}, Files: files, CreatedBy: skill.ByImport, Reason: "imported", Origin: o,
	}
	have, err := d.library.Find(ctx, r.Who, name)
	if err == nil && have.Scope == pr.Ref.Scope {
		pr.Base = have.Hash
	} else if err != nil && !errors.Is(err, skill.ErrNotFound) {
		return chat.Post{}, err
	}
	return d.propose(ctx, r, pr)
}

// isCommand is why a skill can't have the name of a chat command.
func isCommand(ctx context.Context, name string) string {
	return wording.Text(ctx, "/%s is a command of mine, so give it another name", name)
}

// maxSent bounds the skills of one archive that is sent in chat.
const maxSent = 20

// takeAll proposes the skills of an archive. Each has its card.
func (d *Desk) takeAll(ctx context.Context, r request, home foreign.Home) (chat.Post, error) {
	switch {
	case len(home.Skills) == 0:
		return command.Refuse(ctx, "There is no skill in it.")
	case len(home.Skills) > maxSent:
		return command.Refuse(ctx, "There are %d skills in it; send at most %d at once, or use `talaria skills import`.", len(home.Skills), maxSent)
	case len(home.Skills) == 1 && !home.Skills[0].Refused():
		return d.takeFiles(ctx, r, home.Skills[0].Manifest.Name, home.Skills[0].Bundle, chat.External)
	}
	var b strings.Builder
	for _, f := range home.Skills {
		did := "a draft"
		if f.Refused() {
			did = "can't be read as a skill"
		} else if _, err := d.takeFiles(ctx, r, f.Manifest.Name, f.Bundle, chat.External); refusal(ctx, err) != "" {
			did = command.Plain(err.Error())
		} else if err != nil {
			return chat.Post{}, err
		}
		fmt.Fprintf(&b, "- `%s`: %s\n", code(command.Clipped(f.Path, 80)), did)
	}
	return wording.Say(ctx, "%s\n`/skills pending` lists what waits.", b.String()), nil
}

func (d *Desk) export(ctx context.Context, r request) (chat.Post, error) {
	name, _ := r.first()
	s, err := d.library.Find(ctx, r.Who, name)
	if err != nil {
		return chat.Post{}, err
	}
	files, err := d.files(ctx, r.Who, s)
	if err != nil {
		return chat.Post{}, err
	}
	post := wording.Say(ctx, "**%s**, revision %d", s.Name, s.InForce)
	if len(files) == 1 {
		post.Files = []chat.Upload{{Name: s.Name + ".md", MIME: "text/markdown", Data: files[manifest.MainFile]}}
		return post, nil
	}
	var b bytes.Buffer
	if err := files.Zip(&b, s.Name); err != nil {
		return chat.Post{}, err
	}
	post.Files = []chat.Upload{{Name: s.Name + ".zip", MIME: "application/zip", Data: b.Bytes()}}
	return post, nil
}
