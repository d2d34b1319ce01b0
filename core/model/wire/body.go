package wire

import (
	"bytes"
	"fmt"
	"io"

	"talaria/core/agent"
)

const (
	// maxLine bounds one line, and so what a decoder must hold at a time.
	maxLine = 10 << 20
	// maxBody bounds a whole stream. Each token comes in an envelope of some
	// 200 to 300 bytes, so the longest answers of today, 128,000 tokens, are
	// under 40 MB.
	maxBody = 128 << 20
	// MaxAnswer bounds the text and the arguments that a provider gathers from
	// a stream, in bytes.
	MaxAnswer = 10 << 20
)

// body is a response body that is watched and bounded.
type body struct {
	source      io.ReadCloser
	watch       *watch
	endpoint    *Endpoint
	begun       bool
	total, line int
}

// Read implements io.Reader. An end that HTTP itself finds to be too early is
// a cut answer.
func (b *body) Read(p []byte) (int, error) {
	if b.begun {
		b.watch.waiting()
	}
	n, err := b.source.Read(p)
	if n > 0 {
		b.begun = true
		b.watch.came()
		if err := b.count(p[:n]); err != nil {
			return n, err
		}
	}
	if err == nil || err == io.EOF {
		return n, err
	}
	kind, waited := agent.ModelCut, b.endpoint.idle
	if !b.begun && b.watch.silent.Load() {
		kind, waited = agent.ModelTransient, b.endpoint.first // nothing was there to be cut
	}
	return n, b.endpoint.explain(b.watch, kind, waited, err)
}

func (b *body) count(p []byte) error {
	b.total += len(p)
	if end := bytes.LastIndexByte(p, '\n'); end >= 0 {
		b.line = len(p) - end - 1
	} else {
		b.line += len(p)
	}
	if b.line > maxLine {
		return b.endpoint.Error(agent.ModelInvalid, fmt.Errorf("a line of over %d MB", maxLine>>20))
	}
	if b.total > maxBody {
		return b.endpoint.Error(agent.ModelInvalid, fmt.Errorf("an answer of over %d MB", maxBody>>20))
	}
	return nil
}

// Close ends the exchange.
func (b *body) Close() error {
	b.watch.stop()
	return b.source.Close()
}
