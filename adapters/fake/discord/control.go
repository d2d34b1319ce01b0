package discord

// each does something with every connection.
func (s *Server) each(do func(*connection)) {
	s.mu.Lock()
	var all []*connection
	for c := range s.connections {
		all = append(all, c)
	}
	s.mu.Unlock()
	for _, c := range all {
		do(c)
	}
}

// Drop cuts all connections to the gateway, without a word.
func (s *Server) Drop() { s.each(func(c *connection) { _ = c.ws.Close() }) }

// CloseWith closes all connections with a code.
func (s *Server) CloseWith(code int) { s.each(func(c *connection) { c.close(code) }) }

// Reconnect asks all clients to connect anew.
func (s *Server) Reconnect() {
	s.each(func(c *connection) { c.write(map[string]any{"op": 7, "d": nil}) })
}

// Invalidate tells all clients that their session is invalid.
func (s *Server) Invalidate(resumable bool) {
	if !resumable {
		s.ForgetSessions()
	}
	s.each(func(c *connection) { c.write(map[string]any{"op": 9, "d": resumable}) })
}

// ForgetSessions ends all sessions: none can be resumed.
func (s *Server) ForgetSessions() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.sessions {
		n.over = true
	}
}

// Mute keeps heartbeats from being acknowledged.
func (s *Server) Mute(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gateway.mute = on
}

// Silent has connections accepted and nothing said.
func (s *Server) Silent(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gateway.silent = on
}

// Exhaust leaves no sessions for the day.
func (s *Server) Exhaust() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gateway.left = -1
}

// Connections is how many connections there are.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.connections)
}

// Ready is how many of them have a session.
func (s *Server) Ready() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for c := range s.connections {
		if c.session != nil {
			n++
		}
	}
	return n
}

// Heartbeats is how many heartbeats came, acknowledged or not.
func (s *Server) Heartbeats() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gateway.beats
}

// Identifies is how many sessions began.
func (s *Server) Identifies() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gateway.identifies
}

// Resumes is how many sessions were gone on with.
func (s *Server) Resumes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gateway.resumes
}

// Closes are the codes that clients have closed with.
func (s *Server) Closes() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]int(nil), s.gateway.closes...)
}

// Acknowledged reports whether a message will not be told again to a session
// that is resumed.
func (s *Server) Acknowledged(message string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.sessions {
		for _, f := range n.frames {
			if f.message == message && n.acked >= f.Seq {
				return true
			}
		}
	}
	return false
}
