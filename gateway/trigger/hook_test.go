package trigger_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"talaria/gateway/trigger"
)

const secret = "a secret of more than 32 characters"

var noon = time.Date(2027, 1, 2, 12, 0, 0, 0, time.UTC)

// calls are what a hook fired.
type calls struct {
	ids, bodies []string
	fails       error
}

func (c *calls) hook() *trigger.Hook {
	return trigger.New(trigger.Config{
		Name: "deploy", Secret: secret, Log: slog.New(slog.DiscardHandler),
		Now: func(context.Context) (time.Time, error) { return noon, nil },
		Fire: func(_ context.Context, id, body string) error {
			if c.fails == nil {
				c.ids, c.bodies = append(c.ids, id), append(c.bodies, body)
			}
			return c.fails
		},
	})
}

func call(h http.Handler, header, body string) int {
	r := httptest.NewRequest(http.MethodPost, "/hooks/trigger/deploy", strings.NewReader(body))
	r.Header.Set(trigger.Header, header)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code
}

func TestOnlyCallsThatProveThemselvesFire(t *testing.T) {
	const body = `{"version": "1.2"}`
	good := sign(secret, noon, body)
	tests := map[string]struct {
		header, body string
		want         int
	}{
		"signed":            {good, body, 202},
		"with later parts":  {good + ",v2=abc", body, 202},
		"four minutes old":  {sign(secret, noon.Add(-4*time.Minute), body), body, 202},
		"six minutes old":   {sign(secret, noon.Add(-6*time.Minute), body), body, 401},
		"from the future":   {sign(secret, noon.Add(6*time.Minute), body), body, 401},
		"another body":      {good, body + " ", 401},
		"another secret":    {sign("another", noon, body), body, 401},
		"another time":      {strings.Replace(good, "t=", "t=0", 1), body, 401},
		"no signature":      {"", body, 401},
		"half a signature":  {good[:len(good)-2], body, 401},
		"no hexadecimal":    {"t=1798891200,v1=" + strings.Repeat("zz", 32), body, 401},
		"too large":         {good, strings.Repeat("x", 65<<10), 413},
		"no time":           {good[strings.Index(good, "v1"):], body, 401},
		"a time of letters": {"t=noon," + good[strings.Index(good, "v1"):], body, 401},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var c calls
			if got := call(c.hook(), tt.header, tt.body); got != tt.want {
				t.Errorf("answered %d, not %d", got, tt.want)
			}
			if fired := len(c.ids) > 0; fired != (tt.want == 202) {
				t.Errorf("fired %v", c.bodies)
			}
		})
	}
}

func TestARepeatedCallHasTheSameIdentity(t *testing.T) {
	var c calls
	h := c.hook()
	header := sign(secret, noon, "x")
	call(h, header, "x")
	call(h, header, "x")
	call(h, sign(secret, noon.Add(time.Second), "x"), "x")
	if len(c.ids) != 3 || c.ids[0] != c.ids[1] || c.ids[0] == c.ids[2] {
		t.Errorf("identities %v", c.ids)
	}
}

func TestCallsAreLimitedOnceTheyProvedThemselves(t *testing.T) {
	var c calls
	h := c.hook()
	for range 100 {
		call(h, "t=1,v1=00", "x")
	}
	got := map[int]int{}
	for n := range 40 {
		body := fmt.Sprint(n)
		got[call(h, sign(secret, noon, body), body)]++
	}
	if got[202] != 30 || got[429] != 10 {
		t.Errorf("answers %v", got)
	}
}

func TestFailuresAreToldApart(t *testing.T) {
	for err, want := range map[error]int{
		trigger.ErrRefused: 403, fmt.Errorf("look up: %w", trigger.ErrRefused): 403, errors.New("the store is away"): 503,
	} {
		c := calls{fails: err}
		if got := call(c.hook(), sign(secret, noon, ""), ""); got != want {
			t.Errorf("%v is answered by %d, not %d", err, got, want)
		}
	}
}

func FuzzSignature(f *testing.F) {
	f.Add(sign(secret, noon, "x"), "x")
	f.Add("t=1,v1=00", "x")
	f.Add("t=9223372036854775807,v1="+strings.Repeat("00", 32), "")
	f.Fuzz(func(t *testing.T, header, body string) {
		var c calls
		if got := call(c.hook(), header, body); got == 202 && body != "x" { // the one that is signed in a seed
			t.Errorf("%q fired with body %q", header, body)
		}
	})
}

// sign is the header of a call, made as its sender makes it.
func sign(secret string, at time.Time, body string) string {
	h := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(h, "%d.%s", at.Unix(), body)
	return fmt.Sprintf("t=%d,v1=%x", at.Unix(), h.Sum(nil))
}
