package slack

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"talaria/adapters/fake/sim"
)

// maxMentions is how many people one message may notify without a breach.
const maxMentions = 3

var (
	broadcast = regexp.MustCompile(`<!(channel|here|everyone|subteam)`)
	personal  = regexp.MustCompile(`<@[UW]`)
)

// checkPeace logs what Slack would take but ours must not do: previews of
// addresses that a model chose, and pings of everybody.
func (s *Server) checkPeace(c *call, text string) {
	where := c.method + " in " + c.params["channel"]
	if c.params["unfurl_links"] != "false" || c.params["unfurl_media"] != "false" {
		s.Breach(where + " with live previews")
	}
	if yes(c.params["link_names"]) || c.params["parse"] == "full" {
		s.Breach(where + " looks for names in the text")
	}
	said := text + c.params["blocks"]
	if strings.Contains(said, `\u003c`) { // how encoders write "<" in JSON
		said = strings.ReplaceAll(said, `\u003c`, "<")
	}
	if m := broadcast.FindString(said); m != "" {
		s.Breach(where + " notifies everybody: " + m)
	}
	if n := len(personal.FindAllString(text, -1)); n > maxMentions {
		s.Breach(where + " notifies many people")
	}
}

// perMinute are the tiers of methods: what the workspace may call in a minute
// (docs.slack.dev/apis/web-api/rate-limits, and each method's page).
var perMinute = map[string]float64{
	"chat.update": 50, "chat.startStream": 20, "chat.stopStream": 20, "chat.appendStream": 100, "views.publish": 100,
	"assistant.threads.setTitle": 100, "assistant.threads.setSuggestedPrompts": 100,
	"chat.delete": 50, "chat.postEphemeral": 100, "conversations.history": 50, "conversations.replies": 50, "conversations.info": 50,
	"conversations.open": 50, "conversations.members": 100, "users.info": 100, "reactions.add": 50, "views.open": 100,
	"files.info": 100, "files.delete": 50, "files.getUploadURLExternal": 100, "files.completeUploadExternal": 100,
}

// scopesOf are the scopes of which a method wants one. Those of reading are asked
// where it is known what is read.
var scopesOf = map[string][]string{
	"chat.postMessage": {"chat:write"}, "chat.postEphemeral": {"chat:write"}, "chat.update": {"chat:write"}, "chat.delete": {"chat:write"},
	"chat.startStream": {"chat:write"}, "chat.appendStream": {"chat:write"}, "chat.stopStream": {"chat:write"},
	"files.getUploadURLExternal": {"files:write"}, "files.completeUploadExternal": {"files:write"}, "files.delete": {"files:write"},
	"files.info": {"files:read"}, "users.info": {"users:read"}, "reactions.add": {"reactions:write"},
	"conversations.open":          {"im:write", "mpim:write", "groups:write", "channels:manage"},
	"assistant.threads.setStatus": {"chat:write", "assistant:write"}, "assistant.threads.setTitle": {"assistant:write"},
	"assistant.threads.setSuggestedPrompts": {"assistant:write"},
}

// admit checks the scopes and the pace of a method.
func (s *Server) admit(c *call) reply {
	have := strings.Split(s.opts.Scopes, ",")
	wanted := scopesOf[c.method]
	if len(wanted) > 0 && !slices.ContainsFunc(wanted, func(scope string) bool { return slices.Contains(have, scope) }) {
		return reply{refused: "missing_scope", needed: wanted[0]}
	}
	rate := perMinute[c.method]
	if rate == 0 || s.opts.NoLimits {
		return ok(nil)
	}
	b := s.paces[c.method]
	if b == nil {
		b = &sim.Bucket{}
		s.paces[c.method] = b
	}
	if wait := b.Take(time.Now(), rate/60, rate); wait > 0 {
		s.waits++
		return tooMany(wait)
	}
	return ok(nil)
}

// pace returns how long a message into the channel has to wait: one a second,
// with a small burst (docs.slack.dev/apis/web-api/rate-limits).
func (s *Server) pace(ch *channel) time.Duration {
	if s.opts.NoLimits {
		return 0
	}
	wait := ch.pace.Take(time.Now(), 1, float64(s.opts.Burst))
	if wait > 0 {
		s.waits++
	}
	return wait
}

func tooMany(wait time.Duration) reply {
	return reply{refused: "ratelimited", retryAfter: int(math.Ceil(wait.Seconds()))}
}
