package tool

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"unicode"

	"talaria/core/agent"
	"talaria/core/chat"
)

// Asker keeps a request until a person has decided on it.
type Asker interface {
	// Ask stores a request and returns the token for its card. Asking again
	// with the same Key gives the same token.
	Ask(ctx context.Context, r Request) (token string, err error)
}

// Request is a call that waits for a person's yes.
type Request struct {
	Key      string // the call's id, unique and the same when a turn is resumed
	Tool     string
	Args     json.RawMessage
	Digest   string      // binds the yes to exactly this call; see Binding.Approved
	Question string      // Markdown; holds the arguments whole
	Context  chat.Origin // the worst that the model had seen when it wanted this
}

// Digest is the same for calls of a tool with the same arguments.
func Digest(tool string, args json.RawMessage) string {
	var v any
	if json.Unmarshal(args, &v) == nil {
		if sorted, err := json.Marshal(v); err == nil {
			args = sorted
		}
	}
	sum := sha256.Sum256(append([]byte(tool+"\x00"), args...))
	return hex.EncodeToString(sum[:])
}

// maxQuestion is the most bytes of arguments that a person is asked about.
// Consent to a text that is not shown whole would be none.
const maxQuestion = 3000

var (
	errNobody   = errors.New("this needs a person's yes, and nobody can be asked here")
	errTooMuch  = errors.New("this needs a person's yes, and is too long to be shown whole; make it shorter")
	errNotAsked = errors.New("this needs a person's yes, which can't be asked for just now")
)

// guard stands before a tool and asks for a yes where one is needed.
type guard struct {
	agent.Tool
	binding Binding
	yes     *yes
	ask     bool // policy wants it
}

// yes is a person's consent to one call. It is good for one.
type yes struct {
	digest string
	used   atomic.Bool
}

func (y *yes) to(digest string) bool {
	return y.digest == digest && y.used.CompareAndSwap(false, true)
}

// outward is the power of a tool to say which of its calls may carry something
// out of the conversation. Without it, those of effectful tools do.
type outward interface {
	Outward(in agent.Invocation) bool
}

// Call passes the call on, or turns it into a question.
func (g *guard) Call(ctx context.Context, in agent.Invocation) (agent.Result, error) {
	name := g.Spec().Name
	digest := Digest(name, in.Args)
	if !g.needsYes(in) || g.yes.to(digest) {
		return g.Tool.Call(ctx, in)
	}
	if g.binding.Asker == nil {
		return agent.Result{}, errNobody
	}
	question, err := question(name, in)
	if err != nil {
		return agent.Result{}, err
	}
	token, err := g.binding.Asker.Ask(ctx, Request{
		Key: in.ID, Tool: name, Args: in.Args, Digest: digest, Question: question, Context: in.Context,
	})
	if err != nil {
		return agent.Result{}, fmt.Errorf("%w: %w", errNotAsked, err)
	}
	return agent.Result{Ask: &agent.Ask{Question: question, Token: token}}, nil
}

func (g *guard) needsYes(in agent.Invocation) bool {
	if g.ask || g.binding.Beyond != nil && g.binding.Beyond(g.Spec(), in) {
		return true
	}
	if in.Context < chat.External {
		return false
	}
	if o, ok := g.Tool.(outward); ok {
		return o.Outward(in)
	}
	return g.Spec().Effect == agent.Effectful
}

// question shows a call's arguments whole, with what can't be seen written out,
// in a code block that they can't end.
func question(tool string, in agent.Invocation) (string, error) {
	pretty, err := indent(in.Args)
	if err != nil {
		return "", fmt.Errorf("the arguments can't be shown: %w", err)
	}
	shown := visible(pretty)
	if len(shown) > maxQuestion {
		return "", errTooMuch
	}
	fence := "```"
	for strings.Contains(shown, fence) {
		fence += "`"
	}
	text := fmt.Sprintf("May I use **%s** with this?\n\n%s\n%s\n%s", strings.ReplaceAll(tool, "_", " "), fence, shown, fence)
	if in.Context == chat.External {
		text += "\n\nThis conversation holds text from outside (a page, a file, a forward). Say yes only if you want this yourself."
	}
	return text, nil
}

// indent writes arguments for people, numbers exactly as they are.
func indent(args json.RawMessage) (string, error) {
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "", err
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// visible writes out characters that can't be seen or that turn text around.
func visible(s string) string {
	var b strings.Builder
	for _, c := range s {
		if c != '\n' && c != ' ' && !unicode.IsPrint(c) {
			fmt.Fprintf(&b, "\\u{%04X}", c)
			continue
		}
		b.WriteRune(c)
	}
	return b.String()
}
