package persona

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
)

//go:embed prompt.md
var prompt string

// errUnreadable is wrapped with what is wrong with a model's answer.
var errUnreadable = errors.New("the model's answer can't be read")

// document is what the model is shown.
type document struct {
	Lines []believed `json:"lines"`
	Said  []said     `json:"said"`
}

// believed is a line of the picture so far.
type believed struct {
	ID         string  `json:"id"`
	Text       string  `json:"text"`
	Confidence float64 `json:"confidence"`
	For        int     `json:"occasions_for"`
	Against    int     `json:"occasions_against"`
	Told       bool    `json:"told,omitempty"` // and not concluded
}

// answer is what the model says.
type answer struct {
	Antithesis []objection `json:"antithesis"`
	Synthesis  []line      `json:"synthesis"`
}

type objection struct {
	Of      string   `json:"of"` // a hypothesis, or a line so far
	Sources []string `json:"sources"`
}

type line struct {
	Of         string   `json:"of"`
	Text       string   `json:"text"`
	Confidence float64  `json:"confidence"`
	Sources    []string `json:"sources"`
}

// documentOf is what is shown of somebody, and their cards by the ids in it.
func documentOf(all []said, cards []memory.Card) (document, map[string]memory.Card) {
	d, known := document{Said: all}, map[string]memory.Card{}
	for _, c := range cards {
		if c.Kind != memory.Profile || !c.State.Used() {
			continue
		}
		id := fmt.Sprintf("l%d", len(known)+1)
		pro, con := c.Occasions()
		d.Lines = append(d.Lines, believed{id, c.Text, c.Confidence, pro, con, !c.Inferred})
		known[id] = c
	}
	return d, known
}

// think has the model go the three steps, and books what that used.
func (d *Dialectic) think(ctx context.Context, who person.Principal, doc document) (answer, error) {
	body, err := json.Marshal(doc) // escapes angle brackets, so nothing in it can end the block
	if err != nil {
		return answer{}, fmt.Errorf("write down what was said: %w", err)
	}
	var said strings.Builder
	var used agent.Usage
	defer func() { d.book(context.WithoutCancel(ctx), who, used) }()
	for delta, err := range d.cfg.Model.Stream(ctx, agent.Request{
		Prefix: prompt, MaxTokens: d.cfg.MaxTokens, Session: "persona/" + string(who.Person),
		Messages: []agent.Message{{Role: agent.User, Text: "<person>\n" + string(body) + "\n</person>", Origin: chat.Member}},
	}) {
		if err != nil {
			return answer{}, fmt.Errorf("ask the model: %w", err)
		}
		said.WriteString(delta.Text)
		if delta.Usage != nil {
			used = used.Plus(*delta.Usage)
		}
	}
	return parse(said.String())
}

// parse reads a model's answer; words around the JSON are left out.
func parse(s string) (answer, error) {
	var a answer
	from, to := strings.IndexByte(s, '{'), strings.LastIndexByte(s, '}')
	if from < 0 || to < from {
		return a, fmt.Errorf("%w: there is no JSON object in it", errUnreadable)
	}
	if err := json.Unmarshal([]byte(s[from:to+1]), &a); err != nil {
		return a, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	return a, nil
}

// book notes what a night used, for the person's day and for the bill.
func (d *Dialectic) book(ctx context.Context, who person.Principal, used agent.Usage) {
	if d.cfg.Spent != nil {
		d.cfg.Spent(who, used)
	}
	if err := d.cfg.Budget.Book(ctx, who.Place, scope(who), used); err != nil {
		d.cfg.Log.Warn("a person's picture not booked", "err", err)
	}
}

// scope is under which a person's learning is counted.
func scope(who person.Principal) string { return "person:" + string(who.Person) }
