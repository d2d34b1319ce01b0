package config_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"talaria/core/chat"
	"talaria/gateway/config"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Each file in testdata holds one kind of mistake and is named after it.
func TestMistakes(t *testing.T) {
	files, err := filepath.Glob("testdata/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".toml")
		t.Run(name, func(t *testing.T) {
			doc, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = config.Parse(name+".toml", doc)
			if err == nil {
				t.Fatal("no mistake was found")
			}
			golden(t, strings.TrimSuffix(file, ".toml")+".golden", err.Error()+"\n")
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", file, d)
	}
}

func TestFileOverDefaultsAndEnvironmentOverBoth(t *testing.T) {
	file := write(t, 0o600, `
[adapters.telegram]
api_url = "http://127.0.0.1:1"
mode = "poll"
people = ["*"]
[agent]
max_duration = "90s"
[teams.blue]
workspaces = ["slack:T1"]
`)
	cfg, warnings, err := config.Load(file, []string{
		"TALARIA_ADAPTERS_TELEGRAM_TOKEN=7:abc",
		"TALARIA_ADAPTERS_TELEGRAM_API_URL=http://127.0.0.1:2",
		"TALARIA_ADAPTERS_TELEGRAM_PEOPLE=telegram:3, telegram:4",
		"TALARIA_TEAMS_RED_PEOPLE=console,slack:T1:U1",
		"TALARIA_AGENT_MAX_CALLS=7",
		"TALARIA_WEB_ALLOW_REMOTE=true",
		"TALARIA_LOG_LEVEL=",
		"HOME=/root",
	})
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	telegram := cfg.Adapters.Telegram
	people := []chat.Identity{{Platform: "telegram", ID: "3"}, {Platform: "telegram", ID: "4"}}
	for what, d := range map[string]string{
		"token":       cmp.Diff("7:abc", telegram.Token.Reveal()),
		"api_url":     cmp.Diff("http://127.0.0.1:2", telegram.APIURL),
		"people":      cmp.Diff(people, telegram.People.Identities()),
		"everyone":    cmp.Diff(false, telegram.People.Everyone()),
		"delivery":    cmp.Diff("edit", telegram.Delivery),
		"calls":       cmp.Diff(7, cfg.Agent.MaxCalls),
		"duration":    cmp.Diff(90*time.Second, cfg.Agent.MaxDuration.Duration),
		"remote":      cmp.Diff(true, cfg.Web.AllowRemote),
		"level":       cmp.Diff("info", cfg.Log.Level),
		"team blue":   cmp.Diff(config.Workspaces{{Platform: "slack", ID: "T1"}}, cfg.Teams["blue"].Workspaces),
		"team red":    cmp.Diff([]chat.Identity{{Platform: "console"}, {Platform: "slack", Workspace: "T1", ID: "U1"}}, cfg.Teams["red"].People.Identities()),
		"environment": cmp.Diff(true, cfg.Adapters.Any()),
	} {
		if d != "" {
			t.Errorf("%s (-want +got):\n%s", what, d)
		}
	}
}

func TestSecretFromFile(t *testing.T) {
	file := write(t, 0o600, "7:abc\n")
	cfg, _, err := config.Load("", []string{"TALARIA_ADAPTERS_TELEGRAM_TOKEN_FILE=" + file})
	if err != nil {
		t.Fatal(err)
	}
	if got := cfg.Adapters.Telegram.Token.Reveal(); got != "7:abc" {
		t.Errorf("token = %q", got)
	}
}

func TestEnvironmentMistakes(t *testing.T) {
	empty := write(t, 0o600, "\n")
	cases := map[string]struct {
		env  []string
		want string
	}{
		"not a number": {[]string{"TALARIA_AGENT_MAX_CALLS=x"},
			`TALARIA_AGENT_MAX_CALLS: agent.max_calls: "x" is not a whole number`},
		"bad identity": {[]string{"TALARIA_PEOPLE_ADMINS=telegram:3,anna"},
			`TALARIA_PEOPLE_ADMINS: people.admins: entry 2: "anna" is no identity; write "telegram:3", "discord:2", "slack:T1:U1" or "console", with ids and not names`},
		"value and file": {[]string{"TALARIA_MODEL_API_KEY=k", "TALARIA_MODEL_API_KEY_FILE=f"},
			`TALARIA_MODEL_API_KEY: model.api_key: is set beside TALARIA_MODEL_API_KEY_FILE; keep one of the two`},
		"no such file": {[]string{"TALARIA_MODEL_API_KEY_FILE=/nowhere/key"},
			`TALARIA_MODEL_API_KEY_FILE: model.api_key: can't read /nowhere/key: no such file or directory; name a file that the user who runs Talaria can read`},
		"empty file": {[]string{"TALARIA_MODEL_API_KEY_FILE=" + empty},
			`TALARIA_MODEL_API_KEY_FILE: model.api_key: ` + empty + ` is empty; write the secret into it`},
		"senseless value": {[]string{"TALARIA_WEB_LISTEN=0.0.0.0:80"},
			`TALARIA_WEB_LISTEN: web.listen: "0.0.0.0:80" can be reached from other machines, and the page asks nobody who they are; bind to 127.0.0.1, or set web.allow_remote = true behind a firewall or proxy`},
		"what is missing beside variables": {[]string{"TALARIA_ADAPTERS_SLACK_BOT_TOKEN=xoxb-1"},
			`TALARIA_ADAPTERS_SLACK_APP_TOKEN: adapters.slack.app_token: mode "socket" needs the app-level token (xapp-...); create one with connections:write under Basic Information of your app`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, _, err := config.Load("", c.env)
			if err == nil {
				t.Fatal("no mistake was found")
			}
			if d := cmp.Diff(c.want, err.Error()); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	file := write(t, 0o644, "[adapters.discord]\ntoken = \"abc\"\n")
	_, warnings, err := config.Load(file, []string{"TALARIA_PORT=tcp://10.0.0.1:80", "TALARIA_CONFIG=" + file})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range warnings {
		got = append(got, w.String())
	}
	want := []string{
		file + ":2: adapters.discord.token: others can read this secret; run: chmod 600 " + file,
		"TALARIA_PORT: names no key and is ignored; see config.toml for the keys",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestNamedFileMustExist(t *testing.T) {
	_, _, err := config.Load(filepath.Join(t.TempDir(), "none.toml"), nil)
	if err == nil || !strings.Contains(err.Error(), "there is no such file") {
		t.Errorf("error = %v", err)
	}
}

func TestFolderIsToldFromAFile(t *testing.T) {
	dir := t.TempDir()
	_, _, err := config.Load(dir, nil)
	if want := dir + ": is a folder; name the file in it, like " + filepath.Join(dir, "config.toml"); err == nil || err.Error() != want {
		t.Errorf("error = %v", err)
	}
}

func TestWhereAValueComesFrom(t *testing.T) {
	file := write(t, 0o600, "[adapters.discord]\napi_url = \"http://127.0.0.1:1\"\n[storage]\n")
	environ := []string{"TALARIA_ADAPTERS_TELEGRAM_TOKEN_FILE=" + write(t, 0o600, "7:abc"), "TALARIA_STORAGE_DIR=x"}
	for key, want := range map[string]string{
		"adapters.discord.api_url":    file + ":2",
		"adapters.discord.token":      file + ":1",
		"adapters.telegram.token":     "TALARIA_ADAPTERS_TELEGRAM_TOKEN_FILE",
		"adapters.telegram.api_url":   "TALARIA_ADAPTERS_TELEGRAM_API_URL",
		"storage.url":                 "TALARIA_STORAGE_URL",
		"learning.reflection.trigger": file,
	} {
		if got := config.Where(file, environ, key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}

func TestByteOrderMarkAndCarriageReturnsAreRead(t *testing.T) {
	cfg, _, err := config.Parse("x.toml", []byte("\ufeff[log]\r\nlevel = \"warn\"\r\n"))
	if err != nil || cfg.Log.Level != "warn" {
		t.Errorf("level %q, error %v", cfg.Log.Level, err)
	}
}

func TestLocalFilesLieBesideTheEmbeddedStore(t *testing.T) {
	for url, want := range map[string]string{
		"sqlite:/var/lib/talaria/t.db": "/var/lib/talaria",
		"sqlite:t.db":                  ".",
		"sqlite::memory:":              "local",
		"redis://127.0.0.1:6379/0":     "local",
	} {
		s := config.Storage{URL: config.NewSecret(url), Dir: "local"}
		if got := s.Local(); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}

func write(t *testing.T, mode os.FileMode, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return file
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.toml")
	for _, file := range append(files, "../../config.toml") {
		doc, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(doc))
	}
	f.Fuzz(func(t *testing.T, doc string) {
		cfg, _, err := config.Parse("x.toml", []byte(doc))
		if err != nil {
			return
		}
		if cfg.Agent.MaxCalls < 1 || !cfg.Storage.URL.IsSet() || cfg.People.Admins.Everyone() {
			t.Errorf("accepted a configuration that makes no sense: %q", doc)
		}
	})
}
