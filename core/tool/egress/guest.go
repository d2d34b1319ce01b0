package egress

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

// GuestOptions change the guest's client. The zero value is right for
// production.
type GuestOptions struct {
	Ports    []uint16      // 80 and 443
	Timeout  time.Duration // of a whole exchange, body included; 30 seconds
	MaxBody  int64         // bytes after decompression; 4 MiB
	Resolver *net.Resolver // the system's
	// Permit lets single addresses through that are not public. It exists for
	// tests against a server on loopback.
	Permit []netip.AddrPort
}

// Guest returns the client for addresses that come from content or a model.
func Guest(o GuestOptions) *http.Client {
	if len(o.Ports) == 0 {
		o.Ports = []uint16{80, 443}
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.MaxBody == 0 {
		o.MaxBody = 4 << 20
	}
	dialer := &net.Dialer{Timeout: 10 * time.Second, Resolver: o.Resolver, Control: o.control}
	return &http.Client{
		Timeout:       o.Timeout,
		CheckRedirect: o.redirect,
		Transport: &guest{options: o, next: &http.Transport{
			DialContext:            dialer.DialContext,
			TLSHandshakeTimeout:    10 * time.Second,
			ResponseHeaderTimeout:  o.Timeout,
			MaxResponseHeaderBytes: 64 << 10,
			ForceAttemptHTTP2:      true,
			MaxIdleConns:           16,
			MaxConnsPerHost:        8,
			IdleConnTimeout:        30 * time.Second,
		}},
	}
}

// control has the last word before a socket connects.
func (o GuestOptions) control(network, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || network != "tcp4" && network != "tcp6" {
		return fmt.Errorf("%w: %s %s", ErrRefused, network, address)
	}
	if slices.Contains(o.Permit, netip.AddrPortFrom(to.Addr().Unmap(), to.Port())) {
		return nil
	}
	if !Public(to.Addr()) || !slices.Contains(o.Ports, to.Port()) {
		return fmt.Errorf("%w: %s is not a public address on an open port", ErrRefused, to)
	}
	return nil
}

// check judges a URL by its form, so that a clear error comes early. It is no
// boundary: control is.
func (o GuestOptions) check(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%w: only http and https are", ErrRefused)
	case u.Hostname() == "":
		return fmt.Errorf("%w: there is no host in it", ErrRefused)
	case u.User != nil:
		return fmt.Errorf("%w: it holds credentials", ErrRefused)
	}
	return nil
}

func (o GuestOptions) redirect(r *http.Request, via []*http.Request) error {
	if err := mayFollow(r, via); err != nil {
		return err
	}
	return o.check(r.URL)
}

// guest is the round tripper below the client: every request passes it,
// redirected ones too.
type guest struct {
	options GuestOptions
	next    *http.Transport
}

func (g *guest) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := g.options.check(r.URL); err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	for _, h := range []string{"Authorization", "Proxy-Authorization", "Cookie", "Referer"} {
		r.Header.Del(h)
	}
	res, err := g.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	return bounded(res, g.options.MaxBody), nil
}

// CloseIdleConnections lets http.Client.CloseIdleConnections work.
func (g *guest) CloseIdleConnections() { g.next.CloseIdleConnections() }

// Reason puts an error of either client into words that tell no internals: no
// address behind a name, no query of the URL.
func Reason(err error) string {
	switch {
	case errors.Is(err, ErrRefused):
		return "this address is not allowed"
	case errors.Is(err, ErrTooLarge):
		return "the answer is too large"
	}
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		return "it took too long"
	}
	if e, ok := errors.AsType[*net.DNSError](err); ok {
		return fmt.Sprintf("the name %q is not known", strings.TrimSuffix(e.Name, "."))
	}
	return "it can't be reached"
}
