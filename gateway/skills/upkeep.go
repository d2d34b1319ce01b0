package skills

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"talaria/core/chat"
	"talaria/core/learning/curate"
	"talaria/core/person"
	"talaria/core/skill"
)

// Curator looks after skills.
type Curator interface {
	Plan(ctx context.Context, s skill.Scope) (curate.Plan, error)
	Digest(ctx context.Context, s skill.Scope) (curate.Digest, error)
	Improve(ctx context.Context, r skill.Ref) (skill.Proposal, error)
	Keep(ctx context.Context, r skill.Ref) error
	// Unswitch takes the latest change of somebody's preferences back.
	Unswitch(ctx context.Context, who person.Principal) (curate.Switch, []string, error)
}

// at is where those who decide about a scope are told something that nobody
// asked for: a person in their direct conversation, a space in its place, a
// team with whoever approved one of the skills in question last.
func (d *Desk) at(ctx context.Context, s skill.Scope, names ...string) (person.Principal, bool, error) {
	switch s.Kind {
	case skill.Person:
		return d.Directory.Reach(ctx, s.Person)
	case skill.Space:
		return person.Principal{Team: s.Team, Place: s.Place, Role: person.Member}, true, nil
	}
	for _, name := range names {
		past, err := d.library.Upkeep().History(ctx, skill.Ref{Scope: s, Name: name})
		if err != nil {
			return person.Principal{}, false, err
		}
		for _, r := range past {
			if r.Grant == nil || r.Grant.By == "" {
				continue
			}
			if p, ok, err := d.Directory.Reach(ctx, r.Grant.By); ok || err != nil {
				return p, ok, err
			}
		}
	}
	return person.Principal{}, false, nil
}

// Curated announces a draft that upkeep made.
func (d *Desk) Curated(ctx context.Context, s skill.Scope, out skill.Outcome) error {
	p, ok, err := d.at(ctx, s, out.Revision.Name)
	if err != nil || !ok {
		return err
	}
	return d.Announce(ctx, p, out)
}

// Reported tells those who decide about a scope what upkeep did there, and
// what it asks.
func (d *Desk) Reported(ctx context.Context, r curate.Report) error {
	p, ok, err := d.at(ctx, r.Scope, r.Names()...)
	if err != nil || !ok {
		return err
	}
	key := "upkeep:" + r.Scope.String() + ":" + r.At.UTC().Format("2006-01-02T15:04:05.000")
	return d.tell(ctx, key, p.Place.Place(), reportPost(r))
}

func reportPost(r curate.Report) chat.Post {
	var did, asks strings.Builder
	var buttons []chat.Button
	for _, done := range r.Done {
		to := &did
		switch done.Kind {
		case curate.Doubt, curate.Pin, curate.Improve, curate.Prune, curate.Rewrite, curate.Merge, curate.Ask:
			to = &asks
		}
		fmt.Fprintf(to, "- %s\n", reported(done))
		if (done.Kind == curate.Prune || done.Kind == curate.Rewrite) && len(buttons) < maxButtons {
			buttons = append(buttons, decisions(r.Scope, done.Skill)...)
		}
	}
	post := chat.Post{Buttons: buttons}
	if did.Len() > 0 {
		post.Markdown = "**Looked after what I learned**\n\n" + did.String()
	}
	if asks.Len() > 0 {
		post.Markdown += "\n**For you to decide**\n\n" + asks.String()
	}
	post.Markdown = strings.TrimSpace(post.Markdown)
	return post
}

// reported is one line of a report.
func reported(d curate.Done) string {
	skill, card := "`"+code(d.Skill)+"`", "“"+clipped(d.Text, 200)+"”"
	var text string
	switch d.Kind {
	case curate.Rollback:
		text = "rolled back " + skill
	case curate.Stale:
		text = skill + " is listed last now; one use brings it back"
	case curate.Archive:
		text = "put away " + skill
	case curate.Disable:
		text = "took " + skill + " out of use"
		if d.Card != "" {
			text = "no longer use the memory " + card
		}
	case curate.Promote:
		text = "am sure now of " + card
	case curate.Drop:
		text = "dropped the memory " + card
	case curate.Doubt:
		text = fmt.Sprintf("%s may do worse than before; `/skills rollback %s` goes back", skill, code(d.Skill))
	case curate.Pin:
		text = fmt.Sprintf("%s is worth being protected; `/skills pin %s` does that", skill, code(d.Skill))
	case curate.Improve:
		text = skill + " could do better"
	case curate.Prune:
		text = skill + " fails more often than it helps: put it away, or have it rewritten"
	case curate.Rewrite:
		text = skill + " fails more often than it helps: put it away, or take the new text"
	case curate.Merge:
		text = fmt.Sprintf("%s and `%s` are for the same kind of work; once the draft is approved, `/skills archive NAME` puts the old ones away",
			skill, code(strings.Join(d.With, "`, `")))
	case curate.Ask:
		text = fmt.Sprintf("two memories contradict each other: %s; `/memory delete %s` or `/memory delete %s` says which one goes", card, d.Card, strings.Join(d.With, ""))
	}
	text += " (" + plain(d.Why) + ")"
	if d.Note != "" {
		text += ". " + plain(d.Note)
	}
	if d.Undo != "" {
		text += ". `" + code(d.Undo) + "` undoes it"
	}
	return text
}

// Switched tells somebody what came of their changed preferences.
func (d *Desk) Switched(ctx context.Context, who person.Principal, s curate.Switch) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Noted: %s now, no longer %s.\n\n", plain(s.New), plain(s.Old))
	list := func(format string, names []string) {
		if len(names) > 0 {
			fmt.Fprintf(&b, format+"\n", strings.Join(names, "; "))
		}
	}
	if who.Direct {
		list("- put away: %s", named(s.Archived))
		list("- left as they are, since they are yours or pinned: %s; `/skills archive NAME` puts one away", named(s.Left))
		list("- less sure now: %s", clippedAll(s.Lowered))
		if s.Change > 0 {
			fmt.Fprintf(&b, "- remembered: %s\n", clipped(s.Card, 200))
		}
	}
	var shared []string
	for _, r := range s.Shared {
		shared = append(shared, r.Name)
	}
	list("- proposed, for who approves here: put away %s, with `/skills archive NAME`", named(shared))
	if len(s.Archived) > 0 || s.Change > 0 {
		b.WriteString("\n`/skills undo` takes all of this back.")
	}
	return d.tell(ctx, "switch:"+s.Turn, who.Place, say("%s", b.String()))
}

func named(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, "`"+code(n)+"`")
	}
	return out
}

func clippedAll(texts []string) []string {
	var out []string
	for _, t := range texts {
		out = append(out, clipped(t, 100))
	}
	return out
}

// undo takes the latest change of preferences back.
func (d *Desk) undo(ctx context.Context, r request) (chat.Post, error) {
	if !r.Who.Direct {
		return say("Your preferences are yours: send `/skills undo` in our direct conversation."), nil
	}
	s, kept, err := d.Curator().Unswitch(ctx, r.Who)
	if errors.Is(err, curate.ErrNoSwitch) {
		return say("There is no change of your preferences to take back."), nil
	}
	if err != nil {
		return chat.Post{}, err
	}
	text := fmt.Sprintf("Taken back: %s is as it was before you said “%s”.", plain(s.Old), clipped(s.Card, 200))
	if len(s.Archived) > 0 {
		text += " Back in use: " + strings.Join(named(s.Archived), ", ") + "."
	}
	if len(kept) > 0 {
		text += " Left as it is, since it was changed meanwhile: " + strings.Join(named(kept), ", ") + "."
	}
	return say("%s", text), nil
}
