package app_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/storage"
	"talaria/storage/teststore"
)

// TestWhatWaitedOfAForgottenPersonIsErased: an event that an adapter had put
// aside when its author asked to be forgotten is not kept when it is tried again.
func TestWhatWaitedOfAForgottenPersonIsErased(t *testing.T) {
	t.Parallel()
	s := fake.New(t, fake.Options{NoFlood: true})
	path := filepath.Join(t.TempDir(), "t.db")
	bot, _, _ := strings.Cut(s.Token(), ":")
	at := storage.System("adapter:telegram:" + bot)
	st := teststore.Open(t, path, 0)
	var parked struct {
		Parked []chat.Event `json:"parked"`
	}
	const gone, stays = 7, 8
	for id, text := range map[int64]string{gone: "what is 30+4", stays: "what is 20+3"} {
		s.Say(id, id, "hello") // so that there is a chat
		name := strconv.FormatInt(id, 10)
		parked.Parked = append(parked.Parked, chat.Event{
			Kind: chat.Message, Keys: []string{"parked " + name}, At: time.Now().Add(-2 * time.Minute), Direct: true, Message: "1", Text: text, Addressed: chat.ByDM,
			Address: chat.Address{Platform: "telegram", Chat: name}, Author: chat.Author{Identity: chat.Identity{Platform: "telegram", ID: name}},
		})
	}
	state, err := json.Marshal(parked)
	if err == nil {
		_, err = st.Commit(t.Context(), storage.On(at).Put("checkpoint", "state", state, storage.Absent))
	}
	if err == nil {
		err = st.Bury(t.Context(), storage.Person(string(person.Home(chat.Identity{Platform: "telegram", ID: "7"}))))
	}
	if err == nil {
		err = st.Close()
	}
	cfg, _, bad := config.Load("", []string{
		"TALARIA_ADAPTERS_TELEGRAM_TOKEN=" + s.Token(), "TALARIA_ADAPTERS_TELEGRAM_API_URL=" + s.URL(),
		"TALARIA_ADAPTERS_TELEGRAM_PEOPLE=*", "TALARIA_WEB_LISTEN=off", "TALARIA_STORAGE_URL=sqlite:" + path,
	})
	if err != nil || bad != nil {
		t.Fatal(err, bad)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	over := make(chan error, 1)
	go func() { over <- live(ctx, app.Options{Config: cfg, Log: slog.New(slog.DiscardHandler)}) }()
	hears(t, s, stays, "23")
	stop()
	if err := <-over; err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(said(s, gone), "\n"); strings.Contains(got, "34") {
		t.Errorf("what a forgotten person said was answered: %q", got)
	}
	doc, err := storage.Get[[]byte](t.Context(), teststore.Open(t, path, 0), at, "checkpoint", "state")
	if err != nil || strings.Contains(string(doc.Value), "what is") {
		t.Errorf("there is still %s, %v", doc.Value, err)
	}
}
