package openai_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"talaria/core/model/openai"
)

// embeddings answers with a vector that holds each text's length, in the
// opposite order, as the index alone says which is whose.
func embeddings(t *testing.T, calls *int) *openai.Embedder {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*calls++
		var in struct {
			Input []string
			Model string
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.URL.Path != "/v1/embeddings" || r.Header.Get("Authorization") != "Bearer k" || in.Model != "small" {
			http.Error(w, `{"error":{"message":"bad key"}}`, http.StatusUnauthorized)
			return
		}
		var data []string
		for n := len(in.Input) - 1; n >= 0; n-- {
			vector := fmt.Sprintf("[%d,1]", len(in.Input[n]))
			if in.Input[n] == "" {
				vector = "[]"
			}
			data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, n, vector))
		}
		fmt.Fprintf(w, `{"object":"list","model":"small","data":[%s]}`, strings.Join(data, ","))
	}))
	t.Cleanup(s.Close)
	return openai.NewEmbedder(openai.Config{Name: "small", BaseURL: s.URL + "/v1", Key: "k", Client: s.Client()})
}

func TestEmbedKeepsTheOrderOverSeveralCalls(t *testing.T) {
	calls := 0
	texts := make([]string, 1030)
	for n := range texts {
		texts[n] = strings.Repeat("x", n+1)
	}
	got, err := embeddings(t, &calls).Embed(t.Context(), texts)
	if err != nil || len(got) != len(texts) || calls != 3 {
		t.Fatalf("%d vectors in %d calls, %v", len(got), calls, err)
	}
	for n, v := range got {
		if v[0] != float32(n+1) {
			t.Fatalf("text %d has the vector of text %v", n, v[0]-1)
		}
	}
}

func TestEmbedRefusesGarbage(t *testing.T) {
	calls := 0
	if _, err := embeddings(t, &calls).Embed(t.Context(), []string{"a", ""}); err == nil {
		t.Error("a missing vector is no error")
	}
}
