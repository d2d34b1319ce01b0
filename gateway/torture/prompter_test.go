package torture

import (
	"fmt"
	"strings"
	"sync"

	"talaria/core/model/modeltest"
)

// prompter is the model of the plays. It echoes what it is told, but for what
// has a meaning of its own.
type prompter struct {
	mu   sync.Mutex
	held chan struct{} // closed once somebody waits for go
	on   chan struct{} // closed to let those go who were told to wait
}

// hold has whoever says "slowly" wait until release is called, and asked be
// closed once somebody does.
func (p *prompter) hold() (asked <-chan struct{}, release func()) {
	held, on := make(chan struct{}), make(chan struct{})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held, p.on = held, on
	return held, sync.OnceFunc(func() { close(on) })
}

func (p *prompter) wait() {
	p.mu.Lock()
	on := p.on
	select {
	case <-p.held:
	default:
		close(p.held)
	}
	p.mu.Unlock()
	<-on
}

func (p *prompter) answer(r modeltest.Request) modeltest.Answer {
	said := r.LastUser()
	results := r.Results()
	last := said[strings.LastIndexByte(said, '\n')+1:]
	switch {
	case len(results) > 0:
		return modeltest.Text("it says: ", results[len(results)-1].Text)
	case strings.Contains(said, "read my notes"):
		return modeltest.Use(modeltest.Call{Name: "files_read", Args: `{"name":"notes.txt"}`})
	case strings.HasPrefix(last, "save "):
		name := strings.TrimPrefix(last, "save ")
		return modeltest.Use(modeltest.Call{Name: "files_write", Args: fmt.Sprintf(`{"name":"%s.txt","text":"kept"}`, name)})
	case strings.Contains(last, "at length"):
		return modeltest.Answer{Text: strings.SplitAfter(atLength(), "\n")}
	case strings.Contains(last, "slowly"):
		p.wait()
	}
	return modeltest.Text("echo: ", last)
}

// sentences is how many an answer at length has.
const sentences = 140

// atLength is an answer of several messages with a table and code.
func atLength() string {
	var b strings.Builder
	b.WriteString("# At length\n\n| bird | legs |\n|---|---|\n| heron | two |\n| wagtail | also two |\n\n```go\nfunc main() { fmt.Println(\"<b>&\") }\n```\n\n")
	for n := range sentences {
		fmt.Fprintf(&b, "This is sentence number %d of **many**.\n", n)
	}
	return b.String()
}
