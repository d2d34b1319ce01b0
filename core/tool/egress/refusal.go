package egress

import (
	"errors"
	"fmt"
	"net/http"
)

// The errors by which a request is refused. They come wrapped.
var (
	// ErrRefused: the address, port, scheme or redirect is not allowed.
	ErrRefused = errors.New("address not allowed")
	// ErrTooLarge: the body is over the limit; it comes while reading.
	ErrTooLarge = errors.New("answer too large")
)

const maxRedirects = 5

// mayFollow refuses a redirect that is one too many, or that leaves encryption.
func mayFollow(r *http.Request, via []*http.Request) error {
	switch {
	case len(via) > maxRedirects:
		return fmt.Errorf("%w: more than %d redirects", ErrRefused, maxRedirects)
	case via[len(via)-1].URL.Scheme == "https" && r.URL.Scheme != "https":
		return fmt.Errorf("%w: redirect from https to %s", ErrRefused, r.URL.Scheme)
	}
	return nil
}
