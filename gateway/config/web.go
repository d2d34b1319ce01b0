package config

import "net/netip"

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
