package wire_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"talaria/core/agent"
	"talaria/core/model/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "secret-key-42"

// exchange has a handler answer, and returns the body or what went wrong.
func exchange(t *testing.T, h http.HandlerFunc, c wire.Config) (string, error) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	c.Model, c.Secret, c.Client = "test-model", key, server.Client()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/?key="+key, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := wire.NewEndpoint(c).Do(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func answer(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func TestStreamsPassUnchanged(t *testing.T) {
	const events = "\n: comment\n\ndata: {\"a\":1}\n\ndata: x"
	got, err := exchange(t, answer(200, events), wire.Config{})
	if err != nil || got != strings.TrimPrefix(events, "\n") {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestFaultsOfManyServers(t *testing.T) {
	cases := []struct {
		name   string
		status int
		body   string
		want   agent.ModelErrorKind
		says   string
	}{
		{"openai", 400, `{"error":{"message":"no such parameter","type":"invalid_request_error","param":"x","code":null}}`, agent.ModelInvalid, "status 400 Bad Request (invalid_request_error): no such parameter"},
		{"anthropic", 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, agent.ModelTransient, "status 529 (overloaded_error): Overloaded"},
		{"a list", 400, `[{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}]`, agent.ModelInvalid, "API key not valid"},
		{"a string", 500, `{"error":"model runner has crashed"}`, agent.ModelTransient, "model runner has crashed"},
		{"at the top", 400, `{"object":"error","message":"This model's maximum context length is 8192 tokens","code":400}`, agent.ModelTooLong, "8192"},
		{"detail", 422, `{"detail":[{"loc":["body","x"],"msg":"extra fields not permitted"}]}`, agent.ModelInvalid, "extra fields"},
		{"too long in other words", 400, `{"error":{"message":"The input token count (200000) exceeds the maximum number of tokens allowed (100000)."}}`, agent.ModelTooLong, ""},
		{"more than a minute's allowance", 429, `{"error":{"code":"rate_limit_exceeded","message":"Request too large for m on tokens per min: Limit 10, Requested 20."}}`, agent.ModelTooLong, ""},
		{"a payload", 413, `<html>`, agent.ModelTooLong, "status 413"},
		{"no funds", 402, `{"error":{"message":"Insufficient Balance","type":"unknown_error"}}`, agent.ModelUnpaid, "Insufficient Balance"},
		{"quota", 429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`, agent.ModelUnpaid, "insufficient_quota"},
		{"billing", 402, `{"type":"error","error":{"type":"billing_error","message":"There is an issue with your payment"}}`, agent.ModelUnpaid, "billing_error"},
		{"low credit", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}`, agent.ModelUnpaid, "too low"},
		{"a limit of spending", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits."}}`, agent.ModelUnpaid, "usage limits"},
		{"a rate that is called a quota", 429, `{"error":{"code":429,"message":"You exceeded your current quota, retry in 3 s","status":"RESOURCE_EXHAUSTED"}}`, agent.ModelRateLimited, "retry in 3 s"},
		{"forbidden", 403, ``, agent.ModelAuth, "status 403 Forbidden"},
		{"not found", 404, `{"error":{"message":"The model does not exist","code":"model_not_found"}}`, agent.ModelSetUp, "does not exist"},
		{"not found elsewhere", 404, `{"type":"error","error":{"type":"not_found_error","message":"model: small-9"}}`, agent.ModelSetUp, "small-9"},
		{"not found as a bad request", 400, `{"error":{"message":"small-9 is not a valid model ID","code":400}}`, agent.ModelSetUp, "small-9"},
		{"no access to the model", 403, `{"error":{"message":"The project has no access to it","code":"model_not_found"}}`, agent.ModelSetUp, "no access"},
		{"no such address", 404, `404 page not found`, agent.ModelSetUp, "status 404"},
		{"a gateway's page", 502, `<html><h1>502 Bad Gateway</h1></html>`, agent.ModelTransient, "status 502 Bad Gateway"},
		{"a redirect", 302, ``, agent.ModelSetUp, "status 302 Found"},
		{"a status behind a gateway", 200, `{"error":{"code":429,"message":"slow down"}}`, agent.ModelRateLimited, "slow down"},
		{"a key quoted back", 401, `{"error":{"message":"Bearer abcdefghijkl, sk-abcd***wxyz and ` + key + ` are wrong"}}`, agent.ModelAuth, "[redacted], [redacted] and [redacted] are wrong"},
		{"a long and broken text", 500, `{"error":{"message":"` + strings.Repeat(`line\n\u0000`, 1000) + "\xff" + `"}}`, agent.ModelTransient, "line line"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := exchange(t, answer(c.status, c.body, "Location", "http://example.invalid"), wire.Config{})
			fault, ok := errors.AsType[*agent.ModelError](err)
			if !ok || fault.Kind != c.want || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("got %v, want %s: %s", err, c.want, c.says)
			}
			if strings.Contains(err.Error(), key) || strings.ContainsAny(err.Error(), "\n\x00") || len(err.Error()) > 600 {
				t.Errorf("not fit for an error: %q", err)
			}
		})
	}
}

func TestRetryAfterInAllItsForms(t *testing.T) {
	in := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	cases := []struct {
		name, header, value string
		least, most         time.Duration
	}{
		{"seconds", "Retry-After", "20", 20 * time.Second, 20 * time.Second},
		{"a fraction", "Retry-After", "1.5", 1500 * time.Millisecond, 1500 * time.Millisecond},
		{"a date", "Retry-After", in(time.Hour), 50 * time.Minute, time.Hour},
		{"a date in the past", "Retry-After", in(-time.Hour), 0, 0},
		{"milliseconds", "Retry-After-Ms", "250", 250 * time.Millisecond, 250 * time.Millisecond},
		{"a year", "Retry-After", "31536000", 24 * time.Hour, 24 * time.Hour},
		{"below zero", "Retry-After", "-1", 0, 0},
		{"no number", "Retry-After", "NaN", 0, 24 * time.Hour},
		{"words", "Retry-After", "later", 0, 0},
	}
	for _, c := range cases {
		_, err := exchange(t, answer(429, `{}`, c.header, c.value), wire.Config{})
		fault, ok := errors.AsType[*agent.ModelError](err)
		if !ok || fault.RetryAfter < c.least || fault.RetryAfter > c.most {
			t.Errorf("%s: got %v, want %s to %s", c.name, err, c.least, c.most)
		}
	}
}

func TestKeysDoNotFollowRedirects(t *testing.T) {
	var asked []string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("X-Api-Key"))
	}))
	defer other.Close()
	_, err := exchange(t, answer(307, "", "Location", other.URL), wire.Config{})
	if err == nil || len(asked) != 0 {
		t.Errorf("got %v, and the other host was asked %d times", err, len(asked))
	}
}

func TestSilenceEndsAnExchange(t *testing.T) {
	const wait = 50 * time.Millisecond
	silent := func(first string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, first)
			http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	}
	for _, c := range []struct {
		first  string
		config wire.Config
		want   agent.ModelErrorKind
	}{
		{"", wire.Config{First: wait}, agent.ModelTransient},
		{"data: x\n\n", wire.Config{Idle: wait}, agent.ModelCut},
	} {
		_, err := exchange(t, silent(c.first), c.config)
		if fault, ok := errors.AsType[*agent.ModelError](err); !ok || fault.Kind != c.want || !strings.Contains(err.Error(), "no byte for 50ms") {
			t.Errorf("after %q: got %v, want %s", c.first, err, c.want)
		}
	}
}

func TestArgumentsFitToBeSentBack(t *testing.T) {
	for raw, want := range map[string]string{
		``:               `{}`,
		" {\"a\": 1}\n":  `{"a": 1}`,
		`{"a": oops`:     `{"unreadable_arguments":"{\"a\": oops"}`,
		`"text"`:         `{"unreadable_arguments":"\"text\""}`,
		`[1]`:            `{"unreadable_arguments":"[1]"}`,
		`{"a":1}{"b":2}`: `{"unreadable_arguments":"{\"a\":1}{\"b\":2}"}`,
		"\xff":           `{"unreadable_arguments":"\ufffd"}`,
	} {
		if got := string(wire.Arguments([]byte(raw))); got != want {
			t.Errorf("%q: got %s, want %s", raw, got, want)
		}
	}
}

func FuzzFault(f *testing.F) {
	f.Add(400, []byte(`{"error":{"message":"x","code":5}}`))
	f.Add(0, []byte(`[{"error":[]}]`))
	f.Add(-7, []byte(`{"detail":{"a":"b"}}`))
	endpoint := wire.NewEndpoint(wire.Config{Model: "m", Secret: key})
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		err := endpoint.Fault(status, append(body, key...))
		if text := err.Error(); len([]rune(text)) > 600 || strings.Contains(text, key) || strings.Contains(text, "\n") {
			t.Errorf("not fit for an error: %q", text)
		}
	})
}
