package torture

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"
)

// deed is something that a person has done, and that a kill may cut off at any
// of the program's writes.
type deed struct {
	scene   func(*testing.T) scene // nil: Telegram
	model   *prompter
	env     []string
	prepare func(p *play)      // while nothing is killed
	act     func(p *play)      // it waits for nothing
	told    func(p *play) bool // the person has been told what came of it
	judge   func(p *play)      // what it came to, when it is over
	stride  int                // of so many writes one is cut off; zero: each is
}

// cut does a deed and has the program killed at its n-th write, and started
// again. It reports whether there was such a write.
func (d deed) cut(t *testing.T, n int) bool {
	open, model := d.scene, d.model
	if open == nil {
		open = scenes["telegram"]
	}
	if model == nil {
		model = &prompter{}
	}
	p := cast(t, open, model, d.env...)
	file := filepath.Join(p.w.dir, "kill")
	p.w.env = append(p.w.env, "TALARIA_KILL="+file)
	p.enter()
	if d.prepare != nil {
		d.prepare(p)
	}
	arm(t, file, n)
	d.act(p)
	killed := p.killedBefore(func() bool { return d.told(p) })
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	p.enter()
	p.until("word of what came of it", func() bool { return d.told(p) })
	d.judge(p)
	p.p.stop()
	return killed
}

// arm has the program killed at the n-th of its writes from now on.
func arm(t *testing.T, file string, n int) {
	t.Helper()
	err := os.WriteFile(file+".new", []byte(strconv.Itoa(n)), 0o600)
	if err == nil {
		err = os.Rename(file+".new", file)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// killedBefore waits until the program was killed, or until the deed was done.
// Then the program is stopped, so that it writes what it has still to write, and
// may be killed at that.
func (p *play) killedBefore(done func() bool) bool {
	ctx, cancel := context.WithTimeout(p.Context(), time.Minute)
	var watch sync.WaitGroup
	watch.Go(func() {
		select {
		case <-p.p.over:
		case <-ctx.Done():
		}
		cancel()
	})
	_ = p.await(ctx, done)
	cancel()
	watch.Wait()
	p.p.stop()
	return p.p.killed()
}

// said is how many of the bot's messages fit.
func (p *play) said(at spot, pattern string) (n int) {
	fits := regexp.MustCompile(pattern)
	for _, l := range p.posted(at) {
		if fits.MatchString(l.text) {
			n++
		}
	}
	return n
}

// order gives a command and waits for its answer.
func (p *play) order(at spot, line, pattern string) string {
	p.Helper()
	before := p.said(at, pattern)
	p.command(ada, at, line)
	p.until(line, func() bool { return p.said(at, pattern) > before })
	return p.hears(at, pattern).text
}

// saidOnce fails the test unless exactly one message fits.
func (p *play) saidOnce(at spot, pattern string) {
	p.Helper()
	if n := p.said(at, pattern); n != 1 {
		p.Errorf("%q was said %d times\n%s", pattern, n, p.transcript())
	}
}

func told(at spot, pattern string) func(p *play) bool {
	return func(p *play) bool { return p.said(at, pattern) > 0 }
}

// TestNothingIsHalfDone has the program killed before and after each write of a
// deed in turn. Whatever is cut off, the deed must be done once, and its answer
// given once.
func TestNothingIsHalfDone(t *testing.T) {
	if !long() {
		if !deeds["a change is taken back"].cut(t, 7) { // between the change and the answer
			t.Error("the deed has no such write")
		}
		return
	}
	for name, d := range deeds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			for again := true; again; n += max(d.stride, 1) {
				again = false // where the cut fails
				t.Run(fmt.Sprint(n), func(t *testing.T) { again = d.cut(t, n) })
			}
			t.Logf("writes=%d", n)
		})
	}
}
