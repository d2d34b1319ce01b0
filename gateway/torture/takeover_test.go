package torture

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"talaria/storage/redis/redistest"
)

// shared are the platforms that two replicas are watched on: in the short form
// Slack alone, where both of them listen.
func shared() map[string]func(*testing.T) scene {
	if long() {
		return scenes
	}
	return map[string]func(*testing.T) scene{"slack": slackScene}
}

// pair is a play by two replicas on one Redis.
func pair(t *testing.T, open func(*testing.T) scene, model *prompter, env ...string) *play {
	return cast(t, open, model, append(env, "TALARIA_STORAGE_URL="+redistest.Start(t, redistest.Options{}).URL())...)
}

// TestAnAnswerInPartsIsTakenOver kills the replica that is half-way through an
// answer of several messages, at random, while another one stands by. Each part
// must be there once, and in order.
func TestAnAnswerInPartsIsTakenOver(t *testing.T) {
	for name, open := range shared() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(5, 1))
			p := pair(t, open, &prompter{})
			p.enter()
			n := count(1, 8)
			for k := range n {
				before, first := len(p.posted(hers)), p.p
				p.p = p.w.serve()
				p.say(ada, hers, fmt.Sprintf("tell it at length %d", k))
				p.until("it to begin", func() bool { return len(p.posted(hers)) > before })
				time.Sleep(time.Duration(random.Int64N(int64(20 * time.Millisecond)))) // the moment of the kill
				parts := len(p.posted(hers)) - before
				first.kill()
				p.Logf("killed after %d parts", parts)
				p.until("the end", func() bool {
					all := p.posted(hers)[before:]
					return len(all) > 1 && strings.Contains(all[len(all)-1].text, fmt.Sprintf("number %d of", sentences-1))
				})
				p.inOrder(p.posted(hers)[before:])
			}
			p.p.stop()
			t.Logf("%s: takeovers=%d", name, n)
		})
	}
}

// inOrder fails the test unless the parts hold each sentence once, in order.
func (p *play) inOrder(parts []line) {
	p.Helper()
	var said strings.Builder
	for _, part := range parts {
		said.WriteString(part.text + "\n")
	}
	numbers := regexp.MustCompile(`sentence number (\d+) of`).FindAllStringSubmatch(said.String(), -1)
	for n, number := range numbers {
		if number[1] != fmt.Sprint(n) {
			p.Fatalf("sentence %d is number %s, in %d parts", n, number[1], len(parts))
		}
	}
	if len(numbers) != sentences {
		p.Errorf("%d sentences in %d parts", len(numbers), len(parts))
	}
}

// TestStopReachesTheOtherReplica has a turn run on one replica while two listen,
// and stops it.
func TestStopReachesTheOtherReplica(t *testing.T) {
	for name, open := range shared() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := &prompter{}
			p := pair(t, open, model)
			p.enter()
			first := p.p
			p.p = p.w.serve()
			for k := range count(1, 5) {
				asked, release := model.hold()
				p.say(ada, hers, fmt.Sprintf("slowly %d", k))
				<-asked
				before := p.said(hers, "^Stopped")
				p.command(ada, hers, "stop")
				p.until("the stop", func() bool { return p.said(hers, "^Stopped") > before })
				release()
			}
			first.stop()
			p.p.stop()
			if p.said(hers, "echo: slowly") > 0 {
				t.Errorf("answered all the same\n%s", p.transcript())
			}
		})
	}
}

// TestAQuestionIsTakenOver kills the replica that asked, and has its question
// answered to the other one.
func TestAQuestionIsTakenOver(t *testing.T) {
	for name, open := range shared() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := pair(t, open, &prompter{}, "TALARIA_TOOLS_ASK=files_write")
			p.enter()
			n := count(1, 5)
			for k := range n {
				p.say(ada, hers, fmt.Sprintf("save word%d", k))
				question := p.hears(hers, fmt.Sprintf(`(?s)files write.*word%d\.txt`, k))
				first, before := p.p, p.began()
				p.p = p.w.serve()
				first.kill()
				p.until("the other one to listen", func() bool { return p.began() > before })
				p.press(ada, hers, question, "Yes, do it")
				p.hears(hers, fmt.Sprintf(`it says: .*word%d\.txt`, k))
				p.until("the question to be marked", func() bool { return marked(p.posted(hers), question.id) })
			}
			p.p.stop()
			if said := len(p.posted(hers)); said != 2*n {
				t.Errorf("%d questions with answers make %d messages:\n%s", n, said, p.transcript())
			}
		})
	}
}
