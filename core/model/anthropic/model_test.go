package anthropic_test

import (
	"testing"

	"go.uber.org/goleak"

	"talaria/core/agent"
	"talaria/core/model/anthropic"
	"talaria/core/model/modeltest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func model(e modeltest.Endpoint) agent.Model {
	return anthropic.New(anthropic.Config{Name: "test-model", BaseURL: e.URL, Key: e.Key, Client: e.Client, First: e.First, Idle: e.Idle})
}

func TestConformance(t *testing.T) {
	modeltest.Run(t, modeltest.Harness{Format: modeltest.Anthropic, New: model})
}
