package rights

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/command"
	"talaria/gateway/inbox"
	"talaria/gateway/lane"
	"talaria/storage"
)

// codeFor is how long the code that confirms forgetting is good.
const codeFor = 10 * time.Minute

// ErrShared: what is demanded concerns nobody else, and was asked where others
// are.
var ErrShared = errors.New("that is done in a direct conversation only")

// Config is what rights are made from. Store, Directory and Keep are required.
type Config struct {
	Store     *storage.Store
	Directory *person.Directory
	// Keep puts an event into a shard's inbox, durably and once for its keys.
	Keep      func(ctx context.Context, shard int, env inbox.Envelope) error
	Erasers   []person.Eraser
	Exporters map[string]person.Exporter // by what it is called in the export
}

// Rights carries out what people demand.
type Rights struct{ cfg Config }

var _ command.Rights = (*Rights)(nil)

// New returns rights.
func New(cfg Config) *Rights { return &Rights{cfg} }

const (
	codes   = "forget" // collection in the person's partition
	codeKey = "code"
	fanOut  = 16 // shards that are told at a time
)

// Ask makes the code by which a person confirms that they want to be
// forgotten. An earlier one is good no longer.
func (r *Rights) Ask(ctx context.Context, who person.Principal) (string, error) {
	if !who.Direct {
		return "", ErrShared
	}
	code := strings.ToLower(rand.Text()[:8])
	b := storage.On(storage.Person(string(who.Person))).PutFor(codes, codeKey, code, storage.Any, codeFor)
	if _, err := r.cfg.Store.Commit(ctx, b); err != nil {
		return "", fmt.Errorf("make a code: %w", err)
	}
	return code, nil
}

// forgottenFor is how long somebody who repeats their code is told that they
// were forgotten.
const forgottenFor = 24 * time.Hour

// Confirm implements command.Rights.
func (r *Rights) Confirm(ctx context.Context, who person.Principal, code string) error {
	if !who.Direct {
		return ErrShared
	}
	doc, err := storage.Get[string](ctx, r.cfg.Store, storage.Person(string(who.Person)), codes, codeKey)
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return r.withoutCode(ctx, who)
	case err != nil:
		return fmt.Errorf("look up a code: %w", err)
	case doc.Value != code:
		return command.ErrCode
	}
	return nil
}

// withoutCode says why there is no code to compare with: it was erased with its
// person, or there was none that is still good.
func (r *Rights) withoutCode(ctx context.Context, who person.Principal) error {
	at, err := r.cfg.Directory.Forgotten(ctx, who.Identity)
	if err != nil {
		return err
	}
	now, err := r.cfg.Store.Now(ctx)
	if err != nil {
		return fmt.Errorf("look up a code: %w", err)
	}
	if now.Sub(at) < forgottenFor {
		return command.ErrForgotten
	}
	return command.ErrCode
}

// Forget erases everything that is kept of a person who has confirmed it. What
// lies in the shards is gone within seconds, and once Forget has returned it will
// be, whatever happens. request names the command, whose own answer is still to
// be sent.
func (r *Rights) Forget(ctx context.Context, who person.Principal, request string) error {
	if !who.Direct {
		return ErrShared
	}
	subject, err := r.cfg.Directory.Subject(ctx, who)
	if err != nil {
		return err
	}
	for _, e := range r.cfg.Erasers {
		if err := e.Erase(ctx, subject); err != nil {
			return fmt.Errorf("forget a person: %w", err)
		}
	}
	if err := r.tellShards(ctx, subject, request); err != nil {
		return fmt.Errorf("forget a person: %w", err)
	}
	return r.cfg.Directory.Forget(ctx, who)
}

func (r *Rights) tellShards(ctx context.Context, subject person.Subject, request string) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(fanOut)
	now := time.Now().UTC()
	for shard := range storage.Shards {
		e := chat.Event{
			Kind: chat.Tick, At: now, Keys: []string{fmt.Sprintf("forget:%s:%d", request, shard)},
			Tick: &chat.TickData{ID: request, Due: now},
		}
		g.Go(func() error { return r.cfg.Keep(ctx, shard, inbox.Envelope{Event: e, Forget: &subject}) })
	}
	return g.Wait()
}

// Again erases what a restored backup brought back of people who were
// forgotten since it was begun, and returns how many these are. Nobody may
// serve the store yet.
func Again(ctx context.Context, s *storage.Store, restored storage.Report, erasers []person.Eraser, shards []person.ShardEraser) (int, error) {
	who, err := person.Buried(ctx, s, restored)
	if err != nil || len(who.People) == 0 {
		return 0, err
	}
	for shard := range storage.Shards {
		if err := lane.Erase(ctx, s, shard, who, shards...); err != nil {
			return 0, fmt.Errorf("erase what was forgotten from shard %d: %w", shard, err)
		}
	}
	for _, e := range erasers {
		if err := e.Erase(ctx, who); err != nil {
			return 0, fmt.Errorf("erase what was forgotten: %w", err)
		}
	}
	if err := lane.Scrub(ctx, s); err != nil {
		return 0, fmt.Errorf("scrub what was forgotten: %w", err)
	}
	return len(who.People), nil
}
