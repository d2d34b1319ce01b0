package modeltest_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"talaria/core/model/modeltest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// post sends a body in a format and returns the status and the answer.
func post(t testing.TB, client *http.Client, server *modeltest.Server, f modeltest.Format, body string) (int, string) {
	t.Helper()
	path := "/v1/chat/completions"
	if f == modeltest.Anthropic {
		path = "/v1/messages"
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Anthropic-Version", "2023-06-01")
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(answer)
}

func start(t testing.TB, s modeltest.Script) (*modeltest.Server, *http.Client) {
	server := modeltest.Start(s, modeltest.Options{})
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	t.Cleanup(func() { transport.CloseIdleConnections(); server.Close() })
	return server, &http.Client{Transport: transport}
}

func TestDocumentsWhereNoStreamIsAskedFor(t *testing.T) {
	answer := modeltest.Answer{Text: []string{"Hel", "lo"}, Calls: []modeltest.Call{{ID: "c_1", Name: "time", Args: `{"zone":"UTC"}`}}, Usage: modeltest.Usage{Input: 3, Output: 2}}
	server, client := start(t, modeltest.Always(answer))
	cases := map[modeltest.Format][]string{
		modeltest.OpenAI:    {`"content":"Hello"`, `"arguments":"{\"zone\":\"UTC\"}"`, `"finish_reason":"tool_calls"`, `"prompt_tokens":3`},
		modeltest.Anthropic: {`"text":"Hello"`, `"input":{"zone":"UTC"}`, `"stop_reason":"tool_use"`, `"input_tokens":3`},
	}
	for format, wants := range cases {
		status, got := post(t, client, server, format, `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}`)
		for _, want := range wants {
			if status != http.StatusOK || !strings.Contains(got, want) {
				t.Errorf("%s: status %d, %s lacks %s", format, status, got, want)
			}
		}
	}
}

func TestStepsAndWhatWasAsked(t *testing.T) {
	server, client := start(t, modeltest.Steps(modeltest.Text("one"), modeltest.Answer{Fault: modeltest.Overloaded}))
	body := `{"model":"m","messages":[{"role":"user","content":"hi"}]}`
	for i, want := range []int{200, 503, 400} {
		if status, answer := post(t, client, server, modeltest.OpenAI, body); status != want {
			t.Errorf("request %d: got status %d, want %d: %s", i+1, status, want, answer)
		}
	}
	requests := server.Requests()
	if len(requests) != 3 || requests[1].N != 2 || requests[0].LastUser() != "hi" || !bytes.Equal(requests[2].Body, []byte(body)) {
		t.Errorf("got the requests %+v", requests)
	}
	if err := server.AwaitCount(t.Context(), 3); err != nil {
		t.Error(err)
	}
}

func TestOnlyTheNewestRequestsAreKept(t *testing.T) {
	server := modeltest.Start(modeltest.Echo(), modeltest.Options{Keep: 2})
	transport := &http.Transport{}
	defer server.Close()
	defer transport.CloseIdleConnections()
	for range 5 {
		post(t, &http.Client{Transport: transport}, server, modeltest.OpenAI, `{"model":"m","messages":[{"role":"user","content":"hi"}]}`)
	}
	if got := server.Requests(); len(got) != 2 || got[0].N != 4 || got[1].N != 5 || server.Count() != 5 {
		t.Errorf("kept %d of %d", len(got), server.Count())
	}
}

func TestRequestsAtOnce(t *testing.T) {
	server, client := start(t, modeltest.Echo())
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if _, answer := post(t, client, server, modeltest.Anthropic, `{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"hi"}]}`); !strings.Contains(answer, `"text":"echo: "`) {
				t.Errorf("got %s", answer)
			}
		})
	}
	wait.Wait()
	if server.Count() != 20 {
		t.Errorf("counted %d", server.Count())
	}
}

// A turn of the throughput benchmark has a prefix, some tools and some history.
func BenchmarkEcho(b *testing.B) {
	server, client := start(b, modeltest.Echo())
	tool := `{"type":"function","function":{"name":"tool_N","description":"` + strings.Repeat("d", 200) + `","parameters":{"type":"object","properties":{"text":{"type":"string"}}}}}`
	body := `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"system","content":"` + strings.Repeat("p", 3000) + `"},` +
		strings.Repeat(`{"role":"user","content":"`+strings.Repeat("q", 100)+`"},{"role":"assistant","content":"`+strings.Repeat("a", 300)+`"},`, 5) +
		`{"role":"user","content":"hi"}],"tools":[` + strings.Replace(tool, "_N", "_1", 1) + "," + strings.Replace(tool, "_N", "_2", 1) + `]}`
	b.SetBytes(int64(len(body)))
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if status, answer := post(b, client, server, modeltest.OpenAI, body); status != 200 {
				b.Fatal(answer)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
}
