package torture

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"
)

// spot is where something is said.
type spot string

const (
	channel spot = "the channel"
	thread  spot = "a thread of the channel"
	hers    spot = "Ada's direct conversation"
	his     spot = "Ben's direct conversation"
)

// Ada is an admin, Ben a member.
const (
	ada = iota
	ben
)

// line is a message of the bot's as the platform shows it.
type line struct {
	id, to  string // to is the message that it is hung on, where the platform has that
	text    string
	files   []string          // their contents
	buttons map[string]string // ids by labels
}

// scene is a simulated platform with two people, a channel with a thread, and
// a direct conversation of each with the bot. What is said in the channel and
// the thread mentions the bot.
type scene interface {
	env() []string
	// began grows when the program takes up listening.
	began() int
	say(who int, at spot, text string) (id string)
	rewrite(at spot, id, text string)
	give(who int, at spot, name, content, text string)
	command(who int, at spot, line string)
	// offered is what somebody is shown who types "/help mem", nil where the
	// platform completes nothing.
	offered(t *testing.T) []string
	press(who int, at spot, l line, label string)
	// fill presses Edit below a skill's card and puts the text in where it asks
	// for it. It returns what stays of that.
	fill(t *testing.T, who int, at spot, l line, text string) (left []string)
	like(who int, at spot, l line)
	// refuse has the next message be refused for a second.
	refuse()
	// cut drops the connection that events come by.
	cut()
	// taken reports whether a message will not be told again.
	taken(id string) bool
	// posted are the bot's messages, in order, those that still grow left out.
	posted(at spot) []line
	await(ctx context.Context, condition func() bool) error
	breaches() []string
	close()
}

// scenes are the platforms.
var scenes = map[string]func(*testing.T) scene{"slack": slackScene, "discord": discordScene, "telegram": telegramScene}

// play is the program on a scene.
type play struct {
	*testing.T
	scene
	w *world
	p *process
}

// enter starts the program and waits until it listens.
func (p *play) enter() {
	p.Helper()
	before := p.began()
	p.p = p.w.serve()
	p.until("the program to listen", func() bool { return p.began() > before })
}

func (p *play) until(what string, condition func() bool) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), 3*time.Minute)
	defer cancel()
	if err := p.await(ctx, condition); err != nil {
		p.Fatalf("waiting for %s: %v\nsaid:\n%s\nlogged:\n%s", what, err, p.transcript(), p.w.lastLog())
	}
}

// hears waits for a message that fits, the latest one where several do.
func (p *play) hears(at spot, pattern string) (found line) {
	p.Helper()
	fits := regexp.MustCompile(pattern)
	p.until(pattern+" in "+string(at), func() bool {
		for _, l := range p.posted(at) {
			if fits.MatchString(l.text) {
				found = l
			}
		}
		return found.id != ""
	})
	return found
}

func (p *play) transcript() string {
	var b strings.Builder
	for _, at := range []spot{channel, thread, hers, his} {
		b.WriteString("== " + string(at) + "\n")
		for _, l := range p.posted(at) {
			b.WriteString("-- " + l.text + "\n")
		}
	}
	return b.String()
}

// cast opens a scene for a play whose model answers by script.
func cast(t *testing.T, open func(*testing.T) scene, model *prompter, env ...string) *play {
	s := open(t)
	t.Cleanup(func() {
		s.close()
		for _, b := range s.breaches() {
			t.Errorf("breach: %s", b)
		}
	})
	w := bareWorld(t, "sqlite", model.answer)
	w.env = append(append(w.env, s.env()...), env...)
	return &play{T: t, scene: s, w: w}
}
