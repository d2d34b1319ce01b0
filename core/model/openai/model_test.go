package openai_test

import (
	"testing"

	"go.uber.org/goleak"

	"talaria/core/agent"
	"talaria/core/model/modeltest"
	"talaria/core/model/openai"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

func model(e modeltest.Endpoint) agent.Model {
	return openai.New(openai.Config{Name: "test-model", BaseURL: e.URL + "/v1", Key: e.Key, Client: e.Client, First: e.First, Idle: e.Idle})
}

func TestConformance(t *testing.T) {
	modeltest.Run(t, modeltest.Harness{Format: modeltest.OpenAI, New: model})
}
