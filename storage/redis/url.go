package redis

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// target is what a storage URL says. It is read by hand, since net/url takes
// one host only and puts the whole text, with the password, into its errors.
type target struct {
	hosts              []string // host:port
	user, password     string
	db                 int
	tls                bool
	cluster            bool
	master             string // with sentinels: the name they watch
	sentinelUser       string
	sentinelPassword   string
	allHostsOnLoopback bool
}

// The ports that are meant where a URL gives none.
const (
	serverPort   = "6379"
	sentinelPort = "26379"
)

// parseURL reads the four forms that doc.go lists. Its errors quote nothing
// that may hold a secret.
func parseURL(text string) (target, error) {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		return target{}, errors.New("the Redis URL has no scheme such as redis://")
	}
	rest, query, _ := strings.Cut(rest, "?")
	authority, path, _ := strings.Cut(rest, "/")

	var t target
	port, sentinels := serverPort, false
	switch scheme {
	case "redis":
	case "rediss":
		t.tls = true
	case "redis+sentinel":
		port, sentinels = sentinelPort, true
	case "redis+cluster":
		t.cluster = true
	default:
		return target{}, errors.New("the Redis URL must begin with redis://, rediss://, redis+sentinel:// or redis+cluster://")
	}
	if err := t.readAuthority(authority, port); err != nil {
		return target{}, err
	}
	if err := t.readQuery(query, sentinels); err != nil {
		return target{}, err
	}
	if len(t.hosts) > 1 && !t.cluster && !sentinels {
		return target{}, errors.New("the Redis URL names several hosts; that needs redis+sentinel:// or redis+cluster://")
	}
	return t, t.readDatabase(path)
}

func (t *target) readAuthority(authority, port string) error {
	hosts := authority
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		user, password, _ := strings.Cut(authority[:at], ":")
		hosts = authority[at+1:]
		var errs [2]error
		t.user, errs[0] = url.PathUnescape(user)
		t.password, errs[1] = url.PathUnescape(password)
		if errs[0] != nil || errs[1] != nil {
			return errors.New("user or password in the Redis URL: a % must be written as %25")
		}
		if t.user != "" && t.password == "" {
			return errors.New("the Redis URL has a user but no password")
		}
	}
	t.allHostsOnLoopback = true
	for h := range strings.SplitSeq(hosts, ",") {
		addr, err := hostPort(h, port)
		if err != nil {
			return err
		}
		t.hosts = append(t.hosts, addr)
		t.allHostsOnLoopback = t.allHostsOnLoopback && onLoopback(addr)
	}
	return nil
}

// hostPort adds the port where none is given.
func hostPort(h, port string) (string, error) {
	host := h
	if strings.Contains(strings.TrimPrefix(h, "["), ":") && !strings.HasSuffix(h, "]") {
		var err error
		if host, port, err = net.SplitHostPort(h); err != nil {
			return "", errors.New("the Redis URL has a host that is not NAME, NAME:PORT or [IPv6]:PORT")
		}
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if host == "" || strings.ContainsAny(host, "[]@ ") {
		return "", errors.New("the Redis URL names no host, or not a valid one")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return "", errors.New("the Redis URL has a port that is not a number from 1 to 65535")
	}
	return net.JoinHostPort(host, port), nil
}

// onLoopback tells whether an address can be reached from this machine only.
// A name other than localhost can't be trusted to stay where it points today;
// no name, as in a cluster that has not learned its address, is this machine.
func onLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "" || strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

func (t *target) readQuery(query string, sentinels bool) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return errors.New("the part of the Redis URL after ? can't be read")
	}
	for name := range values {
		value := values.Get(name)
		switch {
		case name == "tls" && (t.cluster || sentinels):
			if t.tls, err = strconv.ParseBool(value); err != nil {
				return errors.New("tls in the Redis URL must be true or false")
			}
		case name == "master" && sentinels:
			t.master = value
		case name == "sentinel_user" && sentinels:
			t.sentinelUser = value
		case name == "sentinel_password" && sentinels:
			t.sentinelPassword = value
		default:
			return fmt.Errorf("the Redis URL has an option %q that it can't have", name)
		}
	}
	if sentinels && t.master == "" {
		return errors.New("the Redis URL lacks ?master=NAME, the name under which the sentinels watch the server")
	}
	return nil
}

func (t *target) readDatabase(path string) error {
	if path == "" {
		return nil
	}
	db, err := strconv.ParseUint(path, 10, 16)
	if err != nil {
		return errors.New("the database in the Redis URL is not a number")
	}
	if t.cluster && db != 0 {
		return errors.New("a Redis cluster has only database 0")
	}
	t.db = int(db)
	return nil
}
