package slack

import (
	"math"
	"regexp"
	"strings"
	"time"
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
		s.truth.breach(where + " with live previews")
	}
	if yes(c.params["link_names"]) || c.params["parse"] == "full" {
		s.truth.breach(where + " looks for names in the text")
	}
	said := text + c.params["blocks"]
	if strings.Contains(said, `\u003c`) { // how encoders write "<" in JSON
		said = strings.ReplaceAll(said, `\u003c`, "<")
	}
	if m := broadcast.FindString(said); m != "" {
		s.truth.breach(where + " notifies everybody: " + m)
	}
	if n := len(personal.FindAllString(text, -1)); n > maxMentions {
		s.truth.breach(where + " notifies many people")
	}
}

// bucket is a token bucket.
type bucket struct {
	tokens float64
	last   time.Time
}

// take takes a token, or returns how long until there is one.
func (b *bucket) take(now time.Time, rate, burst float64) time.Duration {
	if b.last.IsZero() {
		b.tokens = burst
	}
	b.tokens = min(burst, b.tokens+now.Sub(b.last).Seconds()*rate)
	b.last = now
	if b.tokens < 1 {
		return time.Duration((1 - b.tokens) / rate * float64(time.Second))
	}
	b.tokens--
	return 0
}

// pace returns how long a message into the channel has to wait: one a second,
// with a small burst (docs.slack.dev/apis/web-api/rate-limits).
func (s *Server) pace(ch *channel) time.Duration {
	if s.opts.NoLimits {
		return 0
	}
	wait := ch.pace.take(time.Now(), 1, float64(s.opts.Burst))
	if wait > 0 {
		s.truth.waits++
	}
	return wait
}

func tooMany(wait time.Duration) reply {
	return reply{refused: "ratelimited", retryAfter: int(math.Ceil(wait.Seconds()))}
}
