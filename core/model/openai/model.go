package openai

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/url"
	"time"

	sdk "github.com/sashabaranov/go-openai"

	"talaria/core/agent"
	"talaria/core/model/wire"
)

// DefaultBaseURL is OpenAI's own endpoint.
const DefaultBaseURL = "https://api.openai.com/v1"

// maxOtherLines is how many lines that carry no data (comments, blank ones)
// may follow each other. Gateways send a comment every few seconds while the
// model behind them thinks; the library's default gives up after 300.
const maxOtherLines = 20_000

// Config describes an endpoint and a model there.
type Config struct {
	Name    string        // the model, as the endpoint calls it
	BaseURL string        // up to and with the version, usually ending in /v1; empty: DefaultBaseURL
	Key     string        // empty: none is sent
	Client  *http.Client  // nil: http.DefaultClient
	First   time.Duration // longest wait for the first byte; zero: 90 seconds
	Idle    time.Duration // longest silence within an answer; zero: 1 minute
}

type model struct {
	name     string
	official bool
	client   *sdk.Client
	endpoint *wire.Endpoint
}

// New makes a model of an endpoint. Nothing is sent before the first Stream.
func New(c Config) agent.Model {
	endpoint := wire.NewEndpoint(wire.Config{Model: c.Name, Secret: c.Key, Client: c.Client, First: c.First, Idle: c.Idle})
	settings := sdk.DefaultConfig(c.Key)
	settings.BaseURL = cmp.Or(c.BaseURL, DefaultBaseURL)
	settings.HTTPClient = endpoint
	settings.EmptyMessagesLimit = maxOtherLines
	at, err := url.Parse(settings.BaseURL)
	return &model{
		name:     c.Name,
		official: err == nil && at.Hostname() == "api.openai.com",
		client:   sdk.NewClientWithConfig(settings),
		endpoint: endpoint,
	}
}

// Name implements agent.Model.
func (m *model) Name() string { return m.name }

// Stream implements agent.Model.
func (m *model) Stream(ctx context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
	return func(yield func(agent.Delta, error) bool) {
		stream, err := m.open(ctx, m.request(r))
		if err != nil {
			yield(agent.Delta{}, m.explain(ctx, err))
			return
		}
		defer stream.Close()
		answer := answer{endpoint: m.endpoint}
		for {
			chunk, err := stream.Recv()
			if err == io.EOF || (err != nil && answer.finish != "") {
				break // once the reason is known the answer is whole; only usage can be missing
			}
			if err == nil {
				err = answer.add(chunk)
			}
			if err != nil {
				yield(agent.Delta{}, m.explain(ctx, err))
				return
			}
			if text := answer.takeText(); text != "" && !yield(agent.Delta{Text: text}, nil) {
				return
			}
		}
		answer.end(yield)
	}
}

// open begins the exchange. The library knows what some of the vendor's models
// refuse, and says so before it sends anything: the old name of the output
// limit, and tools together with reasoning. Both can be put right.
func (m *model) open(ctx context.Context, r sdk.ChatCompletionRequest) (*sdk.ChatCompletionStream, error) {
	stream, err := m.client.CreateChatCompletionStream(ctx, r)
	if errors.Is(err, sdk.ErrReasoningModelMaxTokensDeprecated) {
		//lint:ignore SA1019 what is put right here is that the field was used
		r.MaxCompletionTokens, r.MaxTokens = r.MaxTokens, 0
		stream, err = m.client.CreateChatCompletionStream(ctx, r)
	}
	if errors.Is(err, sdk.ErrReasoningToolsRequireResponses) {
		r.ReasoningEffort = sdk.ReasoningEffortNone
		stream, err = m.client.CreateChatCompletionStream(ctx, r)
	}
	return stream, err
}

// explain makes the agent's error of what the library or the exchange gave.
func (m *model) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if fault, ok := errors.AsType[*agent.ModelError](err); ok {
		return fault
	}
	if event, ok := errors.AsType[*sdk.APIError](err); ok {
		return m.endpoint.Event(event.Type, event.Code, event.Message)
	}
	return m.endpoint.Error(agent.ModelInvalid, err)
}
