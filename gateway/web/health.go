package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"talaria/gateway/config"
)

// probeTime is the longest that all probes of one request may take together.
// Docker and Kubernetes give up after a few seconds by default.
const probeTime = 2 * time.Second

// Probe returns nil while a part is well. Its error holds no secret.
type Probe func(ctx context.Context) error

// Health gathers what /readyz tells. The zero value is not ready.
type Health struct {
	ready atomic.Bool

	mu     sync.Mutex // guards the rest
	names  []string   // in order of adding
	probes map[string]Probe
}

// Add names a part that has to be well for the process to be ready. Adding a
// name again replaces its probe.
func (h *Health) Add(name string, p Probe) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.probes == nil {
		h.probes = map[string]Probe{}
	}
	if _, known := h.probes[name]; !known {
		h.names = append(h.names, name)
	}
	h.probes[name] = p
}

// SetReady says whether messages are taken: true once all is up, false when a
// drain begins.
func (h *Health) SetReady(ready bool) { h.ready.Store(ready) }

// Report is the detailed answer of /readyz.
type Report struct {
	Ready bool   `json:"ready"`
	Parts []Part `json:"parts"`
}

// Part is the state of one part.
type Part struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	Error string `json:"error,omitempty"`
}

// Report asks all probes, side by side.
func (h *Health) Report(ctx context.Context) Report {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	h.mu.Lock()
	parts := make([]Part, len(h.names))
	var wg sync.WaitGroup
	for n, name := range h.names {
		probe := h.probes[name]
		wg.Go(func() { parts[n] = ask(ctx, name, probe) })
	}
	h.mu.Unlock()
	wg.Wait()
	r := Report{Ready: h.ready.Load(), Parts: parts}
	for _, p := range parts {
		r.Ready = r.Ready && p.OK
	}
	return r
}

func ask(ctx context.Context, name string, probe Probe) Part {
	if err := probe(ctx); err != nil {
		return Part{Name: name, Error: err.Error()}
	}
	return Part{Name: name, OK: true}
}

// live answers /healthz: that it can answer is all there is to say. What is
// wrong outside of the process is no reason to restart it.
func live(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") }

// readiness answers /readyz, to this machine with details.
func (h *Health) readiness(w http.ResponseWriter, r *http.Request) {
	report := h.Report(r.Context())
	status := http.StatusOK
	if !report.Ready {
		status = http.StatusServiceUnavailable
	}
	if !local(r) {
		w.WriteHeader(status)
		fmt.Fprintln(w, http.StatusText(status))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// The status is out already; a reader that is gone needs no answer.
	_ = json.NewEncoder(w).Encode(report)
}

// local reports whether a request was made on this machine and was not passed
// on by a proxy.
func local(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	forwarded := r.Header.Get("Forwarded") != "" || r.Header.Get("X-Forwarded-For") != ""
	return err == nil && config.Loopback(host) && !forwarded
}
