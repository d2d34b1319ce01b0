package lane

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"talaria/core/chat"
	"talaria/core/journal"
	"talaria/core/person"
	"talaria/gateway/inbox"
	"talaria/storage"
)

// RequestState is how far a person's request has come.
type RequestState string

// The states of a request that is not answered.
const (
	Waiting  RequestState = "waiting"
	UnderWay RequestState = "under way"
	Failed   RequestState = "failed" // what was said instead is an excuse
)

// Request is something that a person asked for in a message and has not got.
type Request struct {
	Key     string       `json:"key"` // of its event
	Who     person.ID    `json:"who"`
	Name    string       `json:"name,omitempty"` // as it was shown then: hostile data
	Place   chat.Address `json:"place"`
	Message string       `json:"message,omitempty"` // platform id
	Text    string       `json:"text"`              // its beginning
	At      time.Time    `json:"at"`
	State   RequestState `json:"state"`
}

// keptRequest is how many characters of a request are kept.
const keptRequest = 200

func requestOf(e chat.Event, who person.ID, state RequestState) *Request {
	text := []rune(e.Text)
	if len(text) > keptRequest {
		text = append(text[:keptRequest], '…')
	}
	return &Request{
		Key: e.Key(), Who: who, Name: e.Author.Name, Place: e.Address, Message: e.Message, Text: string(text), At: e.At, State: state,
	}
}

// RequestsAt are the requests of one person at places, or with an empty person
// everybody's there, see Requests.
func RequestsAt(ctx context.Context, s *storage.Store, places []chat.Address, who person.ID) ([]Request, error) {
	var shards []int
	for _, p := range places {
		shards = append(shards, storage.ShardOf(p.Platform, p.Workspace, p.Chat))
	}
	slices.Sort(shards)
	var out []Request
	for _, n := range slices.Compact(shards) {
		all, err := Requests(ctx, s, n)
		if err != nil {
			return nil, err
		}
		for _, q := range all {
			if slices.Contains(places, q.Place.Place()) && (who == "" || q.Who == who) {
				out = append(out, q)
			}
		}
	}
	return out, nil
}

// Requests are the requests of a shard's places that wait, are under way, or
// failed within the last days; at most a thousand that wait are looked at.
func Requests(ctx context.Context, s *storage.Store, shard int) ([]Request, error) {
	at := storage.Shard(shard)
	pending, err := s.Pending(ctx, at, 0, 1000)
	if err != nil {
		return nil, fmt.Errorf("list requests: %w", err)
	}
	var out []Request
	for _, p := range pending {
		var env inbox.Envelope
		if json.Unmarshal(p.Value, &env) != nil || env.Say != nil || env.Event.Kind != chat.Message {
			continue // damage is for the shard's owner to tell
		}
		r := requestOf(env.Event, env.Who.Person, Waiting)
		begun, err := journal.Load(ctx, s, at, r.Key)
		if err != nil {
			return nil, fmt.Errorf("list requests: %w", err)
		}
		if len(begun) > 0 {
			r.State = UnderWay
		}
		out = append(out, *r)
	}
	return failed(ctx, s, at, out)
}

// failed appends the requests that came to nothing.
func failed(ctx context.Context, s *storage.Store, at storage.Partition, out []Request) ([]Request, error) {
	for after := ""; ; {
		const page = 200
		docs, err := storage.List[Ran](ctx, s, at, ran, after, page)
		if err != nil {
			return nil, fmt.Errorf("list failed requests: %w", err)
		}
		for _, d := range docs {
			if after = d.Key; d.Value.Asked != nil {
				out = append(out, *d.Value.Asked)
			}
		}
		if len(docs) < page {
			return out, nil
		}
	}
}
