package console

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"talaria/core/chat"
)

// maxLine is the longest line taken as a message, in bytes.
const maxLine = 1 << 20

// Pipe is a console that is fed lines and writes plain answers.
type Pipe struct {
	in     *bufio.Reader
	typist *typist
	o      Options

	mu     sync.Mutex // guards the rest: answers are not mixed
	out    io.Writer
	failed error // of the first answer that could not be written
}

// NewPipe reads messages from in and writes answers to out.
func NewPipe(in io.Reader, out io.Writer, o Options) *Pipe {
	return &Pipe{in: bufio.NewReader(in), out: out, typist: newTypist(o.Language), o: o}
}

// Platform implements chat.Adapter.
func (p *Pipe) Platform() string { return Platform }

// Limits implements chat.Adapter.
func (p *Pipe) Limits() chat.Limits { return limits() }

// Render implements chat.Adapter.
func (p *Pipe) Render(post chat.Post) []chat.Part { return render(post, false) }

// Run hands over one line after the other, each once the answer to the one
// before is out, and returns at the end of input. It fails where an answer could
// not be written, as on a full disk.
func (p *Pipe) Run(ctx context.Context, h chat.Handler) error {
	lines := make(chan line)
	go p.read(ctx, lines)
	for {
		select {
		case <-ctx.Done():
			return nil
		case l, ok := <-lines:
			switch {
			case !ok:
				return p.lost()
			case errors.Is(l.err, errLong):
				p.say(fmt.Sprintf("I left out a line of over %d MiB. Send it in parts, or as a file on a chat platform.", maxLine>>20))
				continue
			case l.err != nil:
				return l.err
			}
			if err := p.converse(ctx, h, l.text); err != nil {
				return err
			}
		}
	}
}

// converse hands one message over and waits for its answer.
func (p *Pipe) converse(ctx context.Context, h chat.Handler, text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	err := deliver(ctx, h, p.typist.event(text))
	if err == nil {
		err = p.o.Idle(ctx)
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// line is one line of input, or why there are no more.
type line struct {
	text string
	err  error
}

// read closes lines at the end of input.
func (p *Pipe) read(ctx context.Context, lines chan<- line) {
	defer close(lines)
	for {
		text, err := readLine(p.in)
		if errors.Is(err, io.EOF) && text == "" {
			return
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		select {
		case lines <- line{text, err}:
		case <-ctx.Done():
			return
		}
		if err != nil && !errors.Is(err, errLong) {
			return
		}
	}
}

// errLong: a line is longer than maxLine. What follows it can be read.
var errLong = errors.New("line too long")

// lost says that an answer could not be written.
func (p *Pipe) lost() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed == nil {
		return nil
	}
	return fmt.Errorf("write the answer: %w", p.failed)
}

// write puts out a text. Called with mu held.
func (p *Pipe) write(text string) error {
	_, err := io.WriteString(p.out, text+"\n")
	if p.failed == nil {
		p.failed = err
	}
	return err
}

// say writes a text that is no message of the bot's.
func (p *Pipe) say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.write(text) // told at the end
}

// readLine reads up to the next line feed, and past it where the line is too
// long. At the end of input it may return a last line beside io.EOF.
func readLine(r *bufio.Reader) (string, error) {
	var b strings.Builder
	for long := false; ; {
		piece, err := r.ReadSlice('\n')
		if long = long || b.Len()+len(piece) > maxLine; !long {
			b.Write(piece)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long {
			return "", errLong
		}
		text := strings.TrimRight(b.String(), "\r\n")
		return strings.ToValidUTF8(text, "\ufffd"), err
	}
}

// Send implements chat.Adapter.
func (p *Pipe) Send(ctx context.Context, d chat.Delivery) (chat.Receipt, error) {
	msg, err := p.o.unpack(ctx, "write", d)
	if err != nil {
		return chat.Receipt{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	id, first := p.typist.shown(msg.Buttons)
	if err := p.write(msg.numbered(first)); err != nil {
		return chat.Receipt{}, &chat.Error{Kind: chat.Gone, Op: "write", Err: err}
	}
	return chat.Receipt{Message: id, At: time.Now().UTC()}, nil
}
