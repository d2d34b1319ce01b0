package modeltest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
)

// Answering is how an endpoint for embeddings answers.
type Answering int

// The ways to answer.
const (
	Well   Answering = iota
	Failed           // with status 500
	Hung             // not at all, until the client hangs up
	Short            // without a vector for the last text
	Uneven           // with a vector that is longer than the others
)

// Embeddings is an endpoint for embeddings on a loopback port, POST
// /v1/embeddings. Words that mean the same have one number of a vector; the last
// number is 1 in all vectors, so that texts about different things are somewhat
// alike, as they are with real models.
type Embeddings struct {
	meanings [][]string
	http     *httptest.Server

	mu        sync.Mutex
	answering Answering
	asked     [][]string
}

// StartEmbeddings runs an endpoint until Close. Each meaning is a list of words
// for it, separated by spaces.
func StartEmbeddings(meanings ...string) *Embeddings {
	e := &Embeddings{}
	for _, m := range meanings {
		e.meanings = append(e.meanings, strings.Fields(m))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/embeddings", e.serve)
	e.http = httptest.NewServer(mux)
	return e
}

// URL is the base URL of a client of the API.
func (e *Embeddings) URL() string { return e.http.URL + "/v1" }

// Client is a client whose connections end with Close.
func (e *Embeddings) Client() *http.Client { return e.http.Client() }

// Close cuts what is still open and stops the endpoint.
func (e *Embeddings) Close() {
	e.http.CloseClientConnections()
	e.http.Close()
}

// Answer changes how it answers from now on.
func (e *Embeddings) Answer(a Answering) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answering = a
}

// Asked are the texts of each request so far.
func (e *Embeddings) Asked() [][]string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.asked)
}

type embedding struct {
	Object    string    `json:"object"`
	Index     int       `json:"index"`
	Embedding []float32 `json:"embedding"`
}

func (e *Embeddings) serve(w http.ResponseWriter, r *http.Request) {
	var in struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || slices.Contains(in.Input, "") {
		http.Error(w, `{"error":{"message":"'$.input' is invalid"}}`, http.StatusBadRequest)
		return
	}
	e.mu.Lock()
	e.asked = append(e.asked, in.Input)
	answering := e.answering
	e.mu.Unlock()
	data := make([]embedding, len(in.Input))
	for n, text := range in.Input {
		data[n] = embedding{"embedding", n, e.vector(text)}
	}
	switch answering {
	case Failed:
		http.Error(w, `{"error":{"message":"overloaded"}}`, http.StatusInternalServerError)
		return
	case Hung:
		<-r.Context().Done()
		return
	case Short:
		data = data[:len(data)-1]
	case Uneven:
		data[0].Embedding = append(data[0].Embedding, 1)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data}) // a client that hung up needs no answer
}

func (e *Embeddings) vector(text string) []float32 {
	v := make([]float32, len(e.meanings)+1)
	v[len(e.meanings)] = 1
	for n, words := range e.meanings {
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(text), w) }) {
			v[n] = 1
		}
	}
	return v
}
