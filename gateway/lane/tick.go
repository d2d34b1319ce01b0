package lane

import (
	"context"
	"fmt"
	"strings"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/inbox"
	"talaria/gateway/outbox"
	"talaria/scheduler"
	"talaria/storage"
)

// Ran is what became of a job's turn. It is written in the step that ends the
// turn, into the shard of its place.
type Ran struct {
	Who    person.ID    `json:"who"` // whose job it was
	Ending agent.Ending `json:"ending"`
	Silent bool         `json:"silent,omitempty"`
	Tokens int          `json:"tokens,omitempty"`
	Output string       `json:"output,omitempty"` // what it had to say
	Origin chat.Origin  `json:"origin,omitempty"` // the worst of what that was made from
	// Asked is a person's request that came to nothing, which is kept as a run
	// is; empty for a run.
	Asked *Request `json:"asked,omitempty"`
}

const (
	ran     = "ran" // documents in the place's shard, by the event's key
	keptRan = 8 * 24 * time.Hour
)

// ReadRan returns what became of the turn of a job's event at a place; false
// while it is not over.
func ReadRan(ctx context.Context, s *storage.Store, place chat.Address, key string) (Ran, bool, error) {
	docs, err := storage.GetAll[Ran](ctx, s, person.ShardOf(place), storage.Ref{Collection: ran, Key: key})
	if err != nil || len(docs) == 0 {
		return Ran{}, false, err
	}
	return docs[0].Value, true, nil
}

// tick queues a job's run. It has no limit, for jobs have, and it steers
// nobody's turn. Called with mu held.
func (l *Lanes) tick(w *work, key string, t *task) {
	ln := l.lanes[key]
	if ln == nil {
		l.push(w, key, t)
		return
	}
	ticket, _ := scheduler.TicketOf(t.env.Event)
	if ticket.Cancel && ln.running != nil && ln.running.job == ticket.Job {
		ln.running.cancel(errStopped)
	}
	ln.queue = append(ln.queue, t)
}

// jobOf is the job that an event is a run of, empty for none.
func jobOf(e chat.Event) string {
	ticket, _ := scheduler.TicketOf(e)
	return ticket.Job
}

// asked is what the author said that is to be found again. A job's words were
// said when it was made, not at each of its runs.
func asked(e chat.Event) string {
	if e.Kind == chat.Tick {
		return ""
	}
	return spoken(e)
}

// scheduled is a job's run as the model sees it.
func scheduled(e chat.Event) string {
	return fmt.Sprintf("[scheduled for %s: nobody waits for it, so do it without asking back, and answer with what is to be told; %s alone tells nothing]\n%s",
		e.Tick.Due.UTC().Format("2006-01-02 15:04 UTC"), scheduler.Silent, e.Text)
}

// asIs is the whole turn of a job that only says something.
func asIs(e chat.Event) (agent.Answer, bool) {
	ticket, ok := scheduler.TicketOf(e)
	if !ok || !ticket.Say {
		return agent.Answer{}, false
	}
	text, origin := e.Text, e.Origin
	if q := e.Quoted; q != nil {
		text, origin = text+"\n\n"+cited(*q), chat.Worst(origin, chat.External)
	}
	return agent.Answer{Ending: agent.Answered, Text: text, Messages: []agent.Message{
		{Role: agent.User, Origin: chat.Self, Text: fmt.Sprintf("[scheduled for %s: say the following]", e.Tick.Due.UTC().Format("2006-01-02 15:04 UTC"))},
		{Role: agent.Assistant, Origin: origin, Text: text},
	}}, true
}

// maxCited is the most characters of a message that a reminder about it shows.
const maxCited = 600

// cited shows a message as somebody's words.
func cited(q chat.Quote) string {
	text := []rune(strings.TrimSpace(q.Text))
	if len(text) > maxCited {
		text = append(text[:maxCited], '…')
	}
	said := "> " + strings.ReplaceAll(string(text), "\n", "\n> ")
	if q.Name != "" && !q.Own {
		return "> " + strings.Join(strings.Fields(q.Name), " ") + ":\n" + said
	}
	return said
}

// noted is a job's answer with what has to be said before it, and whether
// there is anything to be said at all.
func noted(e chat.Event, answer string) (string, bool) {
	ticket, ok := scheduler.TicketOf(e)
	switch {
	case !ok:
		return answer, true
	case strings.TrimSpace(answer) == scheduler.Silent:
		return answer, false
	case ticket.Note != "":
		return "_" + ticket.Note + "_\n\n" + answer, true
	}
	return answer, true
}

// keepRan adds to the batch that ends a turn what became of a job's run, or of a
// request that failed.
func keepRan(b *storage.Batch, e chat.Event, who person.ID, a agent.Answer, said bool) {
	var request *Request
	switch {
	case e.Kind == chat.Message && (a.Ending == agent.Broken || a.Ending == agent.Budgeted):
		request = requestOf(e, who, Failed)
	case e.Kind != chat.Tick:
		return
	}
	r := Ran{Asked: request, Who: who, Ending: a.Ending, Silent: !said, Tokens: a.Usage.Input + a.Usage.Output, Output: a.Text, Origin: madeFrom(a.Messages)}
	b.PutFor(ran, e.Key(), r, storage.Any, keptRan)
}

func madeFrom(messages []agent.Message) chat.Origin {
	worst := chat.Self
	for _, m := range messages {
		worst = chat.Worst(worst, m.Origin)
		for _, r := range m.Results {
			worst = chat.Worst(worst, r.Origin)
		}
	}
	return worst
}

const opened = "opened" // documents in the place's shard, by thread: key of the job's event

// Opened notes, with the sending of a job's message, that a thread under it is
// a conversation about it, in which nobody needs to mention the bot. It has the
// form of outbox.Config.Sent.
func Opened(b *storage.Batch, m *outbox.Message) {
	turn, first := strings.CutSuffix(m.Key(), outbox.PartKey("", 0))
	at := m.Delivery.Address
	if !first || !strings.HasPrefix(turn, scheduler.KeyPrefix) || at.Thread != "" || m.Delivery.Message == "" {
		return
	}
	at.Thread = m.Delivery.Message
	b.PutFor(opened, at.String(), turn, storage.Any, keptRan)
	person.KeepAwake(b, at, person.AwakeFor)
}

// openedBy is what a new session begins with where it is a thread under a
// job's message.
func (l *Lanes) openedBy(ctx context.Context, s *inbox.Shard, key string) ([]agent.Message, error) {
	turn, err := storage.GetAll[string](ctx, l.cfg.Store, s.Partition(), storage.Ref{Collection: opened, Key: key})
	if err != nil || len(turn) == 0 {
		return nil, err
	}
	runs, err := storage.GetAll[Ran](ctx, l.cfg.Store, s.Partition(), storage.Ref{Collection: ran, Key: turn[0].Value})
	if err != nil || len(runs) == 0 {
		return nil, err
	}
	r := runs[0].Value
	return []agent.Message{
		{Role: agent.User, Origin: chat.Self, Text: "[scheduled: you posted the following, under which this conversation is]"},
		{Role: agent.Assistant, Origin: r.Origin, Text: r.Output},
	}, nil
}

// RanEraser removes what is kept of people's runs. It is a person.ShardEraser.
type RanEraser struct{ Store *storage.Store }

// EraseShard implements person.ShardEraser.
func (r RanEraser) EraseShard(ctx context.Context, shard int, who person.Subject) error {
	at, after := storage.Shard(shard), ""
	for {
		const page = 200
		docs, err := storage.List[Ran](ctx, r.Store, at, ran, after, page)
		if err != nil {
			return fmt.Errorf("erase runs of jobs: %w", err)
		}
		b := storage.On(at)
		for _, d := range docs {
			if after = d.Key; who.Is(d.Value.Who) {
				b.Delete(ran, d.Key, storage.Any)
			}
		}
		if _, err := r.Store.Commit(ctx, b); err != nil {
			return fmt.Errorf("erase runs of jobs: %w", err)
		}
		if len(docs) < page {
			return nil
		}
	}
}
