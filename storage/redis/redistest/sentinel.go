package redistest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
)

// Master is the name under which StartSentinel's sentinel knows its server.
const Master = "main"

// StartSentinel runs a sentinel that watches a server until the test ends.
func StartSentinel(tb testing.TB, watched *Server) *Server {
	tb.Helper()
	s, err := create(Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Stop)
	if s.port, s.bus, err = freePorts(); err != nil {
		tb.Fatal(err)
	}
	if err := s.watch(watched); err != nil {
		tb.Fatal(err)
	}
	return s
}

func (s *Server) watch(watched *Server) error {
	host, port, err := net.SplitHostPort(watched.Addr())
	if err != nil {
		return err
	}
	config := fmt.Sprintf("bind 127.0.0.1\nport %d\ndir %s\nlogfile %s\nsentinel monitor %s %s %s 1\n",
		s.port, s.dir, s.log(), Master, host, port)
	path := filepath.Join(s.dir, "sentinel.conf")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		return fmt.Errorf("write the sentinel's configuration: %w", err)
	}
	if err := s.launch(path, "--sentinel"); err != nil {
		return err
	}
	return s.wait("+monitor master " + Master)
}
