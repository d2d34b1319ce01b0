package web

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"
)

const (
	queryTime = 5 * time.Second
	maxReport = 64 << 10
)

// Query asks the server that listens on an address of this machine whether it
// is ready. The error says that it can't be asked.
func Query(ctx context.Context, listen string) (Report, error) {
	ctx, cancel := context.WithTimeout(ctx, queryTime)
	defer cancel()
	address, err := reachable(listen)
	if err != nil {
		return Report{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", nil)
	if err != nil {
		return Report{}, fmt.Errorf("ask %s: %w", address, err)
	}
	// A transport of its own: no proxy may come between.
	transport := &http.Transport{DisableKeepAlives: true}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return Report{}, fmt.Errorf("ask %s: %w", address, err)
	}
	defer response.Body.Close()
	var report Report
	if err := json.NewDecoder(io.LimitReader(response.Body, maxReport)).Decode(&report); err != nil {
		return Report{}, fmt.Errorf("ask %s: the answer (%s) is no report: %w", address, response.Status, err)
	}
	return report, nil
}

// reachable turns an address to listen on into one to connect to: a server on
// all addresses is asked on loopback.
func reachable(listen string) (string, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "", fmt.Errorf("address %q: %w", listen, err)
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case host == "", err == nil && ip.IsUnspecified():
		host = "localhost"
	}
	return net.JoinHostPort(host, port), nil
}
