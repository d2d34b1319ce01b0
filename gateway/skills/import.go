package skills

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/brought"
	"talaria/core/skill/foreign"
	"talaria/core/skill/manifest"
	"talaria/gateway/command"
)

// Import takes in what somebody kept with another assistant: its skills as
// drafts where who is, its cards as memories of who. With approve, those that
// the checks have nothing against are put in force on who's word, as far as
// who may. The report names everything that was odd, and what is not taken
// over is kept as it was found.
func (d *Desk) Import(ctx context.Context, who person.Principal, home foreign.Home, approve bool) (chat.Post, error) {
	return d.bring(ctx, &importing{desk: d, who: who, approve: approve, origin: chat.TrustedTool}, home)
}

// bring carries an import out.
func (d *Desk) bring(ctx context.Context, in *importing, home foreign.Home) (chat.Post, error) {
	for _, step := range []func(context.Context, foreign.Home) error{in.skills, in.settings, in.changes, in.cards, in.jobs} {
		if err := step(ctx, home); err != nil {
			return chat.Post{}, fmt.Errorf("import: %w", err)
		}
	}
	for _, odd := range home.Odd {
		in.odd("%s", odd)
	}
	return in.report(ctx)
}

// importing is one import under way.
type importing struct {
	desk    *Desk
	who     person.Principal
	approve bool
	origin  chat.Origin // of what is in the home: a file of the operator's, or one that was sent
	done    []string
	oddities
	taken map[string]bool // names
}

// oddities are sentences for people.
type oddities []string

func (o *oddities) odd(format string, args ...any) {
	*o = append(*o, command.Plain(strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")))
}

// box holds what has no place here yet.
func (in *importing) box() brought.Box { return brought.Of(in.desk.Store, in.who.Person) }

func (in *importing) did(format string, args ...any) {
	in.done = append(in.done, fmt.Sprintf(format, args...))
}

// skills proposes every skill that can be used, the first of each name.
func (in *importing) skills(ctx context.Context, home foreign.Home) error {
	in.taken = map[string]bool{}
	for _, f := range home.Skills {
		for _, m := range f.Messages {
			in.odd("%s: %s", f.Path, m.Text)
		}
		switch name := f.Manifest.Name; {
		case f.Refused():
			in.odd("%s was not taken over", f.Path)
		case in.taken[name]:
			in.odd("%s was not taken over: there is another skill of the name %s", f.Path, name)
		case in.desk.IsCommand(name):
			in.odd("%s was not taken over: %s", f.Path, isCommand(ctx, name))
		default:
			in.taken[name] = true
			if err := in.skill(ctx, f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (in *importing) skill(ctx context.Context, f foreign.Found) error {
	name := f.Manifest.Name
	if f.Usage.Record != nil {
		if err := in.box().Keep(ctx, brought.Usage, name, f.Usage.Record); err != nil {
			return err
		}
	}
	r, err := in.propose(ctx, name, f.Bundle, false)
	switch {
	case errors.Is(err, skill.ErrUnchanged):
		in.did("`%s` is here already", code(name))
		return nil
	case refusal(ctx, err) != "":
		in.odd("%s was not taken over: %v", f.Path, err)
		return nil
	case err != nil:
		return err
	}
	did, err := in.put(ctx, r, f)
	if err != nil {
		return err
	}
	if err := in.tell(ctx, r.Ref); err != nil {
		return err
	}
	in.did("`%s`: %s%s", code(name), did, history(f))
	return nil
}

// history is what its home counted for a skill, in words.
func history(f foreign.Found) string {
	if f.Usage.Uses == 0 {
		return ""
	}
	return fmt.Sprintf(", uses there: %d", f.Usage.Uses)
}

// propose brings a whole skill in, as a change where there is one of its name.
// With ask, a person decides whatever the policy.
func (in *importing) propose(ctx context.Context, name string, files manifest.Bundle, ask bool) (skill.Revision, error) {
	pr := skill.Proposal{
		Ref: skill.Ref{Scope: skill.Here(in.who), Name: name}, Files: files, CreatedBy: skill.ByImport,
		Reason: "imported", Origin: in.origin, Ask: ask,
	}
	have, err := in.desk.library.Find(ctx, in.who, name)
	if err == nil && have.Scope == pr.Ref.Scope && have.Hash != "" {
		pr.Base, pr.Origin = have.Hash, chat.External // no policy puts it in the place of what is in force
	} else if err != nil && !errors.Is(err, skill.ErrNotFound) {
		return skill.Revision{}, err
	}
	out, err := in.desk.library.Propose(ctx, in.who, pr)
	return out.Revision, err
}

// put says what became of a proposal, after approving it where that was asked
// for, and brings the skill into the state that it had in its home.
func (in *importing) put(ctx context.Context, r skill.Revision, f foreign.Found) (string, error) {
	library := in.desk.library
	if r.State == skill.Blocked {
		return "a draft that a check blocks: " + objection(r), nil
	}
	if r.State == skill.Draft && r.Base != "" {
		return "a draft, since another text is in force here" + still(ctx, r), nil
	}
	if r.State == skill.Draft && in.approve && doubted(r) {
		return "a draft, since a check has something against it: " + objection(r) + still(ctx, r) + states(ctx, f), nil
	}
	if r.State == skill.Draft && !in.approve {
		return "a draft, to be decided on" + states(ctx, f), nil
	}
	if r.State == skill.Draft {
		_, err := library.Approve(ctx, in.who, r.Ref, r.Hash)
		if refusal(ctx, err) != "" {
			return "a draft, to be decided on by somebody else: " + command.Plain(err.Error()) + states(ctx, f), nil
		}
		if err != nil {
			return "", err
		}
	}
	did, to := "in force"+rights(ctx, r), library.Archive
	switch {
	case f.State == foreign.Archived:
		did = "archived, as it was"
	case f.State == foreign.Disabled:
		did, to = "disabled, as it was", library.Disable
	case f.Pinned:
		did, to = "in force and pinned"+rights(ctx, r), func(ctx context.Context, p person.Principal, r skill.Ref, _ string) (skill.Skill, error) {
			return library.Pin(ctx, p, r, true)
		}
	default:
		return did, nil
	}
	_, err := to(ctx, in.who, r.Ref.At(0), "as in its home")
	if errors.Is(err, skill.ErrUnchanged) {
		err = nil
	}
	return did, err
}

// rights names what a revision in force may do that nothing of its name could
// before: whoever approves a whole folder has seen no card.
func rights(ctx context.Context, r skill.Revision) string {
	if gained := permissions(ctx, r.Adds); gained != "" {
		return "; it may now " + gained
	}
	return ""
}

// tell announces what waits, but where the report is shown.
func (in *importing) tell(ctx context.Context, ref skill.Ref) error {
	r, err := in.desk.library.Revision(ctx, in.who, ref)
	if err != nil || r.State != skill.Draft && r.State != skill.Blocked {
		return err
	}
	here := chat.Address{}
	if in.who.Direct {
		here = in.who.Place.Place()
	}
	return in.desk.announce(ctx, in.who, skill.Outcome{Revision: r}, here)
}

// doubted reports whether a check has something against a draft; the gravest
// finding stands first.
func doubted(r skill.Revision) bool {
	return len(r.Findings) > 0 && r.Findings[0].Severity != skill.Note
}

// objection is the gravest finding, with its place.
func objection(r skill.Revision) string {
	f := r.Findings[0]
	text := strings.TrimSuffix(command.Plain(f.Message), ".")
	if f.File != "" {
		text += fmt.Sprintf(" (`%s`, line %d)", code(f.File), max(f.Line, 1))
	}
	return text
}

// still says how a draft comes in force that was left one.
func still(ctx context.Context, r skill.Revision) string {
	return fmt.Sprintf("; `/skills approve %s` puts it in force all the same", r.Name)
}

// states says what is not taken over of a skill's state while it is a draft.
func states(ctx context.Context, f foreign.Found) string {
	if f.State == foreign.Archived || f.State == foreign.Disabled {
		return " (it was " + string(f.State) + ")"
	}
	return ""
}

// settings sets the values that people had set for skills in force here.
func (in *importing) settings(ctx context.Context, home foreign.Home) error {
	for _, s := range home.Settings {
		if err := in.box().Keep(ctx, brought.Setting, s.Key, s); err != nil {
			return err
		}
		set := false
		for name := range in.taken {
			err := in.desk.library.Configure(ctx, in.who, name, s.Key, s.Value)
			if err != nil && refusal(ctx, err) == "" {
				return err
			}
			set = set || err == nil
		}
		if !set {
			in.odd("The setting %s belongs to no skill in force here; set it with /skills config once one is", s.Key)
		}
	}
	return nil
}

// cards remembers what the memory files say.
func (in *importing) cards(ctx context.Context, home foreign.Home) error {
	remembered, doubted := 0, 0
	handle := memory.For(in.desk.Store, in.who)
	for i, c := range home.Cards {
		added, err := handle.Add(ctx, kinds[c.Kind], c.Text, memory.Source{Origin: in.says()})
		switch {
		case err == nil && added.Card.State == memory.Quarantined:
			doubted++
			continue
		case err == nil:
			remembered++
			continue
		case !isMemoryRefusal(err):
			return err
		}
		in.odd("Entry %d, of %s, was not remembered: %v", i+1, c.File, err)
		if errors.Is(err, memory.ErrSecret) {
			continue // it is kept nowhere
		}
		if err := in.box().Keep(ctx, brought.Cards, "", c); err != nil {
			return err
		}
	}
	if remembered > 0 {
		in.did("%s remembered; `/memory` lists them", count(ctx, remembered, "card", "cards"))
	}
	if doubted > 0 {
		in.did("%s kept and not used until you confirm them: `/memory`", count(ctx, doubted, "card", "cards"))
	}
	return nil
}

// says is whose words the cards of a home are.
func (in *importing) says() chat.Origin {
	if in.origin == chat.TrustedTool {
		return chat.Member
	}
	return in.origin
}

// jobs keeps scheduled work as it was found. It runs with nobody's rights until
// somebody makes it a job here.
func (in *importing) jobs(ctx context.Context, home foreign.Home) error {
	for _, j := range home.Jobs {
		if err := in.box().Keep(ctx, brought.Jobs, j.ID, j); err != nil {
			return err
		}
		state := ""
		if !j.Enabled {
			state = ", paused there"
		}
		in.did("job %q, %s%s: kept, not running; `/jobs import` offers it", command.Plain(command.Clipped(j.Name, 60)), command.Plain(command.Clipped(j.Schedule, 60)), state)
	}
	return nil
}

// report tells what was done and what was odd. Where nothing was done at all,
// that is a refusal.
func (in *importing) report(ctx context.Context) (chat.Post, error) {
	var b strings.Builder
	if len(in.done) == 0 {
		b.WriteString("**Nothing was imported**\n\n")
		if len(in.oddities) == 0 {
			b.WriteString("There is no skill in it, and nothing else that could be taken over.\n")
		}
		section(&b, listed(in.oddities))
		return command.Refuse(ctx, "%s", strings.TrimSpace(b.String()))
	}
	b.WriteString("**Imported**\n\n")
	section(&b, listed(in.done))
	if len(in.oddities) > 0 {
		b.WriteString("**Odd**\n\n")
		section(&b, listed(in.oddities))
	}
	b.WriteString("`/skills pending` lists what waits for a decision.")
	return chat.Post{Markdown: b.String()}, nil
}

func listed(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = "- " + l
	}
	return out
}
