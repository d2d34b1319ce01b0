package doctor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/storage"
)

// maxSkew is how far this machine's clock may be from the store's. Leases and
// timers go by the store's clock, but what people are told goes by this one.
const maxSkew = 5 * time.Second

// store looks at everything that needs the store.
func (s Subject) store(ctx context.Context) []chat.Finding {
	shown := s.Config.Storage.Shown()
	st, err := s.Open(ctx)
	if err != nil {
		return []chat.Finding{s.unopened(why(ctx, err))}
	}
	defer st.Close()
	out := []chat.Finding{ok("%s can be reached", shown)}
	for _, check := range []func(context.Context, *storage.Store) chat.Finding{
		soundness, live, durability, s.clock, holders, s.firstAdmin,
	} {
		out = append(out, check(ctx, st))
	}
	return out
}

// unopened makes a finding of an error whose text ends with its remedy, and
// tells where the address was set.
func (s Subject) unopened(text string) chat.Finding {
	const key = "[storage] url"
	what, remedy := text, "see whether the store runs and "+key+" names it"
	if n := strings.LastIndex(text, "; "); n >= 0 {
		what, remedy = text[:n], text[n+len("; "):]
	}
	return wrong(strings.ReplaceAll(remedy, key, key+" ("+s.Where("storage.url")+")"), "%s: %s", s.Config.Storage.Shown(), what)
}

func soundness(ctx context.Context, s *storage.Store) chat.Finding {
	damage, err := s.Check(ctx)
	const remedy = "make a backup of what can be read, then restore the last good one: talaria store restore FILE"
	switch {
	case err != nil:
		return wrong("try again; if it stays so, restore a backup", "check: %s", why(ctx, err))
	case len(damage) > 0:
		return wrong(remedy, "damaged: %s", strings.Join(damage, "; "))
	}
	return ok("no damage")
}

// live tells whether a restored store was said to be the live one.
func live(ctx context.Context, s *storage.Store) chat.Finding {
	may, err := s.Live(ctx)
	switch {
	case errors.Is(err, storage.ErrUnfinished):
		return wrong("if none is running, begin anew: talaria store restore FILE --again", "%s", why(ctx, err))
	case err != nil:
		return wrong("try again", "standing: %s", why(ctx, err))
	case !may:
		return note("once the store that it was copied from is gone: talaria store live", "restored from a backup: it sends nothing yet")
	}
	return ok("may send")
}

func durability(ctx context.Context, s *storage.Store) chat.Finding {
	text, full, err := s.Durability(ctx)
	switch {
	case err != nil:
		return wrong("allow the user to read the server's configuration", "durability: %s", why(ctx, err))
	case !full:
		return note("for Redis: appendonly yes, appendfsync always; or accept the loss", "%s", text)
	}
	return ok("%s", text)
}

func (s Subject) clock(ctx context.Context, st *storage.Store) chat.Finding {
	now, err := st.Now(ctx)
	if err != nil {
		return wrong("try again", "clock: %s", why(ctx, err))
	}
	skew := s.Now().Sub(now).Round(time.Millisecond)
	if skew.Abs() > maxSkew {
		return wrong("let NTP set the clocks of both machines", "this machine's clock is %s off the store's", skew)
	}
	return ok("the clocks agree to %s", max(skew.Abs(), time.Millisecond))
}

// holders tells which replicas serve the store now.
func holders(ctx context.Context, s *storage.Store) chat.Finding {
	count := map[string]int{}
	for n := range storage.Shards {
		l, err := s.Lease(ctx, storage.Shard(n))
		switch {
		case errors.Is(err, storage.ErrNotFound):
		case err != nil:
			return wrong("try again", "leases: %s", why(ctx, err))
		default:
			count[l.Holder]++
		}
	}
	if len(count) == 0 {
		return ok("no conversation is served at the moment: a bot that runs takes them up as messages come")
	}
	var held []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		held = append(held, fmt.Sprintf("%s (%d of %d shards)", name, count[name], storage.Shards))
	}
	return ok("served by %s", strings.Join(held, ", "))
}

// firstAdmin tells who has all rights. Without a platform it is about the
// terminal's person, whom a code does not reach.
func (s Subject) firstAdmin(ctx context.Context, st *storage.Store) chat.Finding {
	_, embedded := s.Config.Storage.SQLite()
	console := chat.Identity{Platform: "console"}
	switch {
	case embedded && !s.Config.Adapters.Any():
		return ok("whoever sits at the terminal is admin")
	case !s.Config.Adapters.Any() && !slices.Contains(s.Config.People.Admins.Identities(), console):
		return wrong(`write admins = ["console"] under [people], or set up a platform`,
			"the store can be shared, so whoever sits at the terminal has no rights, and there is no platform on which an admin could write")
	}
	code, err := s.FirstAdmin(ctx, st)
	switch {
	case err != nil:
		return wrong("try again", "admins: %s", why(ctx, err))
	case code != "":
		return ok("nobody is admin yet; whoever sends the bot \"/pair %s\" in a direct message becomes the first one", code)
	}
	return ok("there is an admin")
}
