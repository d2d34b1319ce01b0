package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"talaria/core/chat"
)

// run is one turn under way. One goroutine owns it; tools that run side by
// side see only their own Invocation.
type run struct {
	l     *Loop
	turn  Turn
	model Model
	hooks Hooks
	tools map[string]Tool
	specs []Spec
	veil  veil

	until time.Time // working calls are over by then
	end   time.Time // and the concluding one by then

	history []Message // from before the turn; folded once it is too long
	folded  bool
	folds   int       // how often it was tried
	own     []Message // the turn's, as the model sees them

	started map[string]bool  // calls of the last step that are recorded as begun
	ended   map[string]Entry // and as ended, by call id
	repeats repeats
	known   []string // texts taken in before a crash, which may be handed over again

	worst  chat.Origin
	spoken string

	usage    Usage // of the whole turn
	step     Usage // of the message being written
	calls    int
	toolRuns int
	failures int
	changes  []string // names of the calls that changed something
	files    []chat.Upload
	ask      *Ask
	ending   Ending // set once the turn is over
}

func (l *Loop) newRun(t Turn, h Hooks) *run {
	now := l.cfg.Now()
	r := &run{
		l: l, turn: t, hooks: h, model: t.Model,
		tools: map[string]Tool{}, started: map[string]bool{}, ended: map[string]Entry{},
		until:   now.Add(l.cfg.Budgets.Duration - l.cfg.Budgets.Grace),
		end:     now.Add(l.cfg.Budgets.Duration),
		history: slices.Clip(t.History), // whose messages are read, and never changed
		spoken:  t.Spoken,
	}
	if r.model == nil {
		r.model = l.cfg.Model
	}
	for _, tool := range t.Tools {
		s := tool.Spec()
		r.tools[s.Name] = tool
		r.specs = append(r.specs, s)
	}
	for _, m := range t.History {
		r.taint(m)
	}
	return r
}

// taint takes note of a message that the model gets to see.
func (r *run) taint(m Message) {
	r.worst = chat.Worst(r.worst, m.Origin)
	for _, o := range m.Results {
		r.worst = chat.Worst(r.worst, o.Origin)
	}
}

func (r *run) add(m Message) {
	r.taint(m)
	r.own = append(r.own, m)
}

// work goes on with the turn, from wherever it is, until it is over.
func (r *run) work(ctx context.Context) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	for r.ending == "" {
		step := r.think
		if len(r.pending()) > 0 {
			step = r.dispatch
		}
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// begin records how the turn was put together, or takes up an earlier run.
func (r *run) begin(ctx context.Context) error {
	if len(r.turn.Resume) > 0 {
		r.replay(r.turn.Resume)
		return nil
	}
	b := Begun{Prefix: r.turn.Prefix, Block: r.turn.Block, Input: r.turn.Input}
	if err := r.record(ctx, Entry{Begun: &b}); err != nil {
		return err
	}
	r.assume(b)
	return nil
}

func (r *run) assume(b Begun) {
	r.turn.Prefix, r.turn.Block, r.turn.Input = b.Prefix, b.Block, b.Input
	r.veil = newVeil(b.Block)
	if b.Block != "" {
		r.add(Message{Role: User, Text: b.Block, Origin: chat.Self})
	}
	r.add(b.Input)
}

// pending returns the calls that the last message asks for.
func (r *run) pending() []Call {
	if len(r.own) == 0 {
		return nil
	}
	return r.own[len(r.own)-1].Calls
}

// think has the model say what comes next.
func (r *run) think(ctx context.Context) error {
	r.step = Usage{}
	m, err := r.compose(ctx)
	if err != nil {
		return err
	}
	ending := Ending("")
	if len(m.Calls) == 0 {
		ending = Answered
	}
	return r.say(ctx, m, ending)
}

// say records the model's message and takes it in.
func (r *run) say(ctx context.Context, m Message, ending Ending) error {
	usage := r.step
	if err := r.record(ctx, Entry{Model: &m, Usage: &usage, Ending: ending}); err != nil {
		return err
	}
	r.heard(m, ending)
	return nil
}

// heard takes in a message of the model's that is recorded.
func (r *run) heard(m Message, ending Ending) {
	r.add(m)
	r.ending = ending
	clear(r.started)
	clear(r.ended)
}

// conclude uses the one call beyond the budget to have the model say what it
// has. Whatever that comes to, the turn is over after it.
func (r *run) conclude(ctx context.Context) error {
	r.step = Usage{}
	var got reply
	err, text := errSpent, ""
	if q := r.request([]Message{note(concludeNote)}, nil); r.affords(q, 1) {
		got, err = r.stream(ctx, q, r.end, r.show(""))
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		text = r.veil.whole(got.text)
	}
	switch {
	case strings.TrimSpace(text) == "":
		text = r.spentWords()
	case got.stop == StopLength, got.stop == stopRunaway:
		text += r.cutMark()
	case got.stop == StopRefused:
		text = r.refusedWords(text)
	}
	return r.say(ctx, r.assistant(text), Budgeted)
}

// breakOff ends the turn with words of our own. They are not recorded, so that
// a resumed turn tries again.
func (r *run) breakOff(b *broken) {
	r.heard(r.assistant(b.words+r.changedWords()), Broken)
}

func (r *run) assistant(text string) Message {
	return Message{Role: Assistant, Text: r.guarded(text), Origin: r.worst}
}

// steer takes in what the author said meanwhile. Messages stay in the inbox
// until the turn is over, so after a crash those already taken in come again.
func (r *run) steer(ctx context.Context) error {
	if r.hooks.Steer == nil {
		return nil
	}
	for _, m := range r.hooks.Steer() {
		if n := slices.Index(r.known, m.Text); n >= 0 {
			r.known = slices.Delete(r.known, n, n+1)
			continue
		}
		if err := r.record(ctx, Entry{Steered: &m}); err != nil {
			return err
		}
		r.steered(m)
	}
	return nil
}

func (r *run) steered(m Message) {
	r.add(m)
	if m.Origin <= chat.Member {
		r.spoken += "\n" + m.Text
	}
}

// record keeps entries. It is used for what has happened already, so the end
// of ctx must not lose it.
func (r *run) record(ctx context.Context, entries ...Entry) error {
	if r.hooks.Record == nil || len(entries) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	if err := r.hooks.Record(ctx, entries...); err != nil {
		return fmt.Errorf("record a step: %w", err)
	}
	return nil
}

// recordTime bounds the keeping of one step once the turn's context has ended.
const recordTime = 10 * time.Second

// spent tells that no further working call may be made.
func (r *run) spent() bool {
	b := r.l.cfg.Budgets
	return r.calls >= b.Calls ||
		b.Tokens > 0 && r.usage.Input+r.usage.Output >= b.Tokens ||
		r.repeats.strikes >= maxStrikes ||
		!r.l.cfg.Now().Before(r.until)
}

func (r *run) answer() Answer {
	a := Answer{
		Files: r.files, Ask: r.ask, Ending: r.ending, Messages: r.own,
		Usage: r.usage, Model: r.model.Name(),
		Calls: r.calls, Tools: r.toolRuns, Failures: r.failures,
	}
	for _, m := range slices.Backward(r.own) {
		if m.Role == Assistant {
			a.Text = m.Text
			break
		}
	}
	if r.folded {
		a.Compacted = r.history
	}
	return a
}
