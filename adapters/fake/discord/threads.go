package discord

import "net/http"

// listActiveThreads tells of a server's threads
// (discord.com/developers/docs/resources/guild#list-active-guild-threads).
func (s *Server) listActiveThreads(c *call) reply {
	id := c.PathValue("guild")
	if s.guilds[id] == nil {
		return refuse(http.StatusNotFound, 10004, "Unknown Guild")
	}
	all := []any{}
	for _, p := range s.channels {
		if p.guild != id || p.kind != threadKind {
			continue
		}
		w := p.wire()
		if n := len(p.messages); n > 0 {
			w["last_message_id"] = p.messages[n-1].ID
		}
		all = append(all, w)
	}
	return ok(map[string]any{"threads": all, "members": []any{}})
}
