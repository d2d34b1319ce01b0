package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"talaria/core/agent"
	"talaria/core/model"
	"talaria/core/model/anthropic"
	"talaria/core/model/openai"
	"talaria/core/model/rehearsal"
	"talaria/core/tool/egress"
	"talaria/core/vector"
	"talaria/gateway/config"
)

// newModel makes the configured model with what it falls back to.
func newModel(c config.Model, log *slog.Logger) (agent.Model, error) {
	first, err := newEndpoint("model", c.Endpoint)
	if err != nil {
		return nil, err
	}
	if !c.Fallback.Named() {
		return model.NewChain(log, model.Policy{}, first), nil
	}
	second, err := newEndpoint("model.fallback", c.Fallback)
	if err != nil {
		return nil, err
	}
	return model.NewChain(log, model.Policy{}, first, second), nil
}

// newBackground makes the model for background work, where another one is
// named than the one that people talk with.
func newBackground(c config.Model, front agent.Model, log *slog.Logger) (agent.Model, error) {
	if !c.Background.Named() {
		return front, nil
	}
	m, err := newEndpoint("model.background", c.Background)
	if err != nil {
		return nil, err
	}
	return model.NewChain(log, model.Policy{}, m), nil
}

// Vectors is an embedder that is shared, and tried again in the background.
type Vectors interface {
	vector.Embedder
	Run(ctx context.Context)
}

// NewVectors makes what turns texts into vectors and is waited for so long, nil
// where none is named.
func NewVectors(c config.Endpoint, within time.Duration, log *slog.Logger) (Vectors, error) {
	if !c.Named() {
		return nil, nil
	}
	client, err := operator("model.embedding", c.BaseURL, openai.DefaultBaseURL)
	if err != nil {
		return nil, err
	}
	from := openai.NewEmbedder(openai.Config{Name: c.Name, BaseURL: c.BaseURL, Key: c.APIKey.Reveal(), Client: client})
	return vector.NewShared(from, within, log), nil
}

func newEndpoint(key string, e config.Endpoint) (agent.Model, error) {
	switch e.Provider {
	case "rehearsal":
		return rehearsal.Model{}, nil
	case "openai":
		client, err := operator(key, e.BaseURL, openai.DefaultBaseURL)
		return openai.New(openai.Config{Name: e.Name, BaseURL: e.BaseURL, Key: e.APIKey.Reveal(), Client: client}), err
	case "anthropic":
		client, err := operator(key, e.BaseURL, anthropic.DefaultBaseURL)
		return anthropic.New(anthropic.Config{Name: e.Name, BaseURL: e.BaseURL, Key: e.APIKey.Reveal(), Client: client}), err
	}
	return nil, fmt.Errorf("%s.provider: there is no %q", key, e.Provider)
}

// operator is the client for a host that the configuration names.
func operator(key, base, fallback string) (*http.Client, error) {
	if base == "" {
		base = fallback
	}
	u, err := url.Parse(base)
	if err != nil {
		return nil, fmt.Errorf("%s.base_url: %w", key, err)
	}
	return egress.Operator(egress.OperatorOptions{Hosts: []string{u.Host}}), nil
}
