package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"talaria/adapters/wire"
	"talaria/core/chat"
)

func TestAnExchangeKeepsWhatTheLibraryLoses(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://elsewhere.example")
		w.WriteHeader(http.StatusFound)
		_, _ = io.WriteString(w, "whole")
	}))
	t.Cleanup(server.Close)
	transport := wire.NewTransport()
	t.Cleanup(transport.CloseIdleConnections)
	var x wire.Exchange
	client := x.Client(t.Context(), transport, func(r *http.Response) { r.Body = io.NopCloser(strings.NewReader("shown")) })
	resp, err := client.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	shown, _ := io.ReadAll(resp.Body)
	if x.Status != http.StatusFound || string(x.Body) != "whole" || string(shown) != "shown" {
		t.Errorf("status %d, body %q, shown %q", x.Status, x.Body, shown)
	}
}

func TestAFailureTellsWhetherItMayHaveHappened(t *testing.T) {
	cut := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	t.Cleanup(cut.Close)
	away := httptest.NewServer(http.NotFoundHandler())
	away.Close()
	for name, c := range map[string]struct {
		address string
		want    chat.ErrorKind
	}{
		"cut off":  {cut.URL, chat.UnknownOutcome},
		"away":     {away.URL, chat.Transient},
		"unusable": {"", chat.Permanent},
	} {
		t.Run(name, func(t *testing.T) {
			transport := wire.NewTransport()
			t.Cleanup(transport.CloseIdleConnections)
			var x wire.Exchange
			err := errors.New("no address")
			if c.address != "" {
				_, err = x.Client(t.Context(), transport, nil).Get(c.address + "/bot-s3cret")
			}
			if got := x.Failure("op", err, "s3cret"); got.Kind != c.want || strings.Contains(got.Error(), "s3cret") {
				t.Errorf("%s: %v", got.Kind, got)
			}
		})
	}
}

func TestRedact(t *testing.T) {
	plain := errors.New("refused")
	for _, c := range []struct {
		err  error
		want string
	}{
		{plain, "refused"},
		{errors.New("token s3cret refused"), "token [token] refused"},
		{&url.Error{Op: "Get", URL: "http://host/ticket", Err: plain}, "refused"},
	} {
		if got := wire.Redact(c.err, "", "s3cret"); got.Error() != c.want {
			t.Errorf("%v becomes %v", c.err, got)
		}
	}
	if wire.Redact(nil, "s3cret") != nil {
		t.Error("nil becomes an error")
	}
}

func TestMaybeLosesOnlyWhatChanged(t *testing.T) {
	var event struct {
		Name wire.Maybe[string] `json:"name"`
		Size wire.Maybe[int]    `json:"size"`
		Gone wire.Maybe[int]    `json:"gone"`
	}
	if err := json.Unmarshal([]byte(`{"name":"a","size":"large","gone":null}`), &event); err != nil {
		t.Fatal(err)
	}
	if event.Name.Or() != "a" || event.Size.Is != nil || event.Gone.Is != nil {
		t.Errorf("%+v", event)
	}
}

func TestContentIsLimited(t *testing.T) {
	open := wire.OpenBlob(func(_ context.Context, _ chat.Address, hash string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(hash)), nil
	})
	for _, c := range []struct {
		open       wire.OpenBlob
		data, blob string
		want       string // empty: an error
	}{
		{open, "data", "", "data"},
		{open, "", "blob", "blob"},
		{open, "five5", "", ""},
		{open, "", "five5", ""},
		{nil, "", "blob", ""},
		{nil, "data", "", "data"},
	} {
		got, err := c.open.Content(t.Context(), chat.Address{}, []byte(c.data), c.blob, 4)
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q %q: %q, %v", c.data, c.blob, got, err)
		}
	}
	if _, err := io.ReadAll(wire.Limit(io.NopCloser(strings.NewReader("five5")), 4)); err == nil || err.Error() != wire.TooLarge {
		t.Errorf("a body that is too long: %v", err)
	}
}
