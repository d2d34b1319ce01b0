package trigger

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Bounds of calls.
const (
	maxBody   = 64 << 10
	perMinute = 30 // of one trigger, in one replica
)

// ErrRefused: whoever the trigger acts for may not have it done.
var ErrRefused = errors.New("the owner of this trigger may not have it run there")

// Config is what a hook is made from. Everything is required.
type Config struct {
	Name   string
	Secret string
	Now    func(ctx context.Context) (time.Time, error)
	// Fire has a call run once for its id. ErrRefused is final; after any other
	// error the call may be repeated.
	Fire func(ctx context.Context, id, body string) error
	Log  *slog.Logger
}

// Hook answers the calls of one trigger. It is safe for concurrent use.
type Hook struct {
	cfg Config

	mu     sync.Mutex
	minute time.Time // that calls are counted in
	calls  int
}

// New returns a hook.
func New(c Config) *Hook { return &Hook{cfg: c} }

// ServeHTTP implements http.Handler: 202 for a call that was taken, now or
// before.
func (h *Hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now, err := h.cfg.Now(r.Context())
	if err != nil {
		h.later(w, err)
		return
	}
	s, err := parse(r.Header.Get(Header), now)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		http.Error(w, "the body is over 64 KB", http.StatusRequestEntityTooLarge)
		return
	}
	if err != nil {
		http.Error(w, "the body broke off", http.StatusBadRequest)
		return
	}
	if !s.signs(h.cfg.Secret, body) {
		http.Error(w, "the signature does not fit the body", http.StatusUnauthorized)
		return
	}
	if !h.count(now) {
		w.Header().Set("Retry-After", "60")
		http.Error(w, "too many calls of this trigger within a minute", http.StatusTooManyRequests)
		return
	}
	h.fire(w, r, s.id(), strings.ToValidUTF8(string(body), "?"))
}

func (h *Hook) fire(w http.ResponseWriter, r *http.Request, id, body string) {
	err := h.cfg.Fire(r.Context(), id, body)
	switch {
	case err == nil:
		w.WriteHeader(http.StatusAccepted)
	case errors.Is(err, ErrRefused):
		h.cfg.Log.Warn("trigger refused", "trigger", h.cfg.Name, "err", err)
		http.Error(w, ErrRefused.Error(), http.StatusForbidden)
	default:
		h.later(w, err)
	}
}

// later asks for the call to be repeated.
func (h *Hook) later(w http.ResponseWriter, err error) {
	h.cfg.Log.Warn("trigger not taken", "trigger", h.cfg.Name, "err", err)
	w.Header().Set("Retry-After", "10")
	http.Error(w, "not now; please repeat the call", http.StatusServiceUnavailable)
}

// count reports whether one more call is within the limit.
func (h *Hook) count(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if minute := now.Truncate(time.Minute); !minute.Equal(h.minute) {
		h.minute, h.calls = minute, 0
	}
	h.calls++
	return h.calls <= perMinute
}
