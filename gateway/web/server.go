package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"talaria/gateway/config"
)

const (
	maxBody    = 1 << 20          // of a webhook call; platforms send references, not files
	maxHeader  = 16 << 10         //
	headerTime = 5 * time.Second  // for a request's headers
	readTime   = 10 * time.Second // for all of a request
	writeTime  = 15 * time.Second // for its answer; platforms give up long before
	idleTime   = 60 * time.Second // of a kept connection
	stopTime   = 5 * time.Second  // for requests under way when the server stops
)

// Options say what a server offers.
type Options struct {
	Config  config.Web
	Health  *Health
	Metrics prometheus.Gatherer
	Log     *slog.Logger
}

// Server is bound to its address and not serving yet.
type Server struct {
	listener net.Listener
	mux      *http.ServeMux
	http     *http.Server
}

// Listen binds to the configured address.
func Listen(ctx context.Context, o Options) (*Server, error) {
	host, _, err := net.SplitHostPort(o.Config.Listen)
	if err != nil {
		return nil, fmt.Errorf("web.listen: %w", err)
	}
	if !config.Loopback(host) && !o.Config.AllowRemote {
		return nil, fmt.Errorf("web.listen: %q can be reached from other machines and web.allow_remote is not set", o.Config.Listen)
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", o.Config.Listen)
	if err != nil {
		return nil, fmt.Errorf("web.listen: %w; choose another address, or \"off\"", err)
	}
	mux := routes(o)
	return &Server{listener: l, mux: mux, http: &http.Server{
		Handler:           checkHost(o.Config.Hosts, mux),
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       readTime,
		WriteTimeout:      writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug),
	}}, nil
}

// Mount opens a platform's door, before Serve: "telegram" is served at
// /hooks/telegram. The hook proves the caller itself, before it reads the body.
func (s *Server) Mount(name string, hook http.Handler) {
	s.mux.Handle("POST /hooks/"+name, http.MaxBytesHandler(hook, maxBody))
}

// Addr is the address that the server is bound to.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Serve answers until ctx ends, then lets requests under way finish for a few
// seconds. It returns nil after ctx ended.
func (s *Server) Serve(ctx context.Context) error {
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
		defer cancel()
		stopped <- s.http.Shutdown(grace)
	})
	err := s.http.Serve(s.listener)
	if stop() || !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve %s: %w", s.Addr(), err)
	}
	if <-stopped != nil {
		return s.http.Close()
	}
	return nil
}

// Close releases the address of a server that never served.
func (s *Server) Close() error { return s.listener.Close() }

func routes(o Options) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", index)
	mux.HandleFunc("GET /healthz", live)
	mux.HandleFunc("GET /readyz", o.Health.readiness)
	mux.Handle("GET /metrics", promhttp.HandlerFor(o.Metrics, promhttp.HandlerOpts{}))
	return mux
}

func index(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprint(w, "Talaria is running.\n\n/healthz  is the process alive?\n/readyz   does it take messages?\n/metrics  for Prometheus\n")
}

// checkHost refuses requests to names other than localhost and the given
// ones. Addresses pass: the attack that this stops needs a name.
func checkHost(names []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		host = strings.ToLower(strings.Trim(host, "[]"))
		_, err := netip.ParseAddr(host)
		if err != nil && host != "localhost" && !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, host) }) {
			http.Error(w, "unknown host name; see web.hosts in config.toml", http.StatusMisdirectedRequest)
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}
