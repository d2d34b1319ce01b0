package anthropic

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"talaria/core/agent"
	"talaria/core/model/wire"
)

// DefaultBaseURL is Anthropic's own endpoint.
const DefaultBaseURL = "https://api.anthropic.com"

// defaultMaxTokens is the output limit where a request has none; the API
// demands one. All models since Claude 4 allow at least twice as much
// (platform.claude.com/docs/en/about-claude/models/overview).
const defaultMaxTokens = 16_384

// Config describes an endpoint and a model there.
type Config struct {
	Name    string        // the model, as the API calls it
	BaseURL string        // with or without a closing /v1; empty: DefaultBaseURL
	Key     string        // empty: none is sent
	Client  *http.Client  // nil: http.DefaultClient
	First   time.Duration // longest wait for the first byte; zero: 90 seconds
	Idle    time.Duration // longest silence within an answer; zero: 1 minute
}

type model struct {
	name     string
	client   sdk.Client
	endpoint *wire.Endpoint
}

// New makes a model of an endpoint. Nothing is sent before the first Stream.
func New(c Config) agent.Model {
	endpoint := wire.NewEndpoint(wire.Config{Model: c.Name, Secret: c.Key, Client: c.Client, First: c.First, Idle: c.Idle})
	options := []option.RequestOption{
		option.WithoutEnvironmentDefaults(),
		option.WithoutOpenTelemetry(),
		option.WithMaxRetries(0),
		option.WithHTTPClient(endpoint),
		option.WithBaseURL(strings.TrimSuffix(strings.TrimRight(cmp.Or(c.BaseURL, DefaultBaseURL), "/"), "/v1")),
	}
	if c.Key != "" {
		options = append(options, option.WithAPIKey(c.Key)) // as a bearer token
	}
	if c.Key != "" && c.BaseURL != "" {
		options = append(options, option.WithHeader("X-Api-Key", c.Key)) // the only form that some compatible endpoints know
	}
	return &model{name: c.Name, client: sdk.NewClient(options...), endpoint: endpoint}
}

// Name implements agent.Model.
func (m *model) Name() string { return m.name }

// Stream implements agent.Model.
func (m *model) Stream(ctx context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
	return func(yield func(agent.Delta, error) bool) {
		stream := m.client.Messages.NewStreaming(ctx, m.params(r))
		defer stream.Close()
		answer := answer{endpoint: m.endpoint, model: m.name}
		for !answer.whole && stream.Next() {
			text, err := answer.add(stream.Current())
			if err != nil {
				yield(agent.Delta{}, err)
				return
			}
			if text != "" && !yield(agent.Delta{Text: text}, nil) {
				return
			}
		}
		if err := stream.Err(); err != nil {
			yield(agent.Delta{}, m.explain(ctx, err))
			return
		}
		answer.end(yield)
	}
}

// explain makes the agent's error of what the SDK or the exchange gave.
func (m *model) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if fault, ok := errors.AsType[*agent.ModelError](err); ok {
		return fault
	}
	if event, ok := errors.AsType[*sdk.Error](err); ok {
		return m.endpoint.Fault(0, []byte(event.RawJSON()))
	}
	return m.endpoint.Error(agent.ModelInvalid, err)
}
