package learnbench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
)

// family is a kind of task.
type family struct {
	subject string // "heron figures"
	key     string // "heron"
	moves   []string
	format  string // that the people want; plain: what they get anyway
	reason  string
	turn    int    // the task with which they begin to want another; zero: none
	then    string // which
}

// wanted is the format that people want of the n-th report.
func (f family) wanted(n int) string {
	if f.turn > 0 && n >= f.turn {
		return f.then
	}
	return f.format
}

// request asks for the n-th report of a family, in words that vary.
func (f family) request(n int, random *rand.Rand) (text, file string) {
	file = fmt.Sprintf("%s-%d.txt", f.key, n)
	return fmt.Sprintf([]string{
		"please get the %s report and put it into %s", "get me the %s report again, put it into %s",
		"I need the report on %s, put it into %s", "put a new %s report into %s please",
	}[random.IntN(4)], f.subject, file), file
}

var formats = []string{"csv", "json", "table", "list"}

// world is what the tools work on.
type world struct {
	families []family
	flaky    float64 // of the calls of the API that fail
	random   *rand.Rand
	folder   string
	server   *httptest.Server
}

// newWorld makes a world up. With the turn-th task of the last kind its people
// change their mind; zero: nobody does.
func newWorld(t testing.TB, seed uint64, kinds, turn int) *world {
	random := rand.New(rand.NewPCG(seed, 7))
	w := &world{flaky: 0.12, random: rand.New(rand.NewPCG(seed, 8)), folder: t.TempDir()}
	for n := range kinds {
		key := word(random)
		f := family{subject: key + " " + word(random), key: key, format: "plain", reason: word(random) + " reads nothing else"}
		f.moves = []string{"/" + key}
		for range 1 + random.IntN(3) {
			f.moves = append(f.moves, "/"+word(random)+"/"+key)
		}
		if n%3 != 0 {
			f.format = formats[random.IntN(len(formats))]
		}
		w.families = append(w.families, f)
	}
	if last := &w.families[kinds-1]; turn > 0 {
		last.turn, last.then = turn, another(random, last.format)
	}
	w.server = httptest.NewServer(http.HandlerFunc(w.serve))
	t.Cleanup(w.server.Close)
	return w
}

// another is a format that is not the given one.
func another(random *rand.Rand, than string) string {
	for {
		if f := formats[random.IntN(len(formats))]; f != than {
			return f
		}
	}
}

// word is a made-up one.
func word(random *rand.Rand) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for range 3 {
		b.WriteByte(consonants[random.IntN(len(consonants))])
		b.WriteByte(vowels[random.IntN(len(vowels))])
	}
	return b.String() + string(consonants[random.IntN(len(consonants))])
}

// serve is the API: a report has moved several times, and each address tells
// the next.
func (w *world) serve(out http.ResponseWriter, r *http.Request) {
	if w.random.Float64() < w.flaky {
		http.Error(out, "unavailable, try again", http.StatusServiceUnavailable)
		return
	}
	for _, f := range w.families {
		for n, at := range f.moves {
			switch {
			case at != r.URL.Path:
			case n+1 < len(f.moves):
				http.Error(out, "moved to "+f.moves[n+1], http.StatusGone)
				return
			default:
				fmt.Fprint(out, f.report())
				return
			}
		}
	}
	http.NotFound(out, r)
}

func (f family) report() string { return "plain: " + f.key + " 1 2 3\n" }

// right reports whether a file holds what the people want of the n-th report.
func (w *world) right(f family, n int, file string) bool {
	data, err := os.ReadFile(filepath.Join(w.folder, file))
	return err == nil && strings.TrimSpace(string(data)) == f.wanted(n)+": "+f.key+" 1 2 3"
}

// tool is one of the world's, as an operator would plug it in.
type tool struct {
	name string
	args []string
	do   func(ctx context.Context, args map[string]string) (string, error)
}

func (t tool) Spec() agent.Spec {
	properties := map[string]any{}
	for _, a := range t.args {
		properties[a] = map[string]string{"type": "string"}
	}
	schema, _ := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": t.args}) // maps of strings
	return agent.Spec{Name: t.name, Description: t.name, Schema: schema, Effect: agent.Idempotent, Timeout: 10 * time.Second}
}

func (t tool) Call(ctx context.Context, in agent.Invocation) (agent.Result, error) {
	var args map[string]string
	if err := json.Unmarshal(in.Args, &args); err != nil {
		return agent.Result{}, err
	}
	text, err := t.do(ctx, args)
	return agent.Result{Text: text, Origin: chat.TrustedTool}, err
}

// tools work on the folder and the API.
func (w *world) tools() []agent.Tool {
	return []agent.Tool{
		tool{"report_get", []string{"path"}, func(ctx context.Context, a map[string]string) (string, error) {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.server.URL+a["path"], nil)
			if err != nil {
				return "", err
			}
			answer, err := w.server.Client().Do(r)
			if err != nil {
				return "", err
			}
			defer answer.Body.Close()
			body, err := io.ReadAll(answer.Body)
			if err == nil && answer.StatusCode != http.StatusOK {
				err = fmt.Errorf("%s: %s", answer.Status, strings.TrimSpace(string(body)))
			}
			return string(body), err
		}},
		tool{"report_put", []string{"name", "text"}, func(_ context.Context, a map[string]string) (string, error) {
			return "put", os.WriteFile(filepath.Join(w.folder, filepath.Base(a["name"])), []byte(a["text"]), 0o600)
		}},
		tool{"report_convert", []string{"name", "to"}, func(_ context.Context, a map[string]string) (string, error) {
			path := filepath.Join(w.folder, filepath.Base(a["name"]))
			data, err := os.ReadFile(path)
			if err != nil {
				return "", errors.New("there is no such report")
			}
			_, rest, _ := strings.Cut(string(data), ":")
			return "converted", os.WriteFile(path, []byte(a["to"]+":"+rest), 0o600)
		}},
	}
}
