package egress

import "net/netip"

// Prefixes of IPv4 that are not public: the special-purpose registry of IANA
// (RFC 6890 and its successors), multicast, and Azure's platform address.
var closed4 = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24",
	"192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
	"224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32",
)

// Prefixes within IPv6's global unicast space that are not public: protocol
// assignments with Teredo and ORCHID, documentation, 6to4, and AS112.
var closed6 = prefixes(
	"2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
)

var (
	global6 = netip.MustParsePrefix("2000::/3")
	nat64   = netip.MustParsePrefix("64:ff9b::/96") // RFC 6052: the IPv4 address is in the last four bytes
)

func prefixes(texts ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, t := range texts {
		out = append(out, netip.MustParsePrefix(t))
	}
	return out
}

// Public reports whether an address belongs to the public internet, whatever
// form it is written in. Addresses with a zone are never public.
func Public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	switch {
	case a.Is4():
		return !within(closed4, a)
	case nat64.Contains(a):
		return Public(lastFour(a))
	case isatap(a) && !Public(lastFour(a)):
		return false
	}
	return global6.Contains(a) && !within(closed6, a)
}

func within(list []netip.Prefix, a netip.Addr) bool {
	for _, p := range list {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

func lastFour(a netip.Addr) netip.Addr {
	b := a.As16()
	return netip.AddrFrom4([4]byte(b[12:]))
}

// isatap reports an interface identifier that tunnels to the IPv4 address in
// its last four bytes (RFC 5214).
func isatap(a netip.Addr) bool {
	b := a.As16()
	return b[8]&^0x02 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}
