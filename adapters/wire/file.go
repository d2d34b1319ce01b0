package wire

import (
	"context"
	"errors"
	"fmt"
	"io"

	"talaria/core/chat"
)

// TooLarge is the Attachment.Error of a file over its platform's limit.
const TooLarge = "too_large"

// Limit fails a body that is longer than max bytes, rather than cut it.
func Limit(body io.ReadCloser, max int64) io.ReadCloser { return &limited{body, max} }

type limited struct {
	io.ReadCloser
	left int64
}

// Read implements io.Reader.
func (l *limited) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return n, errors.New(TooLarge)
	}
	return n, err
}

// OpenBlob opens the content of an upload that is kept in the blob store of a
// place's memory.
type OpenBlob func(ctx context.Context, place chat.Address, hash string) (io.ReadCloser, error)

// Content is what is to be uploaded: data, or the blob where one is named. It
// reads no more than one byte beyond max; more than max is an error.
func (open OpenBlob) Content(ctx context.Context, place chat.Address, data []byte, blob string, max int64) ([]byte, error) {
	if blob != "" {
		if open == nil {
			return nil, errors.New("stored files can't be sent here")
		}
		r, err := open(ctx, place, blob)
		if err != nil {
			return nil, fmt.Errorf("open stored file: %w", err)
		}
		defer r.Close()
		if data, err = io.ReadAll(io.LimitReader(r, max+1)); err != nil {
			return nil, fmt.Errorf("read stored file: %w", err)
		}
	}
	if int64(len(data)) > max {
		return nil, errors.New("the file is larger than is sent")
	}
	return data, nil
}
