package slack

// Archive archives a channel. What is told of it may be lost on its way.
func (s *Server) Archive(id string, told bool) {
	s.mu.Lock()
	s.channels[id].archived = true
	if told {
		s.emit(map[string]any{"type": "channel_archive", "channel": id})
	}
	s.mu.Unlock()
	s.Raise()
}

// Remove deletes a channel with what was said in it.
func (s *Server) Remove(id string, told bool) {
	s.mu.Lock()
	delete(s.channels, id)
	if told {
		s.emit(map[string]any{"type": "channel_deleted", "channel": id})
	}
	s.mu.Unlock()
	s.Raise()
}

// PutOut takes the bot out of a channel.
func (s *Server) PutOut(id string, told bool) {
	s.mu.Lock()
	delete(s.channels[id].members, BotUser)
	if told {
		s.emit(map[string]any{"type": "channel_left", "channel": id})
	}
	s.mu.Unlock()
	s.Raise()
}
