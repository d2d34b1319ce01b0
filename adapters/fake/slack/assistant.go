package slack

import (
	"encoding/json"
	"slices"
	"unicode/utf8"
)

// maxPrompts is how many prompts may be suggested
// (docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts), and
// maxLoading how many texts a status may go through
// (docs.slack.dev/reference/methods/assistant.threads.setStatus).
const (
	maxPrompts = 4
	maxLoading = 10
)

// Assistant is a thread in the container of AI apps, as the app furnished it.
type Assistant struct {
	User, Channel, Thread string
	Title                 string
	Heading               string   // of the prompts
	Prompts               []Prompt // suggested
}

// Prompt is what a person may press to say.
type Prompt struct {
	Title   string `json:"title"`
	Message string `json:"message"`
}

// OpenAssistant has a person open the app's container, looking at a channel, and
// returns the thread that begins there
// (docs.slack.dev/reference/events/assistant_thread_started).
func (s *Server) OpenAssistant(user, looking string) (thread string) {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	ch := s.direct(user)
	root := s.add(ch, &Message{User: BotUser, Text: "New Assistant Thread", Opening: true})
	s.assistants[root.TS] = &Assistant{User: user, Channel: ch.id, Thread: root.TS}
	s.emitAssistant("assistant_thread_started", root.TS, looking)
	return root.TS
}

// LookElsewhere has the person of an assistant thread go to another channel.
func (s *Server) LookElsewhere(thread, looking string) {
	s.mu.Lock()
	defer s.Raise()
	defer s.mu.Unlock()
	s.emitAssistant("assistant_thread_context_changed", thread, looking)
}

func (s *Server) emitAssistant(kind, thread, looking string) {
	a := s.assistants[thread]
	s.emit(map[string]any{"type": kind, "assistant_thread": map[string]any{
		"user_id": a.User, "channel_id": a.Channel, "thread_ts": a.Thread,
		"context": map[string]any{"channel_id": looking, "team_id": Team},
	}})
}

// Assistant returns an assistant thread.
func (s *Server) Assistant(thread string) Assistant {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.assistants[thread]
	if a == nil {
		return Assistant{}
	}
	copied := *a
	copied.Prompts = slices.Clone(a.Prompts)
	return copied
}

// setStatus is assistant.threads.setStatus, for threads anywhere.
func (s *Server) setStatus(c *call) reply {
	ch := s.channels[c.params["channel_id"]]
	var loading []string
	if raw := c.params["loading_messages"]; raw != "" && json.Unmarshal([]byte(raw), &loading) != nil {
		loading = []string{raw}
	}
	switch {
	case ch == nil:
		return refuse("channel_not_found")
	case ch.find(c.params["thread_ts"]) == nil:
		return refuse("invalid_thread_ts")
	case len(loading) > maxLoading:
		return refuse("invalid_arguments")
	}
	s.statuses = append(s.statuses, Status{ch.id, c.params["thread_ts"], c.params["status"]})
	return ok(nil)
}

// assistant returns the assistant thread that a call is about.
func (s *Server) assistant(c *call) (*Assistant, reply) {
	a := s.assistants[c.params["thread_ts"]]
	switch {
	case s.channels[c.params["channel_id"]] == nil:
		return nil, refuse("channel_not_found")
	case a == nil || a.Channel != c.params["channel_id"]:
		return nil, refuse("invalid_thread_ts")
	}
	return a, ok(nil)
}

// setPrompts is assistant.threads.setSuggestedPrompts.
func (s *Server) setPrompts(c *call) reply {
	a, refused := s.assistant(c)
	if refused.refused != "" {
		return refused
	}
	var prompts []Prompt
	err := json.Unmarshal([]byte(c.params["prompts"]), &prompts)
	incomplete := slices.ContainsFunc(prompts, func(p Prompt) bool { return p.Title == "" || p.Message == "" })
	if err != nil || len(prompts) == 0 || len(prompts) > maxPrompts || incomplete {
		return refuse("invalid_arguments")
	}
	a.Heading, a.Prompts = c.params["title"], prompts
	return ok(nil)
}

// setTitle is assistant.threads.setTitle.
func (s *Server) setTitle(c *call) reply {
	a, refused := s.assistant(c)
	switch {
	case refused.refused != "":
		return refused
	case utf8.RuneCountInString(c.params["title"]) == 0:
		return refuse("invalid_arguments")
	}
	a.Title = c.params["title"]
	return ok(nil)
}
