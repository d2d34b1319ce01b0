package egress

import (
	"fmt"
	"io"
	"net/http"
)

// bounded limits a response's body. The transport has undone its compression
// by then, piece by piece as it is read, so a small body that grows without
// end stops here as well.
func bounded(r *http.Response, limit int64) *http.Response {
	r.Body = &body{ReadCloser: r.Body, left: limit, limit: limit}
	return r
}

type body struct {
	io.ReadCloser
	left, limit int64
}

// Read gives up to the limit and then tells whether there was more.
func (b *body) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, b.tooLarge()
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return n - 1, b.tooLarge()
	}
	return n, err
}

func (b *body) tooLarge() error { return fmt.Errorf("%w: over %d bytes", ErrTooLarge, b.limit) }
