package discord

// Vanish deletes a channel. What is told of it may be lost on its way.
func (s *Server) Vanish(id string, told bool) {
	s.mu.Lock()
	p := s.channels[id]
	delete(s.channels, id)
	if told {
		s.dispatch("CHANNEL_DELETE", p.wire())
	}
	s.mu.Unlock()
}

// Bar takes the right to write in a channel from the bot.
func (s *Server) Bar(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels[id].barred = true
}
