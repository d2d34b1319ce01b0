package agent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"talaria/core/chat"
)

const (
	maxBeside = 8       // reads of one step that run at the same time
	maxInline = 1 << 20 // bytes of file content that one result may carry inline
)

// job is a call that passed every check.
type job struct {
	call  Call
	tool  Tool
	spec  Spec
	in    Invocation
	limit time.Duration
}

// dispatch has the last message's calls done: reads that stand next to each
// other at the same time, everything else in order.
func (r *run) dispatch(ctx context.Context) error {
	for rest := r.pending(); len(rest) > 0; {
		n := r.alongside(rest)
		if err := r.perform(ctx, rest[:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	r.closeStep()
	if r.ask != nil {
		r.ending = Asked
		return nil
	}
	return r.steer(ctx)
}

// alongside is how many of the calls may be made at once, from the first on.
func (r *run) alongside(calls []Call) int {
	n := 0
	for n < min(len(calls), maxBeside) {
		tool, ok := r.tools[calls[n].Name]
		if !ok || tool.Spec().Effect != Read {
			break
		}
		n++
	}
	return max(n, 1)
}

// perform has calls done that may overlap, and records what they came to.
func (r *run) perform(ctx context.Context, calls []Call) error {
	var jobs []job
	var ended []Entry
	for _, c := range calls {
		if _, ok := r.ended[c.ID]; ok {
			continue
		}
		j, refusal := r.prepare(ctx, c)
		if refusal != "" {
			ended = append(ended, Entry{Ended: &Outcome{ID: c.ID, Name: c.Name, Text: refusal, Failed: true}})
			continue
		}
		jobs = append(jobs, j)
	}
	if err := r.start(ctx, jobs); err != nil {
		return err
	}
	ended = append(ended, r.runAll(ctx, jobs)...)
	if err := r.record(ctx, ended...); err != nil {
		return err
	}
	for _, e := range ended {
		r.finished(e)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// prepare checks a call; a refusal is told to the model. A recorded effect
// without an end is refused, which is what resuming safely comes down to.
func (r *run) prepare(ctx context.Context, c Call) (job, string) {
	tool, ok := r.tools[c.Name]
	switch {
	case r.started[c.ID] && (!ok || tool.Spec().Effect == Effectful):
		return job{}, unknownText
	case r.ask != nil:
		return job{}, waitingText
	case !r.l.cfg.Now().Before(r.until):
		return job{}, noTimeText
	case r.repeats.refuse(c):
		return job{}, repeatText
	case !ok:
		return job{}, r.noSuchTool(c.Name)
	}
	s := tool.Spec()
	if err := checkArgs(s.Schema, c.Args); err != nil {
		return job{}, "error: " + err.Error()
	}
	if r.turn.Allow != nil {
		if err := r.turn.Allow(ctx, s, c.Args); err != nil {
			return job{}, "not allowed: " + clean(err.Error())
		}
	}
	limit := s.Timeout
	orDefault(&limit, r.l.cfg.Budgets.Tool)
	return job{
		call: c, tool: tool, spec: s, limit: min(limit, r.until.Sub(r.l.cfg.Now())),
		in: Invocation{ID: r.turn.ID + "/" + c.ID, Args: c.Args, Context: r.worst, Spoken: r.spoken},
	}, ""
}

func (r *run) noSuchTool(name string) string {
	names := slices.Sorted(maps.Keys(r.tools))
	return fmt.Sprintf("error: there is no tool %q; there are: %s", cut(name, 64), strings.Join(names, ", "))
}

// start records that calls are about to run which are not Read.
func (r *run) start(ctx context.Context, jobs []job) error {
	for _, j := range jobs {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if r.hooks.Progress != nil {
			r.hooks.Progress(label(j.call.Name))
		}
		if j.spec.Effect == Read || r.started[j.call.ID] {
			continue
		}
		if err := r.record(ctx, Entry{Started: &j.call}); err != nil {
			return err
		}
		r.started[j.call.ID] = true
	}
	return nil
}

// runAll returns the entries of those calls that came to an end. When ctx
// ends, a call that did not return a result has none: it counts as interrupted.
func (r *run) runAll(ctx context.Context, jobs []job) []Entry {
	type end struct {
		result Result
		err    error
	}
	ends := make([]end, len(jobs))
	var wait sync.WaitGroup
	for n, j := range jobs {
		wait.Go(func() { ends[n].result, ends[n].err = r.l.invoke(ctx, j) })
	}
	wait.Wait()
	var entries []Entry
	for n, j := range jobs {
		if ends[n].err != nil && ctx.Err() != nil {
			continue
		}
		e := r.outcome(j, ends[n].result, ends[n].err)
		if e.Ask != nil && slices.ContainsFunc(entries, func(e Entry) bool { return e.Ask != nil }) {
			e = Entry{Ended: &Outcome{ID: j.call.ID, Name: j.call.Name, Text: waitingText}}
		}
		entries = append(entries, e)
	}
	return entries
}

// outcome puts into words for the model what a call came to.
func (r *run) outcome(j job, res Result, err error) Entry {
	o := Outcome{ID: j.call.ID, Name: j.call.Name, Origin: res.Origin}
	limit := j.spec.Output
	orDefault(&limit, r.l.cfg.Budgets.Output)
	switch {
	case err != nil:
		o.Text, o.Failed = "error: "+cut(clean(err.Error()), limit), true
		if j.spec.Effect == Effectful && (errors.Is(err, errLate) || errors.Is(err, errPanic)) {
			o.Text += "; it may or may not have taken effect"
		}
	case res.Ask != nil:
		o.Text = AskedText
		return Entry{Ended: &o, Ask: res.Ask}
	case inline(res.Files) > maxInline:
		o.Text, o.Failed = fmt.Sprintf("error: files of more than %d bytes can't be sent like this", maxInline), true
	default:
		o.Text = cut(clean(res.Text), limit)
		return Entry{Ended: &o, Files: res.Files}
	}
	return Entry{Ended: &o}
}

func inline(files []chat.Upload) int {
	n := 0
	for _, f := range files {
		n += len(f.Data)
	}
	return n
}

// finished takes in what a call came to, once that is recorded.
func (r *run) finished(e Entry) {
	o := *e.Ended
	r.ended[o.ID] = e
	r.worst = chat.Worst(r.worst, o.Origin)
	r.toolRuns++
	if o.Failed {
		r.failures++
	}
	r.files = append(r.files, e.Files...)
	if e.Ask != nil {
		r.ask = e.Ask
	}
	changed := r.started[o.ID] && !o.Failed && e.Ask == nil
	if changed {
		r.changes = append(r.changes, label(o.Name))
	}
	for _, c := range r.pending() {
		if c.ID == o.ID {
			r.repeats.note(c, o, changed)
		}
	}
}
