package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
)

//go:embed session_search.md
var sessionSearchDescription string

// Searcher finds what was said in conversations that the turn's principal may
// read now. The handle is bound to that principal.
type Searcher interface {
	// Search returns up to limit hits, the best first.
	Search(ctx context.Context, query string, limit int) ([]Hit, error)
}

// Hit is one found turn.
type Hit struct {
	At      time.Time
	Place   string // where it was said, in words
	Snippet string // the part that fits, request and answer
	Link    string // back to the message; empty where the platform has none
	Origin  chat.Origin
}

// SessionSearch is the name of the tool that finds what was said.
const SessionSearch = "session_search"

// maxHits is the most that one search gives.
const maxHits = 20

// sessionSearch looks into earlier conversations.
type sessionSearch struct{ searcher Searcher }

func (t *sessionSearch) Spec() agent.Spec {
	return agent.Spec{
		Name: SessionSearch, Description: sessionSearchDescription, Effect: agent.Read, Permission: "search", Timeout: 10 * time.Second,
		Schema: json.RawMessage(`{"type":"object","required":["query"],"properties":{
			"query":{"type":"string","description":"words that stood in the conversation"},
			"limit":{"type":"integer","description":"at most 20; 5 if left out"}}}`),
	}
}

func (t *sessionSearch) Call(ctx context.Context, in agent.Invocation) (agent.Result, error) {
	args, err := decode[struct {
		Query string
		Limit int
	}](in)
	if err != nil {
		return agent.Result{}, err
	}
	if strings.TrimSpace(args.Query) == "" {
		return agent.Result{}, errors.New("the query is empty")
	}
	if args.Limit <= 0 {
		args.Limit = 5
	}
	hits, err := t.searcher.Search(ctx, args.Query, min(args.Limit, maxHits))
	if err != nil {
		return agent.Result{}, fmt.Errorf("search earlier conversations: %w", err)
	}
	if len(hits) == 0 {
		return agent.Result{Text: "Nothing was found. Other words may do better.", Origin: chat.Self}, nil
	}
	res := agent.Result{Origin: chat.Member}
	var b strings.Builder
	for n, h := range hits {
		fmt.Fprintf(&b, "%d. %s, %s %s\n%s\n\n", n+1, h.At.UTC().Format("2006-01-02 15:04 UTC"), h.Place, h.Link, h.Snippet)
		res.Origin = chat.Worst(res.Origin, h.Origin)
	}
	res.Text = strings.TrimSpace(b.String())
	return res, nil
}
