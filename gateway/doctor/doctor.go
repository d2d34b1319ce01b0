package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/gateway/config"
	"talaria/storage"
)

// checkTime is the longest that one check may take.
const checkTime = 15 * time.Second

// Subject is what is looked at.
type Subject struct {
	Config config.Config
	// Problems are the configuration's mistakes, Warnings what could be better.
	Problems, Warnings []config.Problem
	// Where says where the value of a key was written, or would be.
	Where func(key string) string
	// Open opens the store; its errors end with "; " and what helps.
	Open func(ctx context.Context) (*storage.Store, error)
	// Models are the configured models, by the key of their table.
	Models []Model
	// Adapters are those of the configured platforms.
	Adapters []chat.Adapter
	// FirstAdmin returns the code that makes whoever enters it the first
	// admin, or "" where there is an admin.
	FirstAdmin func(ctx context.Context, s *storage.Store) (string, error)
	// Sandbox tries the layers that scripts may run in, and returns the one that
	// holds.
	Sandbox func(ctx context.Context) (string, error)
	// Now is the clock of this machine.
	Now func() time.Time
}

// Model is a configured model.
type Model struct {
	Key   string // such as "model.fallback"
	Model agent.Model
	// Rehearsal says that it is the built-in stand-in.
	Rehearsal bool
}

// Result is one finding and what it is about.
type Result struct {
	Part string
	chat.Finding
}

// Run looks at everything and tells each result as soon as it is there. It
// returns whether all is well.
func Run(ctx context.Context, s Subject, tell func(Result)) bool {
	well := true
	look := func(part string, check func(ctx context.Context) []chat.Finding) {
		limited, cancel := context.WithTimeoutCause(ctx, checkTime, errSlow)
		defer cancel()
		for _, f := range check(limited) {
			well = well && f.OK
			tell(Result{part, f})
		}
	}
	look("config", s.config)
	if slices.ContainsFunc(s.Problems, func(p config.Problem) bool { return p.Key == "" }) {
		return false // nothing was read: what the defaults name is nobody's
	}
	look("folder", s.folder)
	if !slices.ContainsFunc(s.Problems, func(p config.Problem) bool { return p.Key == "storage.url" }) {
		look("store", s.store)
	}
	for _, m := range s.Models {
		look(m.Key, func(ctx context.Context) []chat.Finding { return s.model(ctx, m) })
	}
	look("skills", s.external)
	look("scripts", s.scripts)
	look("platforms", s.platforms)
	for _, a := range s.Adapters {
		look(a.Platform(), func(ctx context.Context) []chat.Finding { return adapter(ctx, a) })
	}
	return well
}

var errSlow = fmt.Errorf("no answer within %s", checkTime)

// why is an error for people: a check that ran out of time says so.
func why(ctx context.Context, err error) string {
	if errors.Is(err, context.DeadlineExceeded) && context.Cause(ctx) == errSlow {
		return errSlow.Error()
	}
	return err.Error()
}

func ok(format string, args ...any) chat.Finding {
	return chat.Finding{OK: true, What: fmt.Sprintf(format, args...)}
}

// note is fine as it is, but could be better.
func note(remedy, format string, args ...any) chat.Finding {
	return chat.Finding{OK: true, What: fmt.Sprintf(format, args...), Remedy: remedy}
}

func wrong(remedy, format string, args ...any) chat.Finding {
	return chat.Finding{What: fmt.Sprintf(format, args...), Remedy: remedy}
}
