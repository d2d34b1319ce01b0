package app

import (
	"context"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/tool"
	"talaria/core/tool/egress"
	"talaria/core/vector"
	"talaria/gateway/briefing"
	"talaria/gateway/config"
	"talaria/gateway/daily"
	"talaria/gateway/home"
	"talaria/gateway/inbox"
	"talaria/gateway/journey"
	"talaria/gateway/lane"
	"talaria/gateway/outbox"
	"talaria/storage/sqlite"
)

// build is straight wiring, in the order of who needs whom. What is needed the
// other way round, such as the inbox by what speaks unasked, is reached through
// the App when it runs.
func (a *App) build(ctx context.Context) error {
	cfg := a.o.Config
	if err := a.buildStore(ctx, cfg.Storage); err != nil {
		return err
	}
	if err := a.connect(cfg); err != nil {
		return err
	}
	if err := a.buildPeople(ctx, cfg); err != nil {
		return err
	}
	if err := a.buildModels(cfg); err != nil {
		return err
	}
	a.buildTools(cfg)
	a.buildDesks(cfg)
	a.buildBriefing(cfg)
	if err := a.buildLearning(cfg); err != nil {
		return err
	}
	a.buildWay(cfg)
	return nil
}

// buildStore opens the store, and takes the right to serve it.
func (a *App) buildStore(ctx context.Context, c config.Storage) (err error) {
	a.store, a.replica, a.lock, err = serveStore(ctx, c, sqlite.Options{ClockOffset: a.o.ClockAhead, Damaged: a.damage.note})
	return err
}

// buildPeople makes what knows who is who, and who may do what.
func (a *App) buildPeople(ctx context.Context, c config.Config) (err error) {
	people := peopleConfig(c)
	people.Inviters = able[chat.Inviter](a.adapters)
	a.directory, err = person.Open(ctx, a.store, people, a.log, Movers(a.store, a.log)...)
	return err
}

// buildModels makes the models, and the loop that calls them.
func (a *App) buildModels(c config.Config) (err error) {
	if a.model, err = newModel(c.Model, a.log); err != nil {
		return err
	}
	if a.background, err = newBackground(c.Model, a.model, a.log); err != nil {
		return err
	}
	if a.models, err = newJobModels(c.Model, a.background, a.log); err != nil {
		return err
	}
	if a.vectors, err = NewVectors(c.Model.Embedding, vector.Within, a.log); err != nil {
		return err
	}
	a.agent = agent.New(agent.Config{
		Model: a.model, Window: c.Agent.MaxHistoryTokens, Log: a.log,
		Budgets: agent.Budgets{Calls: c.Agent.MaxCalls, Duration: c.Agent.MaxDuration.Duration},
	})
	a.meter = briefing.NewMeter(a.store, c.Limits.DailyTokensPerPerson, a.log)
	return nil
}

// buildTools makes what turns can use: tools, scripts, skills and jobs.
func (a *App) buildTools(c config.Config) {
	a.tools = &tool.Set{Policy: policy(c.Tools), Hosts: c.Tools.Hosts, Web: egress.Guest(egress.GuestOptions{})}
	a.searcher = memory.NewSearcher(a.store, a.directory, a.link).ByMeaning(a.vectors)
	a.scripts = Scripts(c.Tools.Scripts, a.log)
	a.toolSpec = toolSpecs(a.tools, listedScripts(a.scripts))
	a.library = skill.New(a.store, a.directory, a.skillConfig(c), a.log, a.skillChecks()...)
	a.jobs = a.newScheduler(c.Scheduler)
	a.retain(c.Retention)
}

// buildDesks makes what people steer the bot by, and the table of all chat
// commands and buttons.
func (a *App) buildDesks(c config.Config) {
	a.review = a.newReviewDesk(c.Learning.Reflection.Depth)
	a.skills = a.newSkillsDesk()
	a.home = home.New(home.Config{
		Store: a.store, Directory: a.directory, Drafts: a.skills.Waiting, Jobs: a.jobs.Desk, Adapters: a.adapters, Link: a.link, Log: a.log,
	})
	a.commands = offices{
		directory: a.directory, tell: a.tell, store: a.store, searcher: a.searcher,
		consent:  consent{a.store, c.Learning.ExportConsent},
		learning: learns{a.store, c.Learning.Enabled && c.Learning.Observe},
		house:    house{a.store, a.meter, a.tools, listedScripts(a.scripts), a.model, learningBudget(a.store, c.Learning)},
		rights:   forgetting{a.rights(), a.directory, a.home},
		jobs:     a.jobs.Desk, skills: a.skills, review: a.review, journey: journey.New(journey.Config{
			Store: a.store, Library: a.library, Deleted: offices{store: a.store}.forgot, Graph: c.Learning.Journey.Graph(), Goal: c.Learning.Journey.Reach(),
		}),
		daily: daily.NewDesk(a.daily()),
	}.table()
}

// buildBriefing makes what a turn begins with.
func (a *App) buildBriefing(c config.Config) {
	a.briefing = briefing.New(briefing.Config{
		Store: a.store, Tools: a.tools, Searcher: a.searcher, Library: a.library, Embedder: a.vectors, Author: a.skills.Author, Scripts: a.scripts,
		Desk: a.jobs.Desk, Models: a.models, Meter: a.meter, Link: a.link, LearningOff: !c.Learning.Enabled || !c.Learning.Observe, Log: a.log,
		SkillRoom: c.Skills.Prompt.Room(), MemoryRoom: c.Memory.Room(),
	})
}

// buildLearning makes what looks back at turns: at once, and at night.
func (a *App) buildLearning(c config.Config) (err error) {
	a.reviewer = a.newReviewer(c.Learning)
	if a.curating, err = a.newCurating(c); err != nil {
		return err
	}
	if err := a.pictures(c); err != nil {
		return err
	}
	a.recorder = a.newRecorder(c)
	return nil
}

// buildWay makes the way of an event: through the gate into the inbox, in a lane
// of its shard to an answer, and out.
func (a *App) buildWay(c config.Config) {
	a.gate = &gate{a.store, a.directory, a.library, a.commands, c.Inbox.MaxAge.Duration, able[chat.Inviter](a.adapters)}
	for _, ad := range a.adapters {
		a.equip(ad)
	}
	a.outbox = outbox.New(outbox.Config{Adapters: a.adapters, NoLoss: c.Delivery.Resend(), Sent: lane.Opened, Log: a.log})
	a.lanes = lane.New(lane.Config{
		Store: a.store, Outbox: a.outbox, Agent: a.agent, Commands: a.commands, Upkeep: a.upkeep, Recorder: a.observer(),
		Gather: daily.NewGatherer(a.daily()).Gather, Erasers: shardErasers(a.store, a.copies()),
		Briefing: a.briefing, Adapters: a.adapters, Arrived: a.reviewer.Arrived, EveryCalls: a.o.Config.Learning.Reflection.EveryCalls, Log: a.log,
	})
	a.shards = inbox.NewShards(a.store, a.replica, a.log)
	a.inbox = inbox.New(a.store, lateGate{a.gate, a.directory}, a.shards, a.log)
}
