package place

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/text"
)

// Directory knows where people take part.
type Directory interface {
	// Readable are the places that p may read, all of them where p is direct.
	Readable(ctx context.Context, p person.Principal) ([]chat.Address, error)
}

// Book knows places by their names. It is safe for concurrent use.
type Book struct {
	directory Directory
	namers    map[string]chat.Namer // by platform
	log       *slog.Logger

	mu    sync.Mutex
	known map[chat.Address]named
}

// named is what a platform said about a place.
type named struct {
	names []string
	until time.Time
}

// knownFor is how long names are believed; maxKnown bounds how many are.
const (
	knownFor = 10 * time.Minute
	maxKnown = 5_000
)

// New returns a book over the platforms that can name places.
func New(d Directory, namers map[string]chat.Namer, log *slog.Logger) *Book {
	return &Book{directory: d, namers: namers, log: log, known: map[chat.Address]named{}}
}

// Name is what to call a place when people are told of it: "#ops", the title
// of a group, or its id where there is no better.
func (b *Book) Name(ctx context.Context, a chat.Address) string {
	names := b.names(ctx, a.Place())
	if len(names) == 0 {
		return a.Chat
	}
	if signs[a.Platform] {
		return "#" + names[0]
	}
	return names[0]
}

// signs are the platforms where the name of a place begins with "#".
var signs = map[string]bool{"slack": true, "discord": true}

func (b *Book) names(ctx context.Context, a chat.Address) []string {
	namer := b.namers[a.Platform]
	if namer == nil {
		return nil
	}
	b.mu.Lock()
	have, ok := b.known[a]
	b.mu.Unlock()
	if ok && time.Now().Before(have.until) {
		return have.names
	}
	names, err := namer.Names(ctx, a)
	if err != nil {
		b.log.WarnContext(ctx, "a place's name is not known", "platform", a.Platform, "err", err)
		names = have.names // as it was called before
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.known) >= maxKnown {
		clear(b.known)
	}
	b.known[a] = named{names, time.Now().Add(knownFor)}
	return names
}

// Unclear is the error for a word that names no place, or several.
type Unclear struct {
	Word    string
	Several bool     // Like are all that it names, else those that are like it
	Like    []string // names with ids where names alone don't tell apart
}

// Error implements error.
func (e *Unclear) Error() string {
	if e.Several {
		return fmt.Sprintf("%q is the name of several places", e.Word)
	}
	return fmt.Sprintf("%q is no place that both of us are known to be in", e.Word)
}

// Find is the place that p means: by its name or a mention of it, by its id
// here, or by a whole address such as "slack:T1:C1". Where it is unclear, the
// error is an *Unclear.
func (b *Book) Find(ctx context.Context, p person.Principal, word string) (chat.Address, error) {
	here := p.Place.Place()
	if id, ok := chat.ParseIdentity(word); ok && strings.Contains(word, ":") {
		return chat.Address{Platform: id.Platform, Workspace: id.Workspace, Chat: id.ID}, nil
	}
	id, name, mention := meant(word)
	all, err := b.around(ctx, p)
	if err != nil {
		return chat.Address{}, err
	}
	var called []chat.Address
	for _, a := range all {
		if a.Chat == id {
			return a, nil
		}
		if slices.ContainsFunc(b.names(ctx, a), func(n string) bool { return text.Same(n, name) }) {
			called = append(called, a)
		}
	}
	switch {
	case len(called) == 1:
		return called[0], nil
	case len(called) > 1:
		return chat.Address{}, &Unclear{Word: word, Several: true, Like: b.told(ctx, called)}
	case mention && id != "", ids[here.Platform] != nil && ids[here.Platform].MatchString(id):
		here.Chat, here.Workspace = id, cmp.Or(p.Identity.Workspace, here.Workspace)
		return here, nil
	}
	others := slices.DeleteFunc(all, func(a chat.Address) bool { return a == here })
	return chat.Address{}, &Unclear{Word: word, Like: b.told(ctx, b.like(ctx, others, name, p.Direct))}
}

// ids are the forms of the ids of shared places.
var ids = map[string]*regexp.Regexp{
	"slack":    regexp.MustCompile(`^[CG][A-Z0-9]{2,20}$`),
	"discord":  regexp.MustCompile(`^[0-9]{15,20}$`),
	"telegram": regexp.MustCompile(`^-[0-9]{5,20}$`),
}

// meant reads what is typed for a place: "#ops", "@ops", or a mention that has
// its id, "<#C1|ops>", "<#17>".
func meant(word string) (id, name string, mention bool) {
	word = strings.TrimSpace(word)
	inside, mention := strings.CutPrefix(strings.TrimSuffix(word, ">"), "<#")
	if !mention {
		word = strings.TrimLeft(word, "#@")
		return word, word, false
	}
	id, name, _ = strings.Cut(inside, "|")
	return id, cmp.Or(name, id), true
}

// around are the places on p's platform that p takes part in, but the direct
// conversations.
func (b *Book) around(ctx context.Context, p person.Principal) ([]chat.Address, error) {
	all := p
	all.Direct = true
	places, err := b.directory.Readable(ctx, all)
	if err != nil {
		return nil, fmt.Errorf("look for a place: %w", err)
	}
	return slices.DeleteFunc(places, func(a chat.Address) bool {
		return a.Platform != p.Place.Platform || p.Direct && a == p.Place.Place() || len(b.names(ctx, a)) == 0
	}), nil
}

// maxLike bounds the names that are offered for one that is not known.
const maxLike = 5

// like are the places whose names are near to one, the nearest first; where
// none is, with whatever some that there are. Without it, as where others read along,
// nothing is told that was not nearly said.
func (b *Book) like(ctx context.Context, all []chat.Address, name string, whatever bool) []chat.Address {
	far := map[chat.Address]int{}
	for _, a := range all {
		far[a] = distance(b.names(ctx, a), name)
	}
	slices.SortStableFunc(all, func(x, y chat.Address) int { return cmp.Compare(far[x], far[y]) })
	near := slices.IndexFunc(all, func(a chat.Address) bool { return far[a] > 2 })
	if near < 0 || near == 0 && whatever {
		near = len(all)
	}
	return all[:min(near, maxLike)]
}

// distance is how far the nearest of names is: none where one is part of the
// other, else the letters that differ.
func distance(names []string, name string) int {
	best := len(name) + 1
	name = text.Fold(name)
	for _, n := range names {
		n = text.Fold(n)
		if len(name) > 1 && strings.Contains(n, name) || len(n) > 1 && strings.Contains(name, n) {
			return 0
		}
		best = min(best, text.Edits(n, name))
	}
	return best
}

// told are places by name, with the id where two have the same one.
func (b *Book) told(ctx context.Context, all []chat.Address) []string {
	count := map[string]int{}
	for _, a := range all {
		count[b.Name(ctx, a)]++
	}
	var out []string
	for _, a := range all {
		name := b.Name(ctx, a)
		if count[name] > 1 {
			name += " (" + a.Chat + ")"
		}
		out = append(out, name)
	}
	return out
}
