package redistest

import (
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// formCluster gives all slots to the only node, unless it remembers them from
// before a restart, and waits until the cluster counts itself as complete.
func (s *Server) formCluster() error {
	if !strings.Contains(s.ask("CLUSTER INFO"), "cluster_slots_assigned:16384") {
		if reply := s.ask("CLUSTER ADDSLOTSRANGE 0 16383"); !strings.HasPrefix(reply, "+OK") {
			return fmt.Errorf("assign slots to redis-server on %s: %q", s.Addr(), reply)
		}
	}
	return s.poll(func() bool {
		return strings.Contains(s.ask("CLUSTER INFO"), "cluster_state:ok")
	})
}

// ask sends one command in the inline form and returns the raw reply, or
// nothing if there is none. It needs no client library.
func (s *Server) ask(command string) string {
	conn, err := net.DialTimeout("tcp", s.Addr(), time.Second)
	if err != nil {
		return ""
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(time.Second)); err != nil {
		return ""
	}
	// QUIT makes the server close the connection, which ends the reading.
	if _, err := io.WriteString(conn, command+"\r\nQUIT\r\n"); err != nil {
		return ""
	}
	reply, err := io.ReadAll(conn)
	if err != nil {
		return ""
	}
	return string(reply)
}
