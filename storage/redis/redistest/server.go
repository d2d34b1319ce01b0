package redistest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience bounds each wait for a server. A cluster takes two seconds after
// every start before it accepts writes.
const patience = 3 * time.Minute

// Options say which server is wanted. The zero value is a single one without a
// password.
type Options struct {
	// Cluster makes it a cluster of this one server with all 16384 slots.
	Cluster bool
	// Args are further settings, as on redis-server's command line.
	Args []string
}

// Server is a redis-server that runs as a child of the test. Its methods may
// not overlap.
type Server struct {
	opts   Options
	dir    string
	port   int
	bus    int // the cluster bus port
	cmd    *exec.Cmd
	exited chan struct{} // closed once the process is gone
}

// Start runs a server until the test ends.
func Start(tb testing.TB, opts Options) *Server {
	tb.Helper()
	s, err := Run(opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Stop)
	return s
}

// Run starts a server for a whole package, to be called in TestMain. The
// caller ends it with Stop.
func Run(opts Options) (*Server, error) {
	s, err := create(opts)
	if err != nil {
		return nil, err
	}
	// A port that was free a moment ago may be taken by somebody else.
	for range 3 {
		if s.port, s.bus, err = freePorts(); err != nil {
			break
		}
		if err = s.Restart(); err == nil {
			return s, nil
		}
		s.Kill()
	}
	s.Stop()
	return nil, err
}

func create(opts Options) (*Server, error) {
	dir, err := os.MkdirTemp("", "redistest")
	if err != nil {
		return nil, fmt.Errorf("make a directory for redis-server: %w", err)
	}
	return &Server{opts: opts, dir: dir}, nil
}

// Addr is the server's host and port.
func (s *Server) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// URL is the server's address in the form that redis.Open takes.
func (s *Server) URL() string {
	if s.opts.Cluster {
		return "redis+cluster://" + s.Addr()
	}
	return "redis://" + s.Addr()
}

// Restart starts the server after Kill, on the same port and files, and
// returns once it takes writes.
func (s *Server) Restart() error {
	args := []string{
		"--bind", "127.0.0.1", "--port", strconv.Itoa(s.port), "--dir", s.dir, "--logfile", s.log(),
		// Synced by the system only, so that each write is in the file before
		// it is acknowledged. With everysec it may wait in the server's memory
		// while a sync is under way, and be lost by Kill.
		"--appendonly", "yes", "--appendfsync", "no", "--save", "",
	}
	if s.opts.Cluster {
		args = append(args, "--cluster-enabled", "yes", "--cluster-port", strconv.Itoa(s.bus))
	}
	if err := s.launch(append(args, s.opts.Args...)...); err != nil {
		return err
	}
	if err := s.wait("Ready to accept connections"); err != nil || !s.opts.Cluster {
		return err
	}
	return s.formCluster()
}

func (s *Server) log() string { return filepath.Join(s.dir, "redis.log") }

func (s *Server) launch(args ...string) error {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		return errors.New("redis-server is not installed; remedy: apt-get install redis-server")
	}
	_ = os.Remove(s.log()) // what an earlier process wrote must not be taken for this one's
	s.cmd = exec.Command(path, args...)
	s.cmd.SysProcAttr = attr()
	if err := s.cmd.Start(); err != nil {
		return fmt.Errorf("start redis-server: %w", err)
	}
	s.exited = make(chan struct{})
	go func(cmd *exec.Cmd, exited chan struct{}) {
		defer close(exited)
		_ = cmd.Wait() // says "killed", as asked
	}(s.cmd, s.exited)
	return nil
}

// wait returns once the server's log holds a text.
func (s *Server) wait(text string) error {
	return s.poll(func() bool {
		log, err := os.ReadFile(s.log())
		return err == nil && strings.Contains(string(log), text)
	})
}

// poll returns once a condition holds, and an error if the server exits or
// takes too long.
func (s *Server) poll(done func() bool) error {
	deadline := time.After(patience)
	for !done() {
		select {
		case <-time.After(2 * time.Millisecond):
			continue
		case <-deadline:
		case <-s.exited:
		}
		log, _ := os.ReadFile(s.log()) // shown if it is there
		return fmt.Errorf("redis-server on %s does not come up:\n%s", s.Addr(), log)
	}
	return nil
}

// Kill ends the server as a crash does, without a chance to write anything.
func (s *Server) Kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill() // fails only if it is dead already
	<-s.exited
	s.cmd = nil
}

// Freeze stops the server's process; its connections stay open and silent.
func (s *Server) Freeze() error { return s.cmd.Process.Signal(syscall.SIGSTOP) }

// Thaw lets a frozen server go on.
func (s *Server) Thaw() error { return s.cmd.Process.Signal(syscall.SIGCONT) }

// Stop ends the server and removes its files.
func (s *Server) Stop() {
	s.Kill()
	_ = os.RemoveAll(s.dir) // a leftover in the temporary directory harms nobody
}

// freePorts finds two free ports of the loopback interface.
func freePorts() (port, bus int, err error) {
	a, err := listen()
	if err != nil {
		return 0, 0, err
	}
	defer a.Close()
	b, err := listen()
	if err != nil {
		return 0, 0, err
	}
	defer b.Close()
	return a.Addr().(*net.TCPAddr).Port, b.Addr().(*net.TCPAddr).Port, nil
}

// listen takes a port below those that systems give to whoever asks for any, as
// connections and other tests do all the time: while a server is down, nobody
// takes its port from it.
func listen() (l net.Listener, err error) {
	const lowest, many, attempts = 12_000, 18_000, 100
	for range attempts {
		port := strconv.Itoa(lowest + rand.IntN(many))
		if l, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", port)); err == nil {
			return l, nil
		}
	}
	return nil, fmt.Errorf("find a free port: %w", err)
}
