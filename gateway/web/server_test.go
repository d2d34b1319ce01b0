package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"talaria/gateway/config"
	"talaria/gateway/web"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start serves on a free port until the test ends.
func start(t *testing.T, o web.Options) (address string) { return startWith(t, o, nil) }

// startWith has hooks mounted, too.
func startWith(t *testing.T, o web.Options, hooks map[string]http.Handler) (address string) {
	t.Helper()
	o.Config.Listen = "127.0.0.1:0"
	o.Log = slog.New(slog.DiscardHandler)
	if o.Health == nil {
		o.Health = &web.Health{}
	}
	if o.Metrics == nil {
		o.Metrics = prometheus.NewRegistry()
	}
	s, err := web.Listen(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for name, hook := range hooks {
		s.Mount(name, hook)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s.Addr()
}

// do sends one request over a connection of its own.
func do(t *testing.T, method, address, path string, body io.Reader, change func(*http.Request)) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+address+path, body)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func TestReadiness(t *testing.T) {
	health := &web.Health{}
	address := start(t, web.Options{Health: health})
	var storeDown error
	health.Add("store", func(context.Context) error { return storeDown })

	check := func(what string, status int, want web.Report) {
		t.Helper()
		code, body := do(t, "GET", address, "/readyz", nil, nil)
		var got web.Report
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatal(err, body)
		}
		if d := cmp.Diff(want, got); code != status || d != "" {
			t.Errorf("%s: status %d, want %d\n%s", what, code, status, d)
		}
		asked, err := web.Query(t.Context(), address)
		if d := cmp.Diff(want, asked); err != nil || d != "" {
			t.Errorf("%s: Query: %v\n%s", what, err, d)
		}
	}
	check("before it is up", 503, web.Report{Parts: []web.Part{{Name: "store", OK: true}}})
	health.SetReady(true)
	check("up", 200, web.Report{Ready: true, Parts: []web.Part{{Name: "store", OK: true}}})
	storeDown = errors.New("store unavailable")
	check("a part is down", 503, web.Report{Parts: []web.Part{{Name: "store", Error: "store unavailable"}}})

	if code, _ := do(t, "GET", address, "/healthz", nil, nil); code != 200 {
		t.Errorf("liveness depends on a part: %d", code)
	}
}

func TestDetailsAreForThisMachineOnly(t *testing.T) {
	health := &web.Health{}
	health.Add("store", func(context.Context) error { return errors.New("inner matter") })
	address := start(t, web.Options{Health: health})
	code, body := do(t, "GET", address, "/readyz", nil, func(r *http.Request) { r.Header.Set("X-Forwarded-For", "203.0.113.9") })
	if code != 503 || strings.Contains(body, "inner matter") {
		t.Errorf("status %d, body %q", code, body)
	}
}

func TestHostNamesAreChecked(t *testing.T) {
	address := start(t, web.Options{Config: config.Web{Hosts: []string{"bot.example.com"}}})
	for host, want := range map[string]int{
		"localhost":            200,
		"localhost:8799":       200,
		"127.0.0.1:8799":       200,
		"[::1]:8799":           200,
		"bot.example.com":      200,
		"BOT.example.com:443":  200,
		"evil.example":         421,
		"localhost.evil.test":  421,
		"127.0.0.1.evil.test":  421,
		"bot.example.com.evil": 421,
	} {
		code, _ := do(t, "GET", address, "/healthz", nil, func(r *http.Request) { r.Host = host })
		if code != want {
			t.Errorf("Host %q: status %d, want %d", host, code, want)
		}
	}
}

func TestMetrics(t *testing.T) {
	registry := prometheus.NewRegistry()
	turns := prometheus.NewCounter(prometheus.CounterOpts{Name: "talaria_turns_total"})
	registry.MustRegister(turns)
	turns.Inc()
	address := start(t, web.Options{Metrics: registry})
	if code, body := do(t, "GET", address, "/metrics", nil, nil); code != 200 || !strings.Contains(body, "talaria_turns_total 1") {
		t.Errorf("status %d, body %q", code, body)
	}
}

func TestHooks(t *testing.T) {
	hook := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(w, r.Body); err != nil {
			http.Error(w, "too large", http.StatusRequestEntityTooLarge)
		}
	})
	address := startWith(t, web.Options{}, map[string]http.Handler{"telegram": hook})
	if code, body := do(t, "POST", address, "/hooks/telegram", strings.NewReader("update"), nil); code != 200 || body != "update" {
		t.Errorf("status %d, body %q", code, body)
	}
	for path, method := range map[string]string{"/hooks/telegram": "GET", "/hooks/slack": "POST", "/hooks/": "POST"} {
		if code, _ := do(t, method, address, path, nil, nil); code != 405 && code != 404 {
			t.Errorf("%s %s: status %d", method, path, code)
		}
	}
	large := strings.NewReader(strings.Repeat("x", 2<<20))
	if code, body := do(t, "POST", address, "/hooks/telegram", large, nil); len(body) > 1<<20+100 {
		t.Errorf("a body of 2 MB was read whole: status %d", code)
	}
}

func TestOtherAddressesNeedASetting(t *testing.T) {
	o := web.Options{Config: config.Web{Listen: "0.0.0.0:0"}, Health: &web.Health{}, Metrics: prometheus.NewRegistry(), Log: slog.New(slog.DiscardHandler)}
	if s, err := web.Listen(t.Context(), o); err == nil {
		s.Close()
		t.Error("bound to all addresses without web.allow_remote")
	}
	o.Config.AllowRemote = true
	s, err := web.Listen(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
}

func TestAddressInUseNamesTheKey(t *testing.T) {
	address := start(t, web.Options{})
	o := web.Options{Config: config.Web{Listen: address}, Health: &web.Health{}, Metrics: prometheus.NewRegistry(), Log: slog.New(slog.DiscardHandler)}
	_, err := web.Listen(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "web.listen") {
		t.Errorf("error = %v", err)
	}
}

func TestQueryOfNobody(t *testing.T) {
	if _, err := web.Query(t.Context(), "127.0.0.1:1"); err == nil {
		t.Error("nobody answered, and it was no error")
	}
}
