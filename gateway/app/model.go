package app

import (
	"fmt"

	"talaria/core/agent"
	"talaria/core/model/anthropic"
	"talaria/core/model/openai"
	"talaria/gateway/config"
)

// newModel makes the configured model.
func newModel(c config.Model) (agent.Model, error) {
	return newEndpoint("model", c.Endpoint)
}

func newEndpoint(key string, e config.Endpoint) (agent.Model, error) {
	switch e.Provider {
	case "openai":
		return openai.New(openai.Config{Name: e.Name, BaseURL: e.BaseURL, Key: e.APIKey.Reveal()}), nil
	case "anthropic":
		return anthropic.New(anthropic.Config{Name: e.Name, BaseURL: e.BaseURL, Key: e.APIKey.Reveal()}), nil
	}
	return nil, fmt.Errorf("%s.provider: there is no %q", key, e.Provider)
}
