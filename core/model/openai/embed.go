package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"

	sdk "github.com/sashabaranov/go-openai"
)

// maxEmbedded is how many texts go into one call
// (platform.openai.com/docs/api-reference/embeddings/create takes 2,048).
const maxEmbedded = 512

// Embedder turns texts into vectors by an endpoint's embeddings.
type Embedder struct {
	name   string
	client *sdk.Client
}

// NewEmbedder makes an embedder of an endpoint. Nothing is sent before the
// first Embed.
func NewEmbedder(c Config) *Embedder {
	settings := sdk.DefaultConfig(c.Key)
	settings.BaseURL = cmp.Or(c.BaseURL, DefaultBaseURL)
	settings.HTTPClient = cmp.Or(c.Client, http.DefaultClient)
	return &Embedder{c.Name, sdk.NewClientWithConfig(settings)}
}

// Embed returns one vector for each text, in their order, all of one length.
// The error's text holds no secret.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	for len(out) < len(texts) {
		some := texts[len(out):min(len(out)+maxEmbedded, len(texts))]
		answer, err := e.client.CreateEmbeddings(ctx, sdk.EmbeddingRequestStrings{Input: some, Model: sdk.EmbeddingModel(e.name)})
		if err != nil {
			return nil, e.refused(ctx, err)
		}
		vectors := make([][]float32, len(some))
		for _, d := range answer.Data {
			if d.Index < 0 || d.Index >= len(some) {
				return nil, fmt.Errorf("embeddings of %s: a vector for text %d of %d", e.name, d.Index, len(some))
			}
			vectors[d.Index] = d.Embedding
		}
		for n, v := range vectors {
			if len(v) == 0 || len(v) != len(vectors[0]) {
				return nil, fmt.Errorf("embeddings of %s: text %d has a vector of length %d", e.name, n, len(v))
			}
		}
		out = append(out, vectors...)
	}
	return out, nil
}

// refused tells an error without what the endpoint wrote, which may repeat a
// key.
func (e *Embedder) refused(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if api, ok := errors.AsType[*sdk.APIError](err); ok {
		return fmt.Errorf("embeddings of %s: the endpoint answered with status %d", e.name, api.HTTPStatusCode)
	}
	if req, ok := errors.AsType[*sdk.RequestError](err); ok && req.HTTPStatusCode != 0 {
		return fmt.Errorf("embeddings of %s: the endpoint answered with status %d", e.name, req.HTTPStatusCode)
	}
	return fmt.Errorf("embeddings of %s: the endpoint can't be reached or answers with something else", e.name)
}
