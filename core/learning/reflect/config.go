package reflect

import (
	"context"
	"log/slog"
	"time"

	"talaria/core/agent"
	"talaria/core/learning/propose"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/tool"
	"talaria/storage"
)

// People says who somebody is now, with the rights of now; the members of a
// space have some without a role of their own.
type People interface {
	Renew(ctx context.Context, p person.Principal) (person.Principal, error)
}

// Proposer takes in what a review wants to be learned.
type Proposer interface {
	Rule(ctx context.Context, c propose.Case, r propose.Rule) (propose.Result, error)
	Skill(ctx context.Context, c propose.Case, d propose.Draft) (propose.Result, error)
}

// Library is what a review reads of skills.
type Library interface {
	Find(ctx context.Context, p person.Principal, name string) (skill.Skill, error)
	Bundle(ctx context.Context, p person.Principal, r skill.Ref) (files, error)
}

// Config is what a Reviewer is made of. The counts are of one review.
type Config struct {
	Enabled        bool
	Trigger        Trigger
	Depth          Depth         // of a task that something can be learned from
	MaxTokens      int           // of one answer of the model
	MaxIterations  int           // calls of the model
	MaxInputTokens int           // of all calls together
	MaxDuration    time.Duration // five minutes
	DailyTokens    int           // of all reviews of a person's or a space's tasks in a day; zero: no limit
	LookBack       int           // reports that a deep review sees beside the task; 10
	WholeSteps     int           // the latest of a task, which are shown whole; WholeSteps
	SkillSteps     int           // the most that a new skill is to have; outline.MaxSteps
	Yield          time.Duration // within which a review gives way to a message
	Reports        bool          // reports are kept
	Keep           time.Duration
	Path           string // folder for copies of the reports that are kept, as Markdown; empty: none

	Store    *storage.Store
	Model    agent.Model
	People   People
	Library  Library
	Memory   func(person.Principal) *memory.Handle
	Skills   func(person.Principal) tool.Skills
	Proposer Proposer
	// Learned tells the person in one line what was learned, but for drafts
	// that have a card of their own; nil: nobody is told.
	Learned func(ctx context.Context, who person.Principal, r Report) error
	// Spent books what a review used to whoever's task it was.
	Spent func(who person.Principal, u agent.Usage)
	Log   *slog.Logger
}
