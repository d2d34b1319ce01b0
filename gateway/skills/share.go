package skills

import (
	"bytes"
	"context"

	"talaria/core/chat"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
)

// share lets the person's own turns here see a skill of theirs.
func (d *Desk) share(ctx context.Context, r request) (chat.Post, error) {
	name, rest := r.first()
	if r.Who.Direct {
		return say("Say `/skills share %s` in the place that you want to use it in: there it then serves your own requests. `/skills publish %s` gives it to everybody there.", code(name), code(name)), nil
	}
	shared := rest != "stop"
	s, err := d.library.Share(ctx, r.Who, name, shared)
	if err != nil {
		return chat.Post{}, err
	}
	if !shared {
		return say("**%s** is no longer used here.", s.Name), nil
	}
	return say("**%s** serves your own requests here now. `/skills share %s stop` ends that, `/skills publish %s` proposes it for everybody here.", s.Name, s.Name, s.Name), nil
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
			return say("`/skills publish %s team` proposes it for the whole team. For one place, say `/skills publish %s` there.", s.Name, s.Name), nil
		}
		to = skill.OfSpace(r.Who.Team, r.Who.Place)
	}
	out, err := d.library.Publish(ctx, r.Who, s.Ref.At(0), to)
	if err != nil {
		return chat.Post{}, err
	}
	return d.outcome(ctx, r.Who, out)
}

func (d *Desk) adopt(follow bool) func(context.Context, request) (chat.Post, error) {
	return func(ctx context.Context, r request) (chat.Post, error) {
		name, _ := r.first()
		s, err := d.library.Find(ctx, r.Who, name)
		if err != nil {
			return chat.Post{}, err
		}
		out, err := d.library.Adopt(ctx, r.Who, s.Name, follow)
		if err != nil {
			return chat.Post{}, err
		}
		return d.outcome(ctx, r.Who, out)
	}
}

// take proposes the SKILL.md that a message holds below the command.
func (d *Desk) take(ctx context.Context, r request) (chat.Post, error) {
	if r.words == "" {
		return say("Send `/skills import` with the SKILL.md on the lines below. Folders and archives are imported with `talaria skills import`."), nil
	}
	files := manifest.Bundle{manifest.MainFile: []byte(r.words + "\n")}
	m, _, err := files.Manifest("")
	if err != nil {
		return say("That can't be read as a skill: %s.", plain(err.Error())), nil
	}
	ref := skill.Ref{Scope: skill.Here(r.Who), Name: m.Name}
	return d.propose(ctx, r, skill.Proposal{
		Ref: ref, Files: files, CreatedBy: skill.ByImport, Reason: "imported", Origin: chat.Member,
	})
}

func (d *Desk) export(ctx context.Context, r request) (chat.Post, error) {
	name, _ := r.first()
	s, err := d.library.Find(ctx, r.Who, name)
	if err != nil {
		return chat.Post{}, err
	}
	files, err := d.library.Bundle(ctx, r.Who, s.At(s.InForce))
	if err != nil {
		return chat.Post{}, err
	}
	post := say("**%s**, revision %d", s.Name, s.InForce)
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
