package app

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning/validate"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/tool"
	"talaria/core/trace"
	"talaria/gateway/config"
	"talaria/gateway/place"
	"talaria/gateway/skills"
	"talaria/scheduler"
	"talaria/storage"
)

// skillConfig is what the operator says about skills, and which tools there are
// for them.
func (a *App) skillConfig(c config.Config) skill.Config {
	l, p := c.Learning, c.Learning.Policy
	out := skill.Config{
		DraftFor: l.Drafts.Expire.Duration, RemindAfter: l.Drafts.Remind.Duration, LatestUse: float64(l.Curator.LatestUse) / 100, Offers: a.offers(policy(c.Tools)),
		Policy: map[skill.Kind]skill.Policy{
			skill.Person: skill.Policy(p.Person), skill.Space: skill.Policy(p.Space), skill.Team: skill.Policy(p.Team),
		},
	}
	for _, dir := range c.Skills.External {
		out.External = append(out.External, skill.External{Name: dir, FS: os.DirFS(dir)})
	}
	return out
}

// equivalents are names that skills of other assistants need tools by, and what does
// the same here.
var equivalents = map[string]string{
	"web": "fetch", "web_fetch": "fetch", "webfetch": "fetch", "web_extract": "fetch",
	"cron": "schedule_create", "cronjob": "schedule_create", "skills": "skill_view",
	"file": "files_read", "files": "files_read", "read": "files_read", "read_file": "files_read", "write": "files_write", "write_file": "files_write",
}

// offers tells whether somebody may have a tool that a skill needs.
func (a *App) offers(rules tool.Policy) func(p person.Principal, name string) bool {
	return func(p person.Principal, name string) bool {
		if here, ok := equivalents[strings.ToLower(name)]; ok {
			name = here
		}
		spec, ok := a.toolSpec(name)
		return ok && rules.Decide(p, spec) != tool.Deny
	}
}

// newSkillsDesk makes the desk about skills, and has it remind people.
func (a *App) newSkillsDesk() *skills.Desk {
	d := skills.New(skills.Config{
		Library: a.library, Directory: a.directory, Places: place.New(a.directory, able[chat.Namer](a.adapters), a.log), Store: a.store,
		Tell: a.tell, Fetch: a.fetch, Link: a.link, Log: a.log,
		Curator: func() skills.Curator { return a.curating },
		IsCommand: func(name string) bool {
			_, known := a.commands.Lookup(name)
			return known
		},
	})
	const often = 10 * time.Minute
	a.jobs.System("skill drafts", scheduler.Every(often), d.Remind)
	return d
}

// skillChecks are what looks at every proposal of a skill.
func (a *App) skillChecks() []skill.Check {
	checks := validate.Checks(validate.Config{Tool: a.toolSpec, Steps: a.o.Config.Learning.Proposals.Steps, Used: func(ctx context.Context, from skill.Provenance) ([]string, error) {
		place, ok := chat.ParseAddress(from.Place)
		if !ok || from.Task == "" {
			return nil, nil
		}
		task, err := trace.Get(ctx, a.store, person.ShardOf(place), from.Task)
		if errors.Is(err, storage.ErrNotFound) {
			return nil, nil
		}
		return task.Value.Tools(), err
	}})
	return append(checks, a.scripts.Check)
}

// toolSpecs tells about every tool that a turn can have, by its name.
func toolSpecs(s *tool.Set, scripts tool.Scripts) func(name string) (agent.Spec, bool) {
	specs := map[string]agent.Spec{}
	for _, spec := range toolsOf(&tool.Set{Web: s.Web}, scripts, person.Principal{Role: person.Admin, Direct: true}) {
		specs[spec.Name] = spec
	}
	return func(name string) (agent.Spec, bool) {
		spec, ok := specs[name]
		return spec, ok
	}
}

// toolsOf are the tools that a turn of a principal's can have. The handles that
// they are bound with only stand there: nothing is called. Without scripts, there
// is no tool for them.
func toolsOf(s *tool.Set, scripts tool.Scripts, who person.Principal) []agent.Spec {
	bound, _ := s.Bind(tool.Binding{
		Principal: who,
		Memory:    struct{ tool.Memory }{}, Searcher: struct{ tool.Searcher }{}, Files: &tool.Files{}, Skills: struct{ tool.Skills }{},
		Author: struct{ tool.Author }{}, Schedules: struct{ tool.Schedules }{}, Scripts: scripts,
	})
	var specs []agent.Spec
	for _, t := range bound {
		specs = append(specs, t.Spec())
	}
	return specs
}

// callsSkill is the request that a command is which names a skill: the skill's
// text goes before it. It is also the command that a reply with a skill's new
// text is. It is nil for everything else; what is neither a command nor a skill
// gets the table's answer.
func (g *gate) callsSkill(ctx context.Context, e chat.Event, who person.Principal) *chat.Event {
	if e.Kind != chat.Command {
		return skills.EditReply(e)
	}
	if _, known := g.commands.Lookup(e.Command.Name); known {
		return nil
	}
	name := skillCalled(e.Command.Name)
	s, err := g.library.Find(ctx, who, name)
	if err != nil || !s.Live() || g.library.Unfit(who, s) != "" {
		return nil
	}
	e.Command = &chat.CommandCall{Name: name, Args: e.Command.Args}
	e.Kind, e.Text = chat.Message, strings.TrimSpace("/"+name+" "+strings.TrimSpace(e.Command.Args))
	return &e
}

// skillCalled is the name of the skill that a command names: Telegram's commands
// hold no hyphen, and names of skills no underscore.
func skillCalled(command string) string { return strings.ReplaceAll(command, "_", "-") }
