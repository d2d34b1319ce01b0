package config

import (
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"reflect"
	"strings"
)

// Config is everything that can be configured. The zero value is not usable;
// see Default and Load.
type Config struct {
	Adapters  Adapters         `toml:"adapters"`
	People    People           `toml:"people"`
	Teams     map[string]*Team `toml:"teams"`
	Agent     Agent            `toml:"agent"`
	Model     Model            `toml:"model"`
	Tools     Tools            `toml:"tools"`
	Learning  Learning         `toml:"learning"`
	Skills    Skills           `toml:"skills"`
	Memory    Memory           `toml:"memory"`
	Limits    Limits           `toml:"limits"`
	Scheduler Scheduler        `toml:"scheduler"`
	Inbox     Inbox            `toml:"inbox"`
	Delivery  Delivery         `toml:"delivery"`
	Retention Retention        `toml:"retention"`
	Storage   Storage          `toml:"storage"`
	Web       Web              `toml:"web"`
	Log       Log              `toml:"log"`
}

// Adapters holds one table for each platform. A platform without its token is
// off.
type Adapters struct {
	Telegram Telegram `toml:"telegram"`
	Slack    Slack    `toml:"slack"`
	Discord  Discord  `toml:"discord"`
}

// Any reports whether some platform has a token, or one of the several that it
// needs.
func (a Adapters) Any() bool {
	return a.Telegram.Token.IsSet() || a.Slack.BotToken.IsSet() || a.Slack.AppToken.IsSet() || a.Discord.Token.IsSet()
}

// Telegram is a bot account on Telegram.
type Telegram struct {
	Token         Secret  `toml:"token"`
	APIURL        string  `toml:"api_url"`
	Mode          string  `toml:"mode"`           // "poll" or "webhook"
	WebhookURL    string  `toml:"webhook_url"`    // public address of /hooks/telegram; with mode "webhook"
	WebhookSecret Secret  `toml:"webhook_secret"` // 1 to 256 of A-Z a-z 0-9 _ -; with mode "webhook"
	Delivery      string  `toml:"delivery"`       // "edit" or "plain"
	People        Persons `toml:"people"`
	Spaces        Places  `toml:"spaces"`
}

// Slack is an app in a Slack workspace.
type Slack struct {
	BotToken      Secret  `toml:"bot_token"`
	AppToken      Secret  `toml:"app_token"`      // with mode "socket"
	SigningSecret Secret  `toml:"signing_secret"` // with mode "http"
	Mode          string  `toml:"mode"`           // "socket" or "http"
	APIURL        string  `toml:"api_url"`
	People        Persons `toml:"people"`
	Spaces        Places  `toml:"spaces"`
}

// Discord is a bot account on Discord.
type Discord struct {
	Token  Secret  `toml:"token"`
	APIURL string  `toml:"api_url"`
	People Persons `toml:"people"`
	Spaces Places  `toml:"spaces"`
}

// People gives roles to identities.
type People struct {
	Admins    Persons `toml:"admins"`
	Approvers Persons `toml:"approvers"`
}

// Team is a tenant. Without an entry each workspace or server is one.
type Team struct {
	Workspaces Workspaces `toml:"workspaces"`
	People     Persons    `toml:"people"`
}

// Agent holds the budgets of one turn.
type Agent struct {
	MaxCalls         int      `toml:"max_calls"`
	MaxDuration      Duration `toml:"max_duration"`
	MaxHistoryTokens int      `toml:"max_history_tokens"` // compaction begins above it
}

// Model is the language model, with a cheaper one for background work and one
// to fall back to.
type Model struct {
	Endpoint
	Background Endpoint `toml:"background"`
	Fallback   Endpoint `toml:"fallback"`
	Embedding  Endpoint `toml:"embedding"`
	// Jobs are further models that jobs may name.
	Jobs map[string]*JobModel `toml:"jobs"`
}

// Endpoint is a model at a provider.
type Endpoint struct {
	Provider string `toml:"provider"` // "openai", "anthropic" or "rehearsal"
	BaseURL  string `toml:"base_url"` // empty: the provider's own
	APIKey   Secret `toml:"api_key"`
	Name     string `toml:"name"`
}

// Named reports whether the endpoint is configured at all.
func (e Endpoint) Named() bool { return e.Provider != "" }

// Learning says what the bot may learn, and how.
type Learning struct {
	Enabled       bool          `toml:"enabled"`
	Observe       bool          `toml:"observe"`        // traces of finished tasks, and what they tell
	ExportConsent bool          `toml:"export_consent"` // of people who have not said whether their traces may be exported
	Idle          Duration      `toml:"idle"`           // silence that ends a task
	Gate          Gate          `toml:"gate"`
	Value         Value         `toml:"value"`
	Corrections   Corrections   `toml:"corrections"`
	Policy        Policy        `toml:"policy"`
	Reflection    Reflection    `toml:"reflection"`
	ReflectionLog ReflectionLog `toml:"reflection_log"`
	Proposals     Proposals     `toml:"proposals"`
	Drafts        Drafts        `toml:"drafts"`
	Curator       Curator       `toml:"curator"`
	Person        PersonModel   `toml:"person"`
	Journey       Journey       `toml:"journey"`
}

// PersonModel is the picture that the bot has of each person.
type PersonModel struct {
	Enabled bool `toml:"enabled"` // nightly, at the time of the curator
	Lines   int  `toml:"lines"`   // that are concluded of one person at most
	Days    int  `toml:"days"`    // back that are read at most
}

// Policy says by scope what a person has to approve: "all", "new-and-wider"
// or "none".
type Policy struct {
	Person string `toml:"person"`
	Space  string `toml:"space"`
	Team   string `toml:"team"`
}

// Skills is about the library of skills.
type Skills struct {
	External []string     `toml:"external"` // folders that others keep: read only, seen by every team
	Prompt   SkillsPrompt `toml:"prompt"`
}

// Reflection is the background review.
type Reflection struct {
	Enabled        bool     `toml:"enabled"`
	Trigger        string   `toml:"trigger"` // "after_every_task", "after_correction_only" or "manual"
	Depth          string   `toml:"depth"`   // "quick", "standard" or "deep"
	MaxTokens      int      `toml:"max_tokens"`
	MaxIterations  int      `toml:"max_iterations"`
	MaxInputTokens int      `toml:"max_input_tokens"`
	MaxDuration    Duration `toml:"max_duration"`
	DailyTokens    int      `toml:"daily_tokens"` // of a person's or a place's reviews in a day; zero: no limit
	Notices        bool     `toml:"notices"`
	YieldWithin    Duration `toml:"yield_within"`
	Quiet          Duration `toml:"quiet"`
	EveryTurns     int      `toml:"every_turns"` // of a person: their task is reviewed, whatever it was
	EveryCalls     int      `toml:"every_calls"` // of one turn: it is looked at while it is under way
	Alike          int      `toml:"alike"`       // tasks like it before, from which on one is reviewed, whatever it was
	LookBack       int      `toml:"look_back"`   // reports that a deep review sees
	WholeSteps     int      `toml:"whole_steps"` // the latest of a task, that a review sees whole
}

// ReflectionLog keeps the reports of reviews.
type ReflectionLog struct {
	Enabled       bool   `toml:"enabled"`
	RetentionDays int    `toml:"retention_days"`
	Path          string `toml:"path"` // folder for Markdown copies; empty: none
}

// Tools says what the model may have done. A rule is a tool's name, or "*" for
// every tool that changes something; with "person:" or "space:" before it, it
// holds in direct conversations or in shared places alone.
type Tools struct {
	Ask   []string `toml:"ask"`   // only after the person's yes to each call
	Deny  []string `toml:"deny"`  // not at all
	Hosts []string `toml:"hosts"` // may be read from without a yes, whatever was read before

	Scripts Scripts `toml:"scripts"`
}

// Scripts says whether scripts of skills are run, in which sandbox, and how much
// one run may take.
type Scripts struct {
	Enabled      bool     `toml:"enabled"`
	Sandbox      string   `toml:"sandbox"` // "auto", "bwrap" or "landlock"
	MaxDuration  Duration `toml:"max_duration"`
	MaxCPU       Duration `toml:"max_cpu"`       // of all its processes together
	MaxMemoryMB  int      `toml:"max_memory_mb"` // likewise
	MaxDiskMB    int      `toml:"max_disk_mb"`
	MaxProcesses int      `toml:"max_processes"`  // threads count too
	MaxOpenFiles int      `toml:"max_open_files"` // of each process
	MaxOutputKB  int      `toml:"max_output_kb"`  // of each stream, in KiB
}

// Limits keep one person from using up everything.
type Limits struct {
	DailyTokensPerPerson int `toml:"daily_tokens_per_person"` // zero: no limit
}

// Inbox says what is still served.
type Inbox struct {
	MaxAge Duration `toml:"max_age"` // older messages are answered with a note; zero: none is too old
}

// Delivery says what to do where a platform did not tell whether it took a
// message and can't be asked.
type Delivery struct {
	Unknown string `toml:"unknown"` // "no-duplicate" or "no-loss"
}

// Resend reports whether a message of unknown outcome is sent again.
func (d Delivery) Resend() bool { return d.Unknown == "no-loss" }

// Retention says for how many days things are kept.
type Retention struct {
	MessagesDays int `toml:"messages_days"`
	TracesDays   int `toml:"traces_days"`
	KindsDays    int `toml:"kinds_days"` // since a task of the kind came last
}

// Storage says where everything durable lies.
type Storage struct {
	URL Secret `toml:"url"` // a Secret, since it may hold a password
	Dir string `toml:"dir"` // files of this one process, where the store is no file itself
	// Replica is this process's name among those that share the store; empty:
	// one of its own at every start. With a stable one, a restarted replica
	// takes its work up at once. Two live replicas must never share a name.
	Replica   string `toml:"replica"`
	AllowOpen bool   `toml:"allow_open"` // a Redis elsewhere may be without a password
}

const sqliteScheme = "sqlite:"

// SQLite returns the path of the embedded store's file, and false where
// another store is configured.
func (s Storage) SQLite() (string, bool) {
	return strings.CutPrefix(s.URL.Reveal(), sqliteScheme)
}

// At is another store with the same settings; an error does not tell its address.
func (s Storage) At(address string) (Storage, error) {
	s.URL = NewSecret(address)
	if what, fix := s.wrong(); what != "" {
		return s, fmt.Errorf("the address %s; %s", what, fix)
	}
	return s, nil
}

// Shown is the address for people, without its password.
func (s Storage) Shown() string {
	if _, ok := s.SQLite(); ok {
		return s.URL.Reveal()
	}
	u, err := url.Parse(s.URL.Reveal())
	if err != nil {
		return redacted
	}
	return u.Redacted()
}

// inMemory is the path of an embedded store without a file.
const inMemory = ":memory:"

// Local is the directory for files of this process: that of the embedded
// store's file, or else Dir.
func (s Storage) Local() string {
	if path, ok := s.SQLite(); ok && path != inMemory {
		return filepath.Dir(path)
	}
	return s.Dir
}

// Socket is the path of the socket that a running process is controlled by.
func (s Storage) Socket() string {
	if path, ok := s.SQLite(); ok && path != inMemory {
		return path + ".sock"
	}
	return filepath.Join(s.Dir, "talaria.sock")
}

// Web is the listener for health, metrics and the platforms' webhooks.
type Web struct {
	Listen      string   `toml:"listen"`       // empty: none
	AllowRemote bool     `toml:"allow_remote"` // Listen may be another address than loopback
	Hosts       []string `toml:"hosts"`        // names that requests may be addressed to, beside localhost
}

// Log says what is logged.
type Log struct {
	Level  string `toml:"level"`  // "debug", "info", "warn" or "error"
	Format string `toml:"format"` // "text" or "json"
}

// SlogLevel is Level as slog has it.
func (l Log) SlogLevel() slog.Level {
	var level slog.Level
	if level.UnmarshalText([]byte(l.Level)) != nil {
		return slog.LevelInfo
	}
	return level
}

// Secrets are the texts that must not be written out: all secrets that are
// set, and the passwords within addresses.
func (c Config) Secrets() []string {
	var out []string
	for _, f := range leaves(reflect.ValueOf(&c).Elem()) {
		s, ok := f.value.Interface().(Secret)
		if !ok || !s.IsSet() {
			continue
		}
		if f.key() != storageKey {
			out = append(out, s.Reveal())
			continue
		}
		if u, err := url.Parse(s.Reveal()); err == nil && u.User != nil {
			password, _ := u.User.Password()
			out = append(out, password)
		}
	}
	return out
}

// storageKey is a secret for the sake of the password that may be in it.
const storageKey = "storage.url"
