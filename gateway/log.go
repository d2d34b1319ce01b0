package main

import (
	"bytes"
	"io"
	"log/slog"
	"net/url"
	"strconv"

	"talaria/gateway/config"
)

// newLogger writes to w what the configuration asks for. No secret of the
// configuration gets through, whoever put it into a message: libraries have
// tokens in the addresses that they mention in errors.
func newLogger(cfg config.Config, w io.Writer) *slog.Logger {
	w = redact(w, cfg.Secrets())
	options := &slog.HandlerOptions{Level: cfg.Log.SlogLevel()}
	var h slog.Handler = slog.NewTextHandler(w, options)
	if cfg.Log.Format == "json" {
		h = slog.NewJSONHandler(w, options)
	}
	if options.Level.Level() > slog.LevelDebug {
		h = withoutFlood(h)
	}
	return slog.New(h)
}

// shortest is the length below which a secret is not looked for: it would
// match by chance and make the log unreadable.
const shortest = 6

// redactor replaces secrets in whole log lines.
type redactor struct {
	w       io.Writer
	secrets [][]byte
}

// redact looks for each secret as it is, and as quotes and addresses write it.
func redact(w io.Writer, secrets []string) io.Writer {
	r := &redactor{w: w}
	for _, s := range secrets {
		if len(s) < shortest {
			continue
		}
		quoted := strconv.Quote(s)
		r.add(s, quoted[1:len(quoted)-1], url.QueryEscape(s), url.PathEscape(s))
	}
	return r
}

func (r *redactor) add(forms ...string) {
	for _, f := range forms {
		r.secrets = append(r.secrets, []byte(f))
	}
}

var stars = []byte("***")

// Write gets one record at a time from slog's handlers.
func (r *redactor) Write(line []byte) (int, error) {
	clean := line
	for _, s := range r.secrets {
		clean = bytes.ReplaceAll(clean, s, stars)
	}
	if _, err := r.w.Write(clean); err != nil {
		return 0, err
	}
	return len(line), nil
}
