package config

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// check looks at values that can be read but make no sense, alone or together.
func (l *loader) check() {
	l.checkTelegram()
	l.checkSlack()
	l.checkDiscord()
	l.checkPeople()
	l.checkAgent()
	l.checkModels()
	l.checkScripts()
	l.checkLearning()
	l.checkScheduler()
	l.checkStorage()
	l.checkWeb()
	l.oneOf("delivery.unknown", l.cfg.Delivery.Unknown, "no-duplicate", "no-loss")
	l.oneOf("log.level", l.cfg.Log.Level, "debug", "info", "warn", "error")
	l.oneOf("log.format", l.cfg.Log.Format, "text", "json")
	l.atLeast(0, "limits.daily_tokens_per_person", l.cfg.Limits.DailyTokensPerPerson)
	l.checkTools()
	l.atLeast(1, "retention.messages_days", l.cfg.Retention.MessagesDays)
	l.atLeast(1, "retention.traces_days", l.cfg.Retention.TracesDays)
	l.atLeast(1, "retention.kinds_days", l.cfg.Retention.KindsDays)
}

// webhookSecret is the form that Telegram's setWebhook documents for
// secret_token.
var webhookSecret = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)

func (l *loader) checkTelegram() {
	t := l.cfg.Adapters.Telegram
	const at = "adapters.telegram"
	l.oneOf(at+".mode", t.Mode, "poll", "webhook")
	l.oneOf(at+".delivery", t.Delivery, "edit", "plain")
	l.address(at+".api_url", t.APIURL)
	l.token(at+".token", t.Token)
	l.ownPlatform(at, "telegram", t.People, t.Spaces)
	if !t.Token.IsSet() || t.Mode != "webhook" {
		return
	}
	if u, err := url.Parse(t.WebhookURL); err != nil || u.Scheme != "https" || u.Host == "" {
		l.bad(at+".webhook_url", "mode \"webhook\" needs the public https address of /hooks/telegram", "set it, or use mode = \"poll\"")
	}
	if l.cfg.Web.Listen == Off {
		l.bad(at+".mode", "mode \"webhook\" needs web.listen, which is off", "set web.listen, or use mode = \"poll\"")
	}
	if !webhookSecret.MatchString(t.WebhookSecret.Reveal()) {
		l.bad(at+".webhook_secret", "mode \"webhook\" needs a secret of 1 to 256 characters of A-Z a-z 0-9 _ -", "make one with: openssl rand -hex 32")
	}
}

func (l *loader) checkSlack() {
	s := l.cfg.Adapters.Slack
	const at = "adapters.slack"
	l.oneOf(at+".mode", s.Mode, "socket", "http")
	l.address(at+".api_url", s.APIURL)
	l.token(at+".bot_token", s.BotToken)
	l.token(at+".app_token", s.AppToken)
	l.token(at+".signing_secret", s.SigningSecret)
	l.ownPlatform(at, "slack", s.People, s.Spaces)
	switch {
	case !s.BotToken.IsSet() && (s.AppToken.IsSet() || s.SigningSecret.IsSet()):
		l.bad(at+".bot_token", "is missing beside the app's other secret", "copy the bot user's token (xoxb-...) from OAuth & Permissions of your app")
	case !s.BotToken.IsSet():
	case s.Mode == "socket" && !s.AppToken.IsSet():
		l.bad(at+".app_token", "mode \"socket\" needs the app-level token (xapp-...)", "create one with connections:write under Basic Information of your app")
	case s.Mode == "http" && l.cfg.Web.Listen == Off:
		l.bad(at+".mode", "mode \"http\" needs web.listen, which is off", "set web.listen, or use mode = \"socket\"")
	case s.Mode == "http" && !s.SigningSecret.IsSet():
		l.bad(at+".signing_secret", "mode \"http\" needs the signing secret", "copy it from Basic Information of your app")
	}
}

func (l *loader) checkDiscord() {
	d := l.cfg.Adapters.Discord
	const at = "adapters.discord"
	l.address(at+".api_url", d.APIURL)
	l.token(at+".token", d.Token)
	l.ownPlatform(at, "discord", d.People, d.Spaces)
}

func (l *loader) ownPlatform(table, platform string, people Persons, places Places) {
	for _, p := range people {
		if !p.Everyone && p.Platform != platform {
			l.bad(table+".people", fmt.Sprintf("%q is not of this platform", p.String()), "move it to its own platform's table")
		}
	}
	for _, p := range places {
		if p.Platform != platform {
			l.bad(table+".spaces", fmt.Sprintf("%q is not of this platform", p.String()), "move it to its own platform's table")
		}
	}
}

func (l *loader) checkPeople() {
	l.nobodyElse("people.admins", l.cfg.People.Admins)
	l.nobodyElse("people.approvers", l.cfg.People.Approvers)
	team := map[Workspace]string{}
	for _, name := range sortedKeys(l.cfg.Teams) {
		key := "teams." + name
		l.nobodyElse(key+".people", l.cfg.Teams[name].People)
		for _, w := range l.cfg.Teams[name].Workspaces {
			if other, ok := team[w]; ok && other != name {
				l.bad(key+".workspaces", fmt.Sprintf("%s belongs to team %s already", w, other), "a workspace is in one team")
			}
			team[w] = name
		}
	}
}

// nobodyElse refuses "*" in a list that gives rights.
func (l *loader) nobodyElse(key string, list Persons) {
	if list.Everyone() {
		l.bad(key, `"*" would name everyone`, "name people one by one")
	}
}

func (l *loader) checkAgent() {
	a := l.cfg.Agent
	l.atLeast(1, "agent.max_calls", a.MaxCalls)
	l.atLeast(1000, "agent.max_history_tokens", a.MaxHistoryTokens)
	l.positive("agent.max_duration", a.MaxDuration)
}

func (l *loader) checkModels() {
	l.endpoint("model", l.cfg.Model.Endpoint, true)
	l.endpoint("model.background", l.cfg.Model.Background, false)
	l.endpoint("model.fallback", l.cfg.Model.Fallback, false)
	l.checkJobModels()
	l.endpoint("model.embedding", l.cfg.Model.Embedding, false)
	if p := l.cfg.Model.Embedding.Provider; p == "anthropic" || p == "rehearsal" {
		l.bad("model.embedding.provider", p+" has no embeddings", `write "openai" (any compatible endpoint)`)
	}
}

// endpoint checks one model. An optional one is off while it has no provider.
func (l *loader) endpoint(table string, e Endpoint, required bool) {
	providers := []string{"openai", "anthropic", "rehearsal"}
	if !required && !e.Named() {
		if e.Name != "" || e.BaseURL != "" || e.APIKey.IsSet() {
			l.bad(table+".provider", "is missing", "name one of "+strings.Join(providers, ", "))
		}
		return
	}
	l.oneOf(table+".provider", e.Provider, providers...)
	if e.BaseURL != "" {
		l.address(table+".base_url", e.BaseURL)
	}
	l.token(table+".api_key", e.APIKey)
	if e.Provider == "rehearsal" || !slices.Contains(providers, e.Provider) {
		return
	}
	if e.Name == "" {
		l.bad(table+".name", "provider "+e.Provider+" needs the name of a model", "set it as the provider's documentation spells it")
	}
	if e.BaseURL == "" && !e.APIKey.IsSet() {
		l.bad(table+".api_key", "provider "+e.Provider+" needs a key", "set it, or better name a file that holds it in "+variableName(table+".api_key")+fileSuffix)
	}
}

func (l *loader) checkLearning() {
	r := l.cfg.Learning
	l.policy("learning.policy.person", r.Policy.Person)
	l.policy("learning.policy.space", r.Policy.Space)
	l.policy("learning.policy.team", r.Policy.Team)
	l.atLeast(1, "learning.reflection_log.retention_days", r.ReflectionLog.RetentionDays)
	l.positive("learning.idle", r.Idle)
	l.atLeast(1, "learning.person.lines", r.Person.Lines)
	l.atLeast(1, "learning.person.days", r.Person.Days)
	l.checkReflection()
	l.checkMeasures()
	l.checkProposals()
	l.checkPrompt()
	l.checkCurator()
	l.checkJourney()
}

func (l *loader) checkReflection() {
	r := l.cfg.Learning.Reflection
	const at = "learning.reflection"
	l.oneOf(at+".trigger", r.Trigger, "after_every_task", "after_correction_only", "manual")
	l.oneOf(at+".depth", r.Depth, "quick", "standard", "deep")
	l.atLeast(1, at+".max_tokens", r.MaxTokens)
	l.atLeast(1, at+".max_iterations", r.MaxIterations)
	l.atLeast(1, at+".max_input_tokens", r.MaxInputTokens)
	l.positive(at+".max_duration", r.MaxDuration)
	l.atLeast(0, at+".daily_tokens", r.DailyTokens)
	l.positive(at+".yield_within", r.YieldWithin)
	l.positive(at+".quiet", r.Quiet)
	l.atLeast(1, at+".every_turns", r.EveryTurns)
	l.atLeast(1, at+".every_calls", r.EveryCalls)
	l.atLeast(1, at+".alike", r.Alike)
	l.atLeast(1, at+".look_back", r.LookBack)
	l.atLeast(1, at+".whole_steps", r.WholeSteps)
}

func (l *loader) policy(key, value string) {
	l.oneOf(key, value, "all", "new-and-wider", "none")
}

var storeSchemes = []string{"sqlite:", "redis://", "rediss://", "redis+sentinel://", "redis+cluster://"}

func (l *loader) checkStorage() {
	if what, fix := l.cfg.Storage.wrong(); what != "" {
		l.bad("storage.url", what, fix)
	}
	if l.cfg.Storage.Dir == "" {
		l.bad("storage.dir", "is empty", `name a folder, like "data"`)
	}
}

// wrong says what is wrong with the address and what to write, without telling it.
func (s Storage) wrong() (what, fix string) {
	address := s.URL.Reveal()
	known := slices.ContainsFunc(storeSchemes, func(scheme string) bool { return strings.HasPrefix(address, scheme) })
	path, embedded := s.SQLite()
	switch {
	case !known:
		return "names no store that Talaria knows", "write sqlite:PATH, or an address that begins with " + strings.Join(storeSchemes[1:], ", ")
	case embedded && (path == "" || strings.HasPrefix(path, "//")):
		return "names no file", "write sqlite: and a path, like sqlite:data/talaria.db"
	}
	return "", ""
}

func (l *loader) checkWeb() {
	w := l.cfg.Web
	l.hosts("web.hosts", w.Hosts, false)
	if w.Listen == Off {
		return
	}
	host, port, err := net.SplitHostPort(w.Listen)
	if _, portErr := net.LookupPort("tcp", port); err != nil || portErr != nil {
		l.bad("web.listen", fmt.Sprintf("%q is no address with a port", w.Listen), `write "127.0.0.1:8799", or "off" for none`)
		return
	}
	if !Loopback(host) && !w.AllowRemote {
		l.bad("web.listen", fmt.Sprintf("%q can be reached from other machines, and the page asks nobody who they are", w.Listen),
			"bind to 127.0.0.1, or set web.allow_remote = true behind a firewall or proxy")
	}
}
