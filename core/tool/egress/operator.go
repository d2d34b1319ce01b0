package egress

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// OperatorOptions say where the operator's client may go. Hosts is required.
type OperatorOptions struct {
	// Hosts are names or addresses as in a URL, with a port where only that one
	// is meant. "*.example.com" stands for all names below example.com.
	Hosts   []string
	Timeout time.Duration // until the answer's header; 5 minutes, as models may think that long
	MaxBody int64         // bytes after decompression; 64 MiB
}

// Operator returns the client for hosts that the configuration names. It has
// no limit on the time of a whole exchange, since answers may be streams: the
// caller's context has. The URL in its errors may hold a secret where a
// platform wants its token there; such callers must unwrap *url.Error.
func Operator(o OperatorOptions) *http.Client {
	if o.Timeout == 0 {
		o.Timeout = 5 * time.Minute
	}
	if o.MaxBody == 0 {
		o.MaxBody = 64 << 20
	}
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Client{
		CheckRedirect: o.redirect,
		Transport: &operator{options: o, next: &http.Transport{
			DialContext:            dialer.DialContext,
			TLSHandshakeTimeout:    10 * time.Second,
			ResponseHeaderTimeout:  o.Timeout,
			MaxResponseHeaderBytes: 256 << 10,
			ForceAttemptHTTP2:      true,
			MaxIdleConnsPerHost:    16,
			IdleConnTimeout:        90 * time.Second,
		}},
	}
}

func (o OperatorOptions) check(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%w: only http and https are", ErrRefused)
	}
	for _, h := range o.Hosts {
		if matches(h, u) {
			return nil
		}
	}
	return fmt.Errorf("%w: %s is not in the configuration", ErrRefused, u.Host)
}

func matches(pattern string, u *url.URL) bool {
	pattern = strings.ToLower(pattern)
	host, name := strings.ToLower(u.Host), strings.ToLower(u.Hostname())
	if below, ok := strings.CutPrefix(pattern, "*."); ok {
		return strings.HasSuffix(name, "."+below)
	}
	return pattern == host || pattern == name
}

// redirect drops every header but the harmless ones away from the first host: a
// key may travel under any name.
func (o OperatorOptions) redirect(r *http.Request, via []*http.Request) error {
	if err := mayFollow(r, via); err != nil {
		return err
	}
	if !strings.EqualFold(via[0].URL.Host, r.URL.Host) {
		kept := http.Header{}
		for _, h := range []string{"Accept", "Accept-Language", "Range", "User-Agent"} {
			if v := r.Header.Values(h); len(v) > 0 {
				kept[h] = v
			}
		}
		r.Header = kept
	}
	return o.check(r.URL)
}

type operator struct {
	options OperatorOptions
	next    *http.Transport
}

func (t *operator) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := t.options.check(r.URL); err != nil {
		return nil, err
	}
	res, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	return bounded(res, t.options.MaxBody), nil
}

// CloseIdleConnections lets http.Client.CloseIdleConnections work.
func (t *operator) CloseIdleConnections() { t.next.CloseIdleConnections() }
