package skills

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/gateway/command"
	"talaria/gateway/wording"
	"talaria/storage"
)

// Directory knows people and where they can be reached.
type Directory interface {
	// DirectOf is p in their direct conversation, false where none is known.
	DirectOf(ctx context.Context, p person.Principal) (person.Principal, bool, error)
	// Present is p with the rights that it has now, as a member of its place.
	Present(ctx context.Context, p person.Principal) (person.Principal, error)
	// Others are those beside p who have at least a role in all of p's team, in
	// their direct conversations.
	Others(ctx context.Context, p person.Principal, need person.Role) ([]person.Principal, error)
	// Reach is somebody in their direct conversation, false where none is known.
	Reach(ctx context.Context, id person.ID) (person.Principal, bool, error)
}

// Places knows what people call places.
type Places interface {
	// Name is what to call a place when people are told of it.
	Name(ctx context.Context, a chat.Address) string
	// Find is the place that p means by a word. An error that is a *place.Unclear
	// says what else may have been meant.
	Find(ctx context.Context, p person.Principal, word string) (chat.Address, error)
}

// Desk answers the commands and the buttons about skills.
type Desk struct {
	Config
	library *skill.Library
	tell    command.Tell
	log     *slog.Logger
}

// Config is what a desk is made from. Everything is required.
type Config struct {
	Library   *skill.Library
	Directory Directory
	Places    Places
	Store     *storage.Store // of the cards
	Tell      command.Tell   // posts cards
	// Fetch reads a file that came with an event.
	Fetch func(ctx context.Context, e chat.Event, a chat.Attachment) ([]byte, error)
	// Link is the web address of a message, empty where it has none.
	Link func(place chat.Address, message string) string
	// IsCommand reports whether a name is that of a chat command. No imported
	// skill may have it: nobody could call the skill.
	IsCommand func(name string) bool
	// Curator looks after skills. It announces by the desk, so the desk gets hold
	// of it only when somebody asks.
	Curator func() Curator
	Log     *slog.Logger
}

// New returns a desk. Run has it remind people.
func New(c Config) *Desk { return &Desk{c, c.Library, c.Tell, c.Log} }

// verb is one thing that /skills does.
type verb struct {
	name, args, summary string
	run                 func(ctx context.Context, c request) (chat.Post, error)
}

// request is a verb as it is called.
type request struct {
	command.Call
	words string // after the verb, trimmed
}

// first splits the first word off.
func (r request) first() (word, rest string) {
	word, rest, _ = strings.Cut(r.words, " ")
	if i := strings.IndexByte(word, '\n'); i >= 0 {
		word, rest = word[:i], r.words[i+1:]
	}
	return word, strings.TrimSpace(rest)
}

func (d *Desk) verbs() []verb {
	return []verb{
		{"list", "[PAGE] [--source auto] [--sort recent]", "all skills here", d.list},
		{"search", "WORDS", "find a skill by what it is for", d.search},
		{"show", "NAME [FILE]", "what a skill says, may do and has done", d.show},
		{"diff", "NAME [FROM [TO]]", "what a draft or a revision changes", d.diff},
		{"history", "NAME", "all revisions, and who decided", d.history},
		{"pending", "", "drafts that wait for a decision", d.pending},
		{"approve", "NAME", "put the draft that waits in force", d.approve},
		{"reject", "NAME [REASON]", "drop the draft that waits", d.reject},
		{"edit", "NAME TEXT", "put your own SKILL.md in the draft's place", d.edit},
		{"rollback", "NAME [NUMBER]", "go back to an earlier revision", d.rollback},
		{"disable", "NAME [REASON]", "take a skill out of use at once", d.change(d.library.Disable, skill.Disabled, "disabled", "enable")},
		{"enable", "NAME", "put it back into use", d.change(d.library.Enable, skill.Active, "enabled", "disable")},
		{"pin", "NAME", "keep upkeep from touching it", d.pin(true)},
		{"unpin", "NAME", "end that", d.pin(false)},
		{"archive", "NAME [REASON]", "put a skill away", d.change(d.library.Archive, skill.Archived, "archived", "restore")},
		{"restore", "NAME", "bring an archived skill back", d.change(d.library.Restore, skill.Active, "back", "archive")},
		{"share", "NAME [PLACE] [stop]", "use a skill of your own here or in another place, or offer this place's to another", d.share},
		{"publish", "NAME [team]", "propose a skill of yours for this place, or for the whole team", d.publish},
		{"adopt", "NAME", "take a copy among your own", d.copy},
		{"subscribe", "[NAME] [PLACE] [stop]", "use here what another place offers; in private, take a copy that follows", d.subscribe},
		{"import", "", "propose the SKILL.md that is in the message, or the .md and .zip files that came with it", d.take},
		{"brought", "[KEY] [yes] [drop]", "changes that waited for a yes in the home that you imported", d.waited},
		{"export", "NAME", "a skill as a file", d.export},
		{"config", "NAME [KEY=VALUE]", "what a skill asks you to set, and set it", d.configure},
		{"improve", "NAME", "write a better text from the uses that failed", d.improve},
		{"digest", "", "how the skills here did of late", d.digest},
		{"undo", "", "take the latest change of your preferences back", d.undo},
		{"cleanup", "[--min-confidence 0.5] [--inactive-days 30] [--dry-run]", "skills that may go; what upkeep would do", d.cleanup},
		{"audit", "", "who decided what", d.audit},
	}
}

// Commands are the chat commands about skills.
func (d *Desk) Commands() []command.Command {
	return []command.Command{{
		Name: "skills", Args: "[help | VERB]", Summary: "what I have learned to do: see, approve, change, share", Now: true, Lines: true,
		Role: person.Guest, Run: d.run, Verbs: d.forms(),
	}}
}

func (d *Desk) run(ctx context.Context, c command.Call) (chat.Post, error) {
	name, rest, _ := strings.Cut(c.Args, " ")
	if i := strings.IndexByte(name, '\n'); i >= 0 {
		name, rest = name[:i], c.Args[i+1:]
	}
	r := request{c, strings.TrimSpace(rest)}
	switch name = strings.ToLower(name); name {
	case "":
		return d.overview(ctx, r)
	case "help":
		return chat.Post{Markdown: d.usage(ctx)}, nil
	}
	verbs := d.verbs()
	n := slices.IndexFunc(verbs, func(v verb) bool { return v.name == name })
	if n < 0 {
		return d.unknownVerb(ctx, name)
	}
	v := verbs[n]
	if strings.HasPrefix(v.args, "NAME") || strings.HasPrefix(v.args, "WORDS") {
		if r.words == "" {
			return command.Misused(ctx, "Usage: `/skills %s %s`: %s.", v.name, v.args, wording.In(ctx).Of(v.summary))
		}
	}
	post, err := v.run(ctx, r)
	if strings.HasPrefix(v.args, "NAME") && errors.Is(err, skill.ErrNotFound) && !errors.Is(err, errNoDraft) {
		return d.unknownName(ctx, r, err)
	}
	return settle(ctx, post, err)
}

// usage lists the verbs.
func (d *Desk) usage(ctx context.Context) string {
	var b strings.Builder
	for _, v := range d.verbs() {
		fmt.Fprintf(&b, "- `%s` %s\n", strings.TrimSpace("/skills "+v.name+" "+v.args), wording.In(ctx).Of(v.summary))
	}
	return b.String()
}

// code makes foreign text fit between backquotes.
func code(s string) string {
	return strings.NewReplacer("`", "'", "\n", " ", "\r", " ").Replace(s)
}
