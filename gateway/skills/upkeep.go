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
	"talaria/gateway/command"
	"talaria/gateway/wording"
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
	return d.tell(ctx, key, p.Place.Place(), reportPost(ctx, r))
}

func reportPost(ctx context.Context, r curate.Report) chat.Post {
	var done, asks strings.Builder
	var buttons []chat.Button
	for _, d := range r.Done {
		to := &done
		if did(ctx, d) == "" {
			to = &asks
		}
		fmt.Fprintf(to, "- %s\n", reported(ctx, d))
		if (d.Kind == curate.Prune || d.Kind == curate.Rewrite) && len(buttons) < maxButtons {
			buttons = append(buttons, decisions(ctx, r.Scope, d.Skill)...)
		}
	}
	post := chat.Post{Buttons: buttons}
	if done.Len() > 0 {
		post.Markdown = "**Looked after what I learned**\n\n" + done.String()
	}
	if asks.Len() > 0 {
		post.Markdown += "\n**For you to decide**\n\n" + asks.String()
	}
	post.Markdown = strings.TrimSpace(post.Markdown)
	return post
}

// reported is one line of a report.
func reported(ctx context.Context, d curate.Done) string {
	text := did(ctx, d)
	if text == "" {
		text = asked(ctx, d)
	}
	text += " (" + command.Plain(d.Why) + ")"
	if d.Note != "" {
		text += ". " + command.Plain(d.Note)
	}
	if d.Undo != "" {
		text += ". `" + code(d.Undo) + "` undoes it"
	}
	return text
}

// did says what was done, empty where something is asked.
func did(ctx context.Context, d curate.Done) string {
	skill, card := "`"+code(d.Skill)+"`", "“"+command.Clipped(d.Text, 200)+"”"
	switch d.Kind {
	case curate.Rollback:
		return "rolled back " + skill
	case curate.Stale:
		return skill + " is listed last now; one use brings it back"
	case curate.Archive:
		return "put away " + skill
	case curate.Promote:
		return "am sure now of " + card
	case curate.Drop:
		return "dropped the memory " + card
	case curate.Disable:
		if d.Card != "" {
			return "no longer use the memory " + card
		}
		return "took " + skill + " out of use"
	}
	return ""
}

// asked says what is for people to decide.
func asked(ctx context.Context, d curate.Done) string {
	skill := "`" + code(d.Skill) + "`"
	switch d.Kind {
	case curate.Doubt:
		return fmt.Sprintf("%s may do worse than before; `/skills rollback %s` goes back", skill, code(d.Skill))
	case curate.Pin:
		return fmt.Sprintf("%s is worth being protected; `/skills pin %s` does that", skill, code(d.Skill))
	case curate.Collect:
		return skill + " should tell of what its uses met"
	case curate.Prune:
		return skill + " fails more often than it helps: put it away, or have it rewritten"
	case curate.Rewrite:
		return skill + " fails more often than it helps: put it away, or take the new text"
	case curate.Merge:
		return fmt.Sprintf("%s and %s are for the same kind of work; once the draft is approved, `/skills archive NAME` puts the old ones away",
			skill, strings.Join(named(d.With), ", "))
	case curate.Ask:
		return fmt.Sprintf("two memories contradict each other: “%s”; `/memory delete %s` or `/memory delete %s` says which one goes",
			command.Clipped(d.Text, 200), d.Card, strings.Join(d.With, ""))
	}
	return skill + " could do better"
}

// Switched tells somebody what came of their changed preferences.
func (d *Desk) Switched(ctx context.Context, who person.Principal, s curate.Switch) error {
	var b strings.Builder
	b.WriteString(wording.Text(ctx, "Noted: %s now, no longer %s.\n\n", command.Plain(s.New), command.Plain(s.Old)))
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
			b.WriteString(wording.Text(ctx, "- remembered: %s\n", command.Clipped(s.Card, 200)))
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
	return d.tell(ctx, "switch:"+s.Turn, who.Place, wording.Say(ctx, "%s", b.String()))
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
		out = append(out, command.Clipped(t, 100))
	}
	return out
}

// undo takes the latest change of preferences back.
func (d *Desk) undo(ctx context.Context, r request) (chat.Post, error) {
	if !r.Who.Direct {
		return command.Refuse(ctx, "Your preferences are yours: send `/skills undo` in our direct conversation.")
	}
	s, kept, err := d.Curator().Unswitch(ctx, r.Who)
	if errors.Is(err, curate.ErrNoSwitch) {
		return command.Refuse(ctx, "There is no change of your preferences to take back.")
	}
	if err != nil {
		return chat.Post{}, err
	}
	text := fmt.Sprintf("Taken back: %s is as it was before you said “%s”.", command.Plain(s.Old), command.Clipped(s.Card, 200))
	if len(s.Archived) > 0 {
		text += " Back in use: " + strings.Join(named(s.Archived), ", ") + "."
	}
	if len(kept) > 0 {
		text += " Left as it is, since it was changed meanwhile: " + strings.Join(named(kept), ", ") + "."
	}
	return wording.Say(ctx, "%s", text), nil
}
