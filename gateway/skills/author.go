package skills

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/edit"
	"talaria/core/skill/manifest"
	"talaria/core/tool"
)

// author takes in what the model of one turn proposes, on behalf of whoever
// it works for.
type author struct {
	desk    *Desk
	who     person.Principal
	message string
}

// Author binds the proposing of skills to a turn. message is the platform's id
// of the message that it answers.
func (d *Desk) Author(who person.Principal, message string) tool.Author {
	return author{d, who, message}
}

// Propose implements tool.Author. New skills belong to where they are asked
// for.
func (a author) Propose(ctx context.Context, w tool.SkillWish) (string, error) {
	pr, err := a.proposal(ctx, w)
	if err != nil {
		return "", err
	}
	out, err := a.desk.library.Propose(ctx, a.who, pr)
	if err != nil {
		return "", err
	}
	if err := a.desk.Announce(ctx, a.who, out); err != nil {
		a.desk.log.Warn("draft not announced", "skill", w.Name, "err", err)
	}
	if out.Live {
		return fmt.Sprintf("%s is in force now, as revision %d; the person was told and can take it back.", w.Name, out.Revision.Number), nil
	}
	if out.Revision.State == skill.Blocked {
		return "A check blocks the draft: " + out.Revision.Findings[0].Message + ". People can read it and edit it.", nil
	}
	return fmt.Sprintf("%s is a draft now, not in force: its card was posted, and it waits for a decision.", w.Name), nil
}

func (a author) proposal(ctx context.Context, w tool.SkillWish) (skill.Proposal, error) {
	ref := skill.Ref{Scope: skill.Here(a.who), Name: w.Name}
	var before manifest.Bundle
	base := ""
	switch s, err := a.desk.library.Find(ctx, a.who, w.Name); {
	case err == nil && s.Subscribed != nil:
		return skill.Proposal{}, fmt.Errorf("change %q: %w", w.Name, skill.ErrProtected)
	case err == nil && s.InForce > 0:
		if before, err = a.desk.library.Bundle(ctx, a.who, s.At(s.InForce)); err != nil {
			return skill.Proposal{}, err
		}
		ref, base = s.Ref.At(0), s.Hash
	case err != nil && !errors.Is(err, skill.ErrNotFound):
		return skill.Proposal{}, err
	}
	files, err := edit.Apply(before, w.Changes)
	if err != nil {
		return skill.Proposal{}, err
	}
	return skill.Proposal{
		Ref: ref, Files: files, Base: base, ByAgent: true, Reason: w.Reason, Origin: chat.Worst(chat.Member, w.Origin),
		Provenance: []skill.Provenance{{
			Place: a.who.Place.String(), Messages: []string{a.message}, People: []person.ID{a.who.Person}, At: time.Now().UTC(),
		}},
	}, nil
}

// Archive implements tool.Author. Only what the bot made itself is the bot's to
// put away; the library asks for the person's rights besides.
func (a author) Archive(ctx context.Context, name, reason string) (string, error) {
	s, err := a.desk.library.Find(ctx, a.who, name)
	if err != nil {
		return "", err
	}
	if s.CreatedBy != skill.ByAgent || s.Pinned {
		return "", fmt.Errorf("archive %q: %w", name, skill.ErrProtected)
	}
	if s, err = a.desk.library.Archive(ctx, a.who, s.Ref.At(0), reason); err != nil {
		return "", err
	}
	return s.Name + " is put away; `/skills restore " + s.Name + "` brings it back.", nil
}
