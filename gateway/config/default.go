package config

import (
	"time"

	"talaria/core/learning/persona"
	"talaria/core/learning/reflect"
)

// Default returns the configuration of a fresh machine: terminal chat,
// embedded store, rehearsal model, health page on loopback.
func Default() Config {
	return Config{
		Adapters: Adapters{
			Telegram: Telegram{APIURL: "https://api.telegram.org", Mode: "poll", Delivery: "edit"},
			Slack:    Slack{APIURL: "https://slack.com/api/", Mode: "socket"},
			Discord:  Discord{APIURL: "https://discord.com/"},
		},
		Agent: Agent{MaxCalls: 25, MaxDuration: Duration{10 * time.Minute}, MaxHistoryTokens: 60_000},
		Model: Model{Endpoint: Endpoint{Provider: "rehearsal"}},
		Tools: Tools{Scripts: Scripts{
			Sandbox: "auto", MaxDuration: Duration{30 * time.Second}, MaxCPU: Duration{20 * time.Second}, MaxMemoryMB: 512, MaxDiskMB: 64,
			MaxProcesses: 32, MaxOpenFiles: 128, MaxOutputKB: 32,
		}},
		Learning: Learning{
			Enabled: true, Observe: true, Idle: Duration{30 * time.Minute}, Gate: defaultGate(), Value: defaultValue(), Corrections: defaultCorrections(),
			Policy: Policy{Person: "new-and-wider", Space: "all", Team: "all"},
			Reflection: Reflection{
				Enabled: true, Trigger: "after_every_task", Depth: "standard",
				MaxTokens: 4000, MaxIterations: 16, MaxInputTokens: 600_000, MaxDuration: Duration{5 * time.Minute},
				DailyTokens: 300_000, Notices: true, YieldWithin: Duration{2 * time.Second}, Quiet: Duration{time.Minute},
				EveryTurns: 10, EveryCalls: 15, Alike: 2, LookBack: 10, WholeSteps: reflect.WholeSteps,
			},
			ReflectionLog: ReflectionLog{Enabled: true, RetentionDays: 30},
			Proposals:     defaultProposals(),
			Drafts:        defaultDrafts(),
			Curator:       defaultCurator(),
			Person:        PersonModel{Enabled: true, Lines: persona.DefaultLines, Days: days(persona.DefaultWindow)},
			Journey:       defaultJourney(),
		},
		Skills:    Skills{Prompt: defaultSkillsPrompt()},
		Memory:    defaultMemory(),
		Limits:    Limits{DailyTokensPerPerson: 2_000_000},
		Scheduler: Scheduler{MaxJobsPerPerson: 50, MinInterval: Duration{5 * time.Minute}},
		Inbox:     Inbox{MaxAge: Duration{12 * time.Hour}},
		Delivery:  Delivery{Unknown: "no-duplicate"},
		Retention: Retention{MessagesDays: 400, TracesDays: 30, KindsDays: 180},
		Storage:   Storage{URL: NewSecret("sqlite:data/talaria.db"), Dir: "data"},
		Web:       Web{Listen: "127.0.0.1:8799"},
		Log:       Log{Level: "info", Format: "text"},
	}
}
