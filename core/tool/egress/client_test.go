package egress_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/net/dns/dnsmessage"

	"talaria/core/tool/egress"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// listen starts a server on an address of loopback, with a count of the
// connections made to it.
func listen(t *testing.T, address string, h http.HandlerFunc) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	var made atomic.Int64
	s := httptest.NewUnstartedServer(h)
	s.Listener.Close()
	s.Listener = l
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			made.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s, &made
}

func addrPort(s *httptest.Server) netip.AddrPort {
	return netip.MustParseAddrPort(s.Listener.Addr().String())
}

func guest(t *testing.T, o egress.GuestOptions) *http.Client {
	t.Helper()
	c := egress.Guest(o)
	t.Cleanup(c.CloseIdleConnections)
	return c
}

// names is a name server that answers each question by a function.
func names(t *testing.T, answer func(name string) []netip.Addr) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var done sync.WaitGroup
	done.Go(func() { serveNames(conn, answer) })
	t.Cleanup(func() {
		conn.Close()
		done.Wait()
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func serveNames(conn net.PacketConn, answer func(name string) []netip.Addr) {
	buf := make([]byte, 1500)
	for {
		n, from, err := conn.ReadFrom(buf)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(buf[:n]) != nil || len(m.Questions) == 0 {
			continue
		}
		q := m.Questions[0]
		m.Header.Response, m.Additionals = true, nil
		for _, a := range answer(strings.TrimSuffix(q.Name.String(), ".")) {
			h := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, Type: q.Type}
			switch {
			case q.Type == dnsmessage.TypeA && a.Is4():
				m.Answers = append(m.Answers, dnsmessage.Resource{Header: h, Body: &dnsmessage.AResource{A: a.As4()}})
			case q.Type == dnsmessage.TypeAAAA && a.Is6():
				m.Answers = append(m.Answers, dnsmessage.Resource{Header: h, Body: &dnsmessage.AAAAResource{AAAA: a.As16()}})
			}
		}
		if out, err := m.Pack(); err == nil {
			_, _ = conn.WriteTo(out, from)
		}
	}
}

func get(t *testing.T, c *http.Client, target string) (string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	if err != nil {
		return "", err
	}
	res, err := c.Do(r)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	return string(data), err
}

func TestGuestReachesNothingPrivate(t *testing.T) {
	victim, made := listen(t, "127.0.0.1:0", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "secret") })
	port := addrPort(victim).Port()
	resolver := names(t, func(name string) []netip.Addr {
		for _, c := range closed {
			if strings.TrimSuffix(c.host, ".") == name && c.resolves != "" {
				return []netip.Addr{netip.MustParseAddr(c.resolves)}
			}
		}
		return nil
	})
	c := guest(t, egress.GuestOptions{Ports: []uint16{port, 80}, Resolver: resolver, Timeout: time.Minute})
	for _, e := range closed {
		body, err := get(t, c, fmt.Sprintf("http://%s:%d/", e.host, port))
		_, unknown := errors.AsType[*net.DNSError](err) // what the resolver takes for no name at all
		if !errors.Is(err, egress.ErrRefused) && !(unknown && e.resolves != "") {
			t.Errorf("%s: body %q, error %v", e.host, body, err)
		}
	}
	if n := made.Load(); n != 0 || len(closed) < 80 {
		t.Errorf("%d connections to private space from %d hosts", n, len(closed))
	}
}

func TestGuestIsNotFooledByRebinding(t *testing.T) {
	open, _ := listen(t, "127.0.0.2:0", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })
	port := addrPort(open).Port()
	// On an address of its own, since others may have the port on 127.0.0.1.
	_, made := listen(t, fmt.Sprintf("127.0.0.3:%d", port), func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "secret") })
	var turned atomic.Bool
	resolver := names(t, func(name string) []netip.Addr {
		outside, inside := netip.MustParseAddr("127.0.0.2"), netip.MustParseAddr("127.0.0.3")
		switch {
		case name == "both.example":
			return []netip.Addr{inside, outside}
		case turned.Load():
			return []netip.Addr{inside}
		}
		return []netip.Addr{outside}
	})
	c := guest(t, egress.GuestOptions{Ports: []uint16{port}, Resolver: resolver, Permit: []netip.AddrPort{addrPort(open)}})
	turning := fmt.Sprintf("http://turning.example:%d/", port)
	if body, err := get(t, c, turning); err != nil || body != "hello" {
		t.Fatalf("first visit: %q, %v", body, err)
	}
	c.CloseIdleConnections()
	turned.Store(true)
	if body, err := get(t, c, turning); !errors.Is(err, egress.ErrRefused) {
		t.Errorf("second visit: %q, %v", body, err)
	}
	if body, err := get(t, c, fmt.Sprintf("http://both.example:%d/", port)); body == "secret" {
		t.Errorf("both at once: %q, %v", body, err)
	}
	if n := made.Load(); n != 0 {
		t.Errorf("%d connections to private space", n)
	}
}

func TestGuestChecksRedirects(t *testing.T) {
	victim, made := listen(t, "127.0.0.1:0", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "secret") })
	port := addrPort(victim).Port()
	var target atomic.Value
	open, _ := listen(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, target.Load().(string), http.StatusFound)
	})
	c := guest(t, egress.GuestOptions{Ports: []uint16{port}, Permit: []netip.AddrPort{addrPort(open)}})
	for _, to := range []string{
		victim.URL, fmt.Sprintf("http://localhost:%d/", port), fmt.Sprintf("http://[::ffff:127.0.0.1]:%d/", port),
		fmt.Sprintf("http://0.0.0.0:%d/", port), fmt.Sprintf("//127.0.0.1:%d/", port),
		fmt.Sprintf("http://user:pw@127.0.0.1:%d/", port), "file:///etc/hosts", "gopher://127.0.0.1/", "ftp://127.0.0.1/", "http:///x",
	} {
		target.Store(to)
		if body, err := get(t, c, open.URL); err == nil || strings.Contains(body, "secret") {
			t.Errorf("redirect to %s: %q, %v", to, body, err)
		}
	}
	if n := made.Load(); n != 0 {
		t.Errorf("%d connections to private space", n)
	}
}

func TestGuestFollowsFiveRedirects(t *testing.T) {
	open, _ := listen(t, "127.0.0.1:0", func(w http.ResponseWriter, r *http.Request) {
		if left := len(r.URL.Path) - 1; left > 0 {
			http.Redirect(w, r, r.URL.Path[:left], http.StatusFound)
			return
		}
		fmt.Fprint(w, "arrived")
	})
	c := guest(t, egress.GuestOptions{Permit: []netip.AddrPort{addrPort(open)}})
	if body, err := get(t, c, open.URL+"/xxxxx"); err != nil || body != "arrived" {
		t.Errorf("five: %q, %v", body, err)
	}
	if body, err := get(t, c, open.URL+"/xxxxxx"); !errors.Is(err, egress.ErrRefused) {
		t.Errorf("six: %q, %v", body, err)
	}
}

func TestGuestSendsNoCredentials(t *testing.T) {
	open, _ := listen(t, "127.0.0.1:0", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Header.Get("Authorization"), r.Header.Get("Cookie"))
	})
	c := guest(t, egress.GuestOptions{Permit: []netip.AddrPort{addrPort(open)}})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, open.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer x")
	r.Header.Set("Cookie", "a=b")
	res, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if seen, _ := io.ReadAll(res.Body); len(seen) > 0 {
		t.Errorf("the server saw %q", seen)
	}
}

func TestGuestBoundsSizeAndTime(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	if _, err := z.Write(make([]byte, 10<<20)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	open, _ := listen(t, "127.0.0.1:0", func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/plain":
			fmt.Fprint(w, strings.Repeat("x", 1001))
		case "/fits":
			fmt.Fprint(w, strings.Repeat("x", 1000))
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(bomb.Bytes())
		case "/header":
			w.Header().Set("X", strings.Repeat("x", 100<<10))
		case "/stall":
			fmt.Fprint(w, "x")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}
	})
	c := guest(t, egress.GuestOptions{Permit: []netip.AddrPort{addrPort(open)}, MaxBody: 1000})
	for _, path := range []string{"/plain", "/bomb"} {
		if body, err := get(t, c, open.URL+path); !errors.Is(err, egress.ErrTooLarge) || len(body) != 1000 {
			t.Errorf("%s: %d bytes, %v", path, len(body), err)
		}
	}
	if body, err := get(t, c, open.URL+"/fits"); err != nil || len(body) != 1000 {
		t.Errorf("/fits: %d bytes, %v", len(body), err)
	}
	if _, err := get(t, c, open.URL+"/header"); err == nil {
		t.Error("/header: no error")
	}
	c = guest(t, egress.GuestOptions{Permit: []netip.AddrPort{addrPort(open)}, Timeout: 300 * time.Millisecond})
	if _, err := get(t, c, open.URL+"/stall"); err == nil || egress.Reason(err) != "it took too long" {
		t.Errorf("/stall: %v", err)
	}
}

func TestGuestUsesNoProxyFromTheEnvironment(t *testing.T) {
	proxy, made := listen(t, "127.0.0.2:0", func(http.ResponseWriter, *http.Request) {})
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("http_proxy", proxy.URL)
	c := guest(t, egress.GuestOptions{Resolver: names(t, func(string) []netip.Addr { return nil })})
	if _, err := get(t, c, "http://nowhere.example/"); err == nil || made.Load() > 0 {
		t.Errorf("error %v, %d connections to the proxy", err, made.Load())
	}
}

func TestReasonTellsNoAddress(t *testing.T) {
	c := guest(t, egress.GuestOptions{Resolver: names(t, func(n string) []netip.Addr {
		if n == "inside.example" {
			return []netip.Addr{netip.MustParseAddr("10.9.8.7")}
		}
		return nil
	})})
	_, err := get(t, c, "http://inside.example/?key=abc")
	if got := egress.Reason(err); got != "this address is not allowed" {
		t.Errorf("%q for %v", got, err)
	}
	_, err = get(t, c, "http://gone.example/")
	if got := egress.Reason(err); got != `the name "gone.example" is not known` {
		t.Errorf("%q for %v", got, err)
	}
}

func TestOperatorReachesConfiguredHostsAlone(t *testing.T) {
	foreign, made := listen(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Header.Get("X-Api-Key")) })
	own, _ := listen(t, "127.0.0.1:0", func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusTemporaryRedirect)
			return
		}
		fmt.Fprint(w, "own")
	})
	host := func(s *httptest.Server) string { u, _ := url.Parse(s.URL); return u.Host }
	c := egress.Operator(egress.OperatorOptions{Hosts: []string{host(own), "*.Example.com"}})
	t.Cleanup(c.CloseIdleConnections)
	if body, err := get(t, c, own.URL); err != nil || body != "own" {
		t.Errorf("own: %q, %v", body, err)
	}
	for _, to := range []string{foreign.URL, own.URL + "/?to=" + url.QueryEscape(foreign.URL), "http://example.com/", "http://badexample.com/", "ftp://" + host(own)} {
		if _, err := get(t, c, to); !errors.Is(err, egress.ErrRefused) {
			t.Errorf("%s: %v", to, err)
		}
	}
	if made.Load() > 0 {
		t.Errorf("%d connections to a host that is not configured", made.Load())
	}
}

func TestOperatorKeepsKeysFromOtherHosts(t *testing.T) {
	seen := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/again" {
			http.Redirect(w, r, "/end", http.StatusFound)
			return
		}
		fmt.Fprint(w, r.Header.Get("X-Api-Key"), r.Header.Get("Authorization"), r.Header.Get("Referer"))
	}
	second, _ := listen(t, "127.0.0.2:0", seen)
	first, _ := listen(t, "127.0.0.1:0", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, second.URL+"/again", http.StatusFound)
	})
	c := egress.Operator(egress.OperatorOptions{Hosts: []string{"127.0.0.1", "127.0.0.2"}})
	t.Cleanup(c.CloseIdleConnections)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, first.URL+"/bot-token/file", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Api-Key", "k")
	r.Header.Set("Authorization", "Bearer k")
	res, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if got, _ := io.ReadAll(res.Body); strings.Contains(string(got), "k") {
		t.Errorf("the second host saw %q", got)
	}
}
