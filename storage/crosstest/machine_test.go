package crosstest_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"talaria/storage"
)

// The times of the machine. Clocks go forward by steps; everything that ends
// does so half a step away from them, and times count as equal within less
// than that, so the real time that a check takes does not matter.
const (
	step      = 10 * time.Minute
	tolerance = 4 * time.Minute
	ticks     = 5
)

// machine is one run: the two stores and the model, in a partition of its own.
type machine struct {
	*rapid.T
	ctx    context.Context
	clocks clocks
	model  *model
	tick   int
	p      storage.Partition
	base   time.Time
	fences [][]storage.Fence // each as model, SQLite and Redis gave it
}

func TestDriversAndModelAgree(t *testing.T) {
	c := openClocks(t, ticks, step)
	steps := 0
	rapid.Check(t, func(rt *rapid.T) {
		base := time.Now().UTC().Truncate(time.Millisecond)
		m := &machine{T: rt, ctx: t.Context(), clocks: c, model: newModel(base), p: storage.Team(unique()), base: base}
		rt.Repeat(map[string]func(*rapid.T){
			"step": func(rt *rapid.T) {
				m.T = rt
				pick(rt, "action", actions)(m)
				steps++
			},
		})
		m.dumpsAreEqual()
		m.dumpsLoadIntoTheOther()
	})
	// Looked at as a command does that opens the store for it.
	for _, d := range []storage.Driver{openSQLite(t, c.path, 0), openRedis(t, server.URL(), c.prefix, 0)} {
		if findings, err := d.Check(t.Context()); err != nil || len(findings) > 0 {
			t.Errorf("%T: found %v, %v", d, findings, err)
		}
	}
	t.Logf("%d steps", steps)
}

// actions are what a step may be; half of them are batches.
var actions = []func(*machine){
	(*machine).apply, (*machine).apply, (*machine).apply, (*machine).apply, (*machine).apply, (*machine).apply,
	(*machine).read, (*machine).page, (*machine).search, (*machine).lease, (*machine).blob, (*machine).advance,
	(*machine).advance, (*machine).erase,
}

// sides are the three that must agree; the model comes first.
func (m *machine) sides() []storage.Driver {
	return []storage.Driver{m.model, m.clocks.sqlite[m.tick], m.clocks.redis[m.tick]}
}

// agree calls all three and compares what they say.
func (m *machine) agree(what string, call func(side int, d storage.Driver) (any, error)) {
	m.Helper()
	var want any
	var wantErr error
	for n, d := range m.sides() {
		got, err := call(n, d)
		if n == 0 {
			want, wantErr = got, err
			continue
		}
		if kind(err) != kind(wantErr) {
			m.Fatalf("%s: %T says %v, want %v", what, d, err, wantErr)
		}
		if err != nil {
			continue
		}
		if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateApproxTime(tolerance)); diff != "" {
			m.Fatalf("%s: %T: -want +got:\n%s", what, d, diff)
		}
	}
}

// kind is an error of the contract, or the error itself.
func kind(err error) error {
	for _, known := range []error{storage.ErrNotFound, storage.ErrConflict, storage.ErrFenced, storage.ErrHeld} {
		if errors.Is(err, known) {
			return known
		}
	}
	return err
}

func (m *machine) apply() {
	ops := m.drawOps()
	fence := -1 // none
	if len(m.fences) > 0 && rapid.Bool().Draw(m.T, "fenced") {
		fence = rapid.IntRange(0, len(m.fences)-1).Draw(m.T, "fence")
	}
	m.agree(fmt.Sprintf("apply %s under %d", describe(ops), fence), func(side int, d storage.Driver) (any, error) {
		b := storage.Ops{Partition: m.p, Ops: ops}
		if fence >= 0 {
			b.Fence = &m.fences[fence][side]
		}
		return d.Apply(m.ctx, b)
	})
}

// read looks at everything there is.
func (m *machine) read() {
	for _, c := range collections {
		m.agree("list", func(_ int, d storage.Driver) (any, error) { return d.List(m.ctx, m.p, c, "", 10) })
	}
	for _, l := range logs {
		m.agree("log", func(_ int, d storage.Driver) (any, error) { return d.ReadLog(m.ctx, m.p, l, 0, 100) })
	}
	m.agree("pending", func(_ int, d storage.Driver) (any, error) { return d.Pending(m.ctx, m.p, 0, 100) })
	m.agree("rows", func(_ int, d storage.Driver) (any, error) {
		return d.Rows(m.ctx, m.p, 0, 100, storage.Queued, storage.Sending, storage.Sent, storage.Unknown)
	})
	m.agree("due", func(_ int, d storage.Driver) (any, error) { return d.Due(m.ctx, m.p, m.base.Add(time.Hour), 100) })
	m.agree("next due", func(_ int, d storage.Driver) (any, error) { return d.NextDue(m.ctx, m.p) })
}

// page looks at parts, with limits.
func (m *machine) page() {
	limit := rapid.IntRange(0, 3).Draw(m.T, "limit")
	after := uint64(rapid.IntRange(0, 4).Draw(m.T, "after"))
	ref, log, due := drawRef(m.T), drawLog(m.T), m.drawDue(m.T)
	some := rapid.SliceOfN(states, 1, 3).Draw(m.T, "states")
	m.agree("list", func(_ int, d storage.Driver) (any, error) {
		return d.List(m.ctx, m.p, ref.Collection, ref.Key, limit)
	})
	m.agree("log", func(_ int, d storage.Driver) (any, error) { return d.ReadLog(m.ctx, m.p, log, after, limit) })
	m.agree("tail", func(_ int, d storage.Driver) (any, error) { return d.TailLog(m.ctx, m.p, log, limit) })
	m.agree("pending", func(_ int, d storage.Driver) (any, error) { return d.Pending(m.ctx, m.p, after, limit) })
	m.agree("rows", func(_ int, d storage.Driver) (any, error) { return d.Rows(m.ctx, m.p, after, limit, some...) })
	m.agree("row", func(_ int, d storage.Driver) (any, error) { return d.Row(m.ctx, m.p, ref.Key) })
	m.agree("due", func(_ int, d storage.Driver) (any, error) { return d.Due(m.ctx, m.p, due, limit) })
	m.agree("get", func(_ int, d storage.Driver) (any, error) {
		return d.Get(m.ctx, m.p, ref, storage.Ref{Collection: "other", Key: "a"})
	})
}

func (m *machine) search() {
	place, terms := drawPlace(m.T), rapid.SliceOfN(term, 1, 4).Draw(m.T, "terms")
	limit := rapid.IntRange(0, 3).Draw(m.T, "limit")
	m.agree("candidates", func(_ int, d storage.Driver) (any, error) {
		return storage.New(d).Candidates(m.ctx, m.p, place, terms)
	})
	m.agree("postings", func(_ int, d storage.Driver) (any, error) { return d.Postings(m.ctx, m.p, place, terms, limit) })
	m.agree("stats", func(_ int, d storage.Driver) (any, error) { return d.IndexStats(m.ctx, m.p, place, terms) })
}

func (m *machine) lease() {
	ttl := drawTTL(m.T)
	what := pick(m.T, "call", []string{"acquire", "acquire", "renew", "release"})
	if len(m.fences) == 0 {
		what = "acquire"
	}
	held := make([]storage.Fence, 3)
	if what != "acquire" {
		held = m.fences[rapid.IntRange(0, len(m.fences)-1).Draw(m.T, "fence")]
	}
	holder := pick(m.T, "holder", []string{"a", "b"})
	acquired := false
	m.agree(what, func(side int, d storage.Driver) (any, error) {
		switch what {
		case "renew":
			return nil, d.Renew(m.ctx, held[side], ttl)
		case "release":
			return nil, d.Release(m.ctx, held[side])
		}
		var err error
		held[side], err = d.Acquire(m.ctx, m.p, holder, ttl)
		acquired = err == nil
		return nil, err
	})
	if acquired {
		m.fences = append(m.fences, held)
	}
	m.agree("lease", func(side int, d storage.Driver) (any, error) {
		info, err := d.Lease(m.ctx, m.p)
		info.Token = uint64(slices.IndexFunc(m.fences, func(f []storage.Fence) bool { return f[side].Token == info.Token }))
		return info, err
	})
}

func (m *machine) blob() {
	data := []byte(keys.Draw(m.T, "data"))
	sum := sha256.Sum256(data)
	hash := hex.EncodeToString(sum[:])
	switch pick(m.T, "call", []string{"put", "delete", "get"}) {
	case "put":
		m.agree("put blob", func(_ int, d storage.Driver) (any, error) { return nil, d.PutBlob(m.ctx, m.p, hash, data) })
	case "delete":
		m.agree("delete blob", func(_ int, d storage.Driver) (any, error) { return nil, d.DeleteBlob(m.ctx, m.p, hash) })
	}
	m.agree("get blob", func(_ int, d storage.Driver) (any, error) { return d.GetBlob(m.ctx, m.p, hash) })
}

func (m *machine) advance() {
	if m.tick == ticks-1 {
		m.Skip("the clocks go no further")
	}
	m.tick++
	m.model.now = m.model.now.Add(step)
}

func (m *machine) erase() {
	if !pick(m.T, "sure", []bool{true, false, false, false}) {
		m.Skip("not now")
	}
	m.agree("erase", func(_ int, d storage.Driver) (any, error) { return nil, d.Erase(m.ctx, m.p) })
}

func (m *machine) dumpsAreEqual() {
	m.agree("dump", func(_ int, d storage.Driver) (any, error) { return dump(m.ctx, d, m.p) })
}

func (m *machine) dumpsLoadIntoTheOther() {
	copied := storage.Team("copy/" + m.p.String())
	sides := m.sides()
	for from, to := range map[storage.Driver]storage.Driver{sides[1]: sides[2], sides[2]: sides[1]} {
		want, err := dump(m.ctx, from, m.p)
		if err != nil {
			m.Fatal(err)
		}
		var records []storage.Record
		for _, s := range want {
			records = append(records, s.Record())
		}
		if err := to.Load(m.ctx, copied, records); err != nil {
			m.Fatalf("load from %T: %v", from, err)
		}
		got, err := dump(m.ctx, to, copied)
		if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			m.Fatalf("from %T: %v, -want +got:\n%s", from, err, diff)
		}
	}
}

// dump is a partition's content in an order of its own.
func dump(ctx context.Context, d storage.Driver, p storage.Partition) ([]storage.Stored, error) {
	var all []storage.Stored
	err := d.Dump(ctx, p, func(r storage.Record) error {
		s, err := r.Stored()
		all = append(all, s)
		return err
	})
	order := func(s storage.Stored) string {
		r := s.Record()
		for _, moving := range []string{"expires", "at", "until"} {
			delete(r.Data, moving)
		}
		return fmt.Sprint(r)
	}
	slices.SortFunc(all, func(a, b storage.Stored) int { return cmp.Compare(order(a), order(b)) })
	return all, err
}
