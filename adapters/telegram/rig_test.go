package telegram_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"testing"
	"time"

	"talaria/adapters/adaptertest"
	simulator "talaria/adapters/fake/telegram"
	"talaria/adapters/telegram"
)

// rig is an adapter beside a simulator.
type rig struct {
	adaptertest.Rig[*telegram.Adapter, *simulator.Server]
}

func newRig(t *testing.T, change func(*telegram.Config)) *rig {
	t.Helper()
	server := simulator.New(t, simulator.Options{NoFlood: true})
	server.Group(group, ada)
	cfg := telegram.Config{Token: server.Token(), APIURL: server.URL()}
	if change != nil {
		change(&cfg)
	}
	log := adaptertest.NewLog()
	adapter := newAdapter(t, cfg, log.Logger(slog.LevelInfo))
	adapter.Hurry(quick, 30*time.Millisecond)
	return &rig{adaptertest.NewRig(t, server, adapter, log)}
}

func quick(int) time.Duration { return time.Millisecond }

func (r *rig) confirmed() {
	r.T.Helper()
	r.Await("confirmation", func() bool { return r.Server.Unconfirmed() == 0 })
}

var errStore = errors.New("the store is away")

// call makes a call beside the adapter.
func (r *rig) call(method string, params url.Values) {
	r.T.Helper()
	resp, err := http.PostForm(r.Server.URL()+"/bot"+r.Server.Token()+"/"+method, params)
	if err != nil {
		r.T.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		r.T.Fatalf("%s: %s", method, resp.Status)
	}
}
