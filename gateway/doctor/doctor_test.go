package doctor_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/gateway/config"
	"talaria/gateway/doctor"
	"talaria/storage"
	"talaria/storage/sqlite"
)

// well is a subject without a fault.
func well(t *testing.T) doctor.Subject {
	t.Helper()
	cfg := config.Default()
	path := filepath.Join(t.TempDir(), "data", "t.db")
	cfg.Storage.URL = config.NewSecret("sqlite:" + path)
	cfg.Adapters.Telegram.Token = config.NewSecret("1:a")
	return doctor.Subject{
		Config: cfg,
		Where:  func(key string) string { return "config.toml, where " + key + " is" },
		Open: func(ctx context.Context) (*storage.Store, error) {
			d, err := sqlite.Open(ctx, path, sqlite.Options{})
			if err != nil {
				return nil, err
			}
			return storage.New(d), nil
		},
		Models:     []doctor.Model{{Key: "model", Model: model{}}},
		Adapters:   []chat.Adapter{platform{}},
		FirstAdmin: func(context.Context, *storage.Store) (string, error) { return "", nil },
		Now:        time.Now,
	}
}

// model answers one word, or fails.
type model struct{ err error }

func (model) Name() string { return "small" }

func (m model) Stream(context.Context, agent.Request) iter.Seq2[agent.Delta, error] {
	return func(yield func(agent.Delta, error) bool) {
		if m.err != nil {
			yield(agent.Delta{}, m.err)
			return
		}
		yield(agent.Delta{Text: "pong", Stop: agent.StopEnd}, nil)
	}
}

// platform is an adapter that is only looked at.
type platform struct {
	chat.Adapter
	findings []chat.Finding
}

func (platform) Platform() string { return "telegram" }

func (p platform) Check(context.Context) []chat.Finding { return p.findings }

// look returns the verdict and the lines that are not well.
func look(t *testing.T, s doctor.Subject) (bool, []doctor.Result) {
	t.Helper()
	var faults []doctor.Result
	told := 0
	verdict := doctor.Run(t.Context(), s, func(r doctor.Result) {
		told++
		if !r.OK {
			faults = append(faults, r)
		}
	})
	if told < 5 {
		t.Errorf("only %d results", told)
	}
	return verdict, faults
}

func TestAllIsWell(t *testing.T) {
	if verdict, faults := look(t, well(t)); !verdict || len(faults) > 0 {
		t.Errorf("faults %v", faults)
	}
}

func TestEachFaultIsToldWithARemedy(t *testing.T) {
	cases := map[string]struct {
		part, text string
		fault      func(*doctor.Subject)
	}{
		"configuration": {"config", "config.toml:3: web.listen", func(s *doctor.Subject) {
			s.Problems = []config.Problem{{Where: "config.toml:3", Key: "web.listen", What: "is wrong", Remedy: "correct it"}}
		}},
		"folder": {"folder", "not a directory", func(s *doctor.Subject) {
			s.Config.Storage.URL = config.NewSecret("sqlite:/dev/null/t.db")
		}},
		"store unreachable": {"store", "refused", func(s *doctor.Subject) {
			s.Open = func(context.Context) (*storage.Store, error) {
				return nil, errors.New("connection refused; correct [storage] url")
			}
		}},
		"store half restored": {"store", "did not finish", func(s *doctor.Subject) { halfRestore(t, *s) }},
		"clock": {"store", "off the store's", func(s *doctor.Subject) {
			s.Now = func() time.Time { return time.Now().Add(time.Minute) }
		}},
		"admins": {"store", "admins", func(s *doctor.Subject) {
			s.FirstAdmin = func(context.Context, *storage.Store) (string, error) { return "", storage.ErrUnavailable }
		}},
		"model key": {"model", "not authorised", func(s *doctor.Subject) {
			s.Models[0].Model = model{&agent.ModelError{Kind: agent.ModelAuth, Model: "small", Err: errors.New("401")}}
		}},
		"model unreachable": {"model", "unavailable", func(s *doctor.Subject) {
			s.Models[0].Model = model{&agent.ModelError{Kind: agent.ModelTransient, Model: "small", Err: errors.New("no route")}}
		}},
		"sandbox": {"scripts", "no sandbox holds", func(s *doctor.Subject) {
			s.Config.Tools.Scripts.Enabled = true
			s.Sandbox = func(context.Context) (string, error) { return "", errors.New("no sandbox holds") }
		}},
		"folder of skills": {"skills", "no such file", func(s *doctor.Subject) { s.Config.Skills.External = []string{"/nowhere/skills"} }},
		"nobody at the terminal": {"store", "no rights", func(s *doctor.Subject) {
			s.Config.Storage.Dir = s.Config.Storage.Local()
			s.Config.Storage.URL = config.NewSecret("redis://127.0.0.1:6379/0")
			s.Config.Adapters = config.Default().Adapters
		}},
		"account": {"telegram", "token is not valid", func(s *doctor.Subject) {
			s.Adapters = []chat.Adapter{platform{findings: []chat.Finding{{What: "the token is not valid", Remedy: "get one"}}}}
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := well(t)
			c.fault(&s)
			verdict, faults := look(t, s)
			if verdict || len(faults) == 0 {
				t.Fatalf("verdict %v, faults %v", verdict, faults)
			}
			f := faults[0]
			if f.Part != c.part || !strings.Contains(f.What, c.text) || f.Remedy == "" {
				t.Errorf("told %+v", f)
			}
		})
	}
}

// halfRestore leaves a store as a restore that was killed does.
func halfRestore(t *testing.T, s doctor.Subject) {
	t.Helper()
	look(t, s) // makes the folder
	st, err := s.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	var b bytes.Buffer
	if _, err := storage.Backup(t.Context(), st, &b); err != nil {
		t.Fatal(err)
	}
	killed := errors.New("killed")
	if _, err := storage.Restore(t.Context(), st, bytes.NewReader(b.Bytes()), func(storage.Report) error { return killed }); !errors.Is(err, killed) {
		t.Fatal(err)
	}
}

func TestWhereAValueWasWrittenIsTold(t *testing.T) {
	s := well(t)
	s.Open = func(context.Context) (*storage.Store, error) {
		return nil, errors.New("connection refused; start it, or correct [storage] url")
	}
	s.Models[0].Model = model{&agent.ModelError{Kind: agent.ModelAuth, Model: "small", Err: errors.New("401")}}
	_, faults := look(t, s)
	var got []string
	for _, f := range faults {
		got = append(got, f.Remedy)
	}
	want := []string{
		"start it, or correct [storage] url (config.toml, where storage.url is)",
		"correct model.api_key (config.toml, where model.api_key is)",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestStoreThatIsNamedWronglyIsToldOnce(t *testing.T) {
	s := well(t)
	s.Problems = []config.Problem{{Where: "config.toml:3", Key: "storage.url", What: "names no store", Remedy: "write one"}}
	if _, faults := look(t, s); len(faults) != 1 || faults[0].Part != "config" {
		t.Errorf("faults %v", faults)
	}
}

func TestFirstAdminsCodeIsShown(t *testing.T) {
	s := well(t)
	s.FirstAdmin = func(context.Context, *storage.Store) (string, error) { return "ABCD2345", nil }
	shown := false
	doctor.Run(t.Context(), s, func(r doctor.Result) { shown = shown || strings.Contains(r.What, "/pair ABCD2345") })
	if !shown {
		t.Error("the code is not shown")
	}
}

func TestSandboxThatHoldsIsTold(t *testing.T) {
	s := well(t)
	s.Config.Tools.Scripts.Enabled = true
	s.Sandbox = func(context.Context) (string, error) { return "landlock", nil }
	told := false
	if !doctor.Run(t.Context(), s, func(r doctor.Result) { told = told || strings.Contains(r.What, "holds: landlock") }) || !told {
		t.Error("the layer is not told")
	}
}

func TestWhoServesTheStoreIsTold(t *testing.T) {
	s := well(t)
	if _, faults := look(t, s); len(faults) > 0 { // makes the folder
		t.Fatal(faults)
	}
	st, err := s.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if _, err := st.Acquire(t.Context(), storage.Shard(7), "replica-a", time.Minute); err != nil {
		t.Fatal(err)
	}
	told := false
	doctor.Run(t.Context(), s, func(r doctor.Result) { told = told || strings.Contains(r.What, "replica-a (1 of 256 shards)") })
	if !told {
		t.Error("the holder of a shard is not told")
	}
}

func TestInterruptedRunIsNotWell(t *testing.T) {
	s := well(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.Open = func(ctx context.Context) (*storage.Store, error) { <-ctx.Done(); return nil, ctx.Err() }
	if doctor.Run(ctx, s, func(doctor.Result) {}) {
		t.Error("all is said to be well")
	}
}
