package config

import (
	"net/netip"
	"net/url"
	"slices"
)

// Off is the value of web.listen for no listener.
const Off = "off"

// Loopback reports whether a host names this machine only.
func Loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// WebHosts are the names that requests to the web listener may be addressed
// to: those of [web], and the one that Telegram was told.
func (c Config) WebHosts() []string {
	hosts := slices.Clone(c.Web.Hosts)
	if u, err := url.Parse(c.Adapters.Telegram.WebhookURL); err == nil && u.Hostname() != "" {
		hosts = append(hosts, u.Hostname())
	}
	return hosts
}
