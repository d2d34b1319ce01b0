package openai

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"talaria/core/agent"
	"talaria/core/model/wire"
)

// DefaultBaseURL is OpenAI's own endpoint.
const DefaultBaseURL = "https://api.openai.com/v1"

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
	url, key string
	endpoint *wire.Endpoint
	tools    atomic.Pointer[tools] // of the last request
}

// New makes a model of an endpoint. Nothing is sent before the first Stream.
func New(c Config) agent.Model {
	base := cmp.Or(c.BaseURL, DefaultBaseURL)
	at, err := url.Parse(base)
	return &model{
		name:     c.Name,
		official: err == nil && at.Hostname() == "api.openai.com",
		url:      strings.TrimRight(base, "/") + "/chat/completions",
		key:      c.Key,
		endpoint: wire.NewEndpoint(wire.Config{Model: c.Name, Secret: c.Key, Client: c.Client, First: c.First, Idle: c.Idle}),
	}
}

// Name implements agent.Model.
func (m *model) Name() string { return m.name }

// Stream implements agent.Model.
func (m *model) Stream(ctx context.Context, r agent.Request) iter.Seq2[agent.Delta, error] {
	return func(yield func(agent.Delta, error) bool) {
		stream, err := m.open(ctx, r)
		if err != nil {
			yield(agent.Delta{}, m.explain(ctx, err))
			return
		}
		defer stream.Close()
		events := bufio.NewReader(stream)
		answer := answer{endpoint: m.endpoint}
		for {
			data, err := next(events)
			if err == nil {
				err = answer.add(data)
			}
			if err == io.EOF || (err != nil && answer.finish != "") {
				break // once the reason is known the answer is whole; only usage can be missing
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

// open begins the exchange.
func (m *model) open(ctx context.Context, r agent.Request) (io.ReadCloser, error) {
	body, err := m.encode(r)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	if m.key != "" {
		req.Header.Set("Authorization", "Bearer "+m.key)
	}
	resp, err := m.endpoint.Do(req)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

// next returns the data of the next event, which in this format is one line.
// Comments, names and blank lines are passed over: gateways send them while the
// model behind them thinks. Some servers write an error without "data:".
func next(events *bufio.Reader) ([]byte, error) {
	for {
		line, err := events.ReadBytes('\n')
		if err != nil {
			return nil, err // a line that is cut is no event
		}
		line = bytes.TrimSpace(line)
		data, marked := bytes.CutPrefix(line, []byte("data:"))
		data = bytes.TrimSpace(data)
		switch {
		case string(data) == "[DONE]":
			return nil, io.EOF
		case len(data) > 0 && (marked || data[0] == '{'):
			return data, nil
		}
	}
}

// explain makes the agent's error of what the exchange gave.
func (m *model) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if fault, ok := errors.AsType[*agent.ModelError](err); ok {
		return fault
	}
	return m.endpoint.Error(agent.ModelInvalid, err)
}
