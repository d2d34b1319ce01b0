package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/text"
	"talaria/gateway/wording"
)

// Call is one command as it is run.
type Call struct {
	Who     person.Principal
	Event   chat.Event
	Args    string // what stands after the name, trimmed
	Session Session

	// Chosen is what a run of this command that was cut off had kept; empty: it had
	// not come to that, or there was none.
	Chosen string
	// Keep keeps what is chosen for a run after this one was cut off. Nil: there
	// will be none.
	Keep func(ctx context.Context, chosen string) error
}

// Choose settles what a command is done to that is named by its position, such as
// the last change or line 2. A command that was cut off is run again, and by then
// the position may be another's. It reports whether this is such a run.
func (c Call) Choose(ctx context.Context, now string) (chosen string, again bool, err error) {
	if c.Chosen != "" || c.Keep == nil {
		return cmp.Or(c.Chosen, now), c.Chosen != "", nil
	}
	if err := c.Keep(ctx, now); err != nil {
		return "", false, fmt.Errorf("keep what is chosen: %w", err)
	}
	return now, false, nil
}

// Session is what a command can do to the session that it was given in.
type Session interface {
	// Stop ends what somebody asked for in the session, also what waits. It
	// returns how many requests it ended, once they have ended.
	Stop(ctx context.Context, whose person.ID) int
	// StopAll ends what anybody asked for within a domain, on every replica. It
	// counts those of this one.
	StopAll(ctx context.Context, in person.Domain) int
	// Reset begins the session anew: nothing said before is in the model's
	// context any more.
	Reset(ctx context.Context) error
	// Status describes the session.
	Status(ctx context.Context) (Status, error)
}

// Status describes a session for people.
type Status struct {
	Running bool
	Doing   string // label of the tool that runs, if one does
	Queued  int
	Turns   int // exchanges since the session began
}

// Command is one entry of the table.
type Command struct {
	Name    string
	Args    string // usage, such as "[all]"; empty for one that is not run with anything after it, which would be lost
	Summary string // one line, without a full stop
	// Verbs are what it can do, where it does several things; without any,
	// Options are the command's own.
	Verbs   []Verb
	Options []Option
	// Direct marks what does its work in a direct conversation alone, and says so
	// elsewhere.
	Direct bool
	// Now runs the command at once, beside a running turn. Others wait for
	// their turn in the session's queue.
	Now bool
	// Lines lets what stands after the name go over several lines. Others are not
	// run with more than one: the rest was meant for something else, and would be lost.
	Lines bool
	// Role is the least role that may use it: Guest lets every known person,
	// Nobody also strangers (codes are how they stop being some).
	Role person.Role
	Run  func(ctx context.Context, c Call) (chat.Post, error)
}

// Table is the set of commands, and of what buttons do. It is complete before it is used and does not
// change afterwards.
type Table struct {
	commands []Command
	actions  []Action
}

// NewTable returns a table. The help command is made from it.
func NewTable(commands []Command, actions ...Action) *Table {
	t := &Table{actions: actions}
	t.commands = append(t.commands, Command{
		Name: "help", Args: "[command]", Summary: "what I can do", Now: true, Role: person.Guest, Run: t.help,
		Options: []Option{{Name: "command", Summary: "which command", Complete: t.names}},
	})
	t.commands = append(t.commands, commands...)
	slices.SortFunc(t.commands, func(a, b Command) int { return strings.Compare(a.Name, b.Name) })
	return t
}

// Lookup finds a command by its exact name.
func (t *Table) Lookup(name string) (Command, bool) {
	n := slices.IndexFunc(t.commands, func(c Command) bool { return c.Name == name })
	if n < 0 {
		return Command{}, false
	}
	return t.commands[n], true
}

// Menu lists what is shown in a platform's own menu.
func (t *Table) Menu() chat.Menu {
	var m chat.Menu
	for _, c := range t.commands {
		if !allowed(person.Member, c.Role) {
			continue
		}
		m.Commands = append(m.Commands, chat.MenuCommand{
			Name: c.Name, Description: c.Summary, Told: told(c.Summary), Direct: c.Direct, Verbs: menuVerbs(c.Verbs), Options: menuOptions(c.Options),
		})
	}
	return m
}

// Run runs the command that an event calls. Refusals and mistakes are
// answers, not errors: an error means that the command could not be carried
// out and may be tried again.
func (t *Table) Run(ctx context.Context, c Call) (chat.Post, error) {
	post, err := t.Try(ctx, c)
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r.Post, nil
	}
	return post, err
}

// Try is Run for a caller who tells refusals from answers: they are a *Refusal.
func (t *Table) Try(ctx context.Context, c Call) (chat.Post, error) {
	name := c.Event.Command.Name
	cmd, ok := t.Lookup(name)
	if !ok {
		return Misused(ctx, "I don't know `/%s`.%s Send `/help` for what I can do.", name, t.near(ctx, name, c.Who.Role))
	}
	if !allowed(c.Who.Role, cmd.Role) {
		return Refuse(ctx, "`/%s` needs the role **%s**; yours is **%s**. An admin can change that with `/role`.", name, cmd.Role, c.Who.Role)
	}
	c.Args = strings.TrimSpace(c.Event.Command.Args)
	if cmd.Args == "" && c.Args != "" {
		return Misused(ctx, "`/%s` takes nothing after it, so I did nothing. Send the command by itself and the rest after it.", name)
	}
	if !cmd.Lines && c.Args != "" && strings.Contains(c.Event.Command.Args, "\n") {
		return Misused(ctx, "`/%s` takes one line, and your message has more, so I did nothing. Send the command by itself and the rest after it.", name)
	}
	return cmd.Run(ctx, c)
}

func allowed(have, need person.Role) bool {
	return need == person.Nobody && have != person.BotRole || person.AtLeast(have, need)
}

// mistyped is how many letters of a name may be wrong; in a name of up to four
// letters one, or two that are swapped: else half of it would be a guess.
const mistyped = 2

// mistakes is how many letters of a name are wrong if it is meant for another, or
// more than there may be.
func mistakes(name, meant string) int {
	n := text.Edits(name, meant)
	if n == mistyped && len(name) <= 4 && !swapped(name, meant) {
		return mistyped + 1
	}
	return n
}

// swapped reports whether two neighbouring letters stand the other way round.
func swapped(name, meant string) bool {
	for i := range len(name) - 1 {
		if name[:i]+name[i+1:i+2]+name[i:i+1]+name[i+2:] == meant {
			return true
		}
	}
	return false
}

// near suggests the command that somebody meant: the one that a mistyped name
// begins like, by three letters, or else the one that is nearest to it.
func (t *Table) near(ctx context.Context, name string, role person.Role) string {
	best, least := "", mistyped+1
	for _, c := range t.commands {
		if !allowed(role, c.Role) {
			continue
		}
		n := mistakes(name, c.Name)
		if len(name) >= 3 && strings.HasPrefix(c.Name, name[:3]) {
			n = 0
		}
		if n < least && n < len(name) {
			best, least = c.Name, n
		}
	}
	if best == "" {
		return ""
	}
	return wording.Text(ctx, " Did you mean `/%s`?", best)
}

func (t *Table) help(ctx context.Context, c Call) (chat.Post, error) {
	word, _, _ := strings.Cut(c.Args, " ")
	if cmd, ok := t.Lookup(named(word)); ok {
		return wording.Say(ctx, "`%s`: %s.", cmd.usage(), wording.In(ctx).Of(cmd.Summary)), nil
	}
	if word != "" {
		name := strings.TrimPrefix(word, "/")
		return wording.Say(ctx, "I don't know `/%s`.%s Send `/help` for what I can do.", name, t.near(ctx, name, c.Who.Role)), nil
	}
	var b strings.Builder
	b.WriteString(wording.Text(ctx, "Just write to me; in a group, mention me or reply to me. I remember what you ask me to remember, "+
		"find what was said before, read pages, and keep files for our conversation.") + "\n\n")
	for _, cmd := range t.commands {
		if allowed(c.Who.Role, cmd.Role) {
			fmt.Fprintf(&b, "- `%s` %s\n", cmd.usage(), wording.In(ctx).Of(cmd.Summary))
		}
	}
	return chat.Post{Markdown: b.String()}, nil
}

// names are the commands that somebody may use.
func (t *Table) names(ctx context.Context, who person.Principal) (all []chat.Choice, err error) {
	for _, c := range t.commands {
		if allowed(who.Role, c.Role) {
			all = append(all, chat.Choice{Value: c.Name, Label: c.Name + ": " + wording.In(ctx).Of(c.Summary)})
		}
	}
	return all, nil
}

// told is a command's summary in the languages other than English.
func told(summary string) map[string]string {
	return map[string]string{string(wording.Chinese): wording.Chinese.Of(summary)}
}

func (c Command) usage() string {
	return strings.TrimSpace("/" + c.Name + " " + c.Args)
}
