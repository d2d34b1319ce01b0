package replay

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"talaria/adapters/inbound"
)

// Request is one line of input: events of one platform in order of arrival.
type Request struct {
	ID       string            `json:"id"`
	Platform string            `json:"platform"`
	Context  Context           `json:"context"`
	Events   []json.RawMessage `json:"events"`
}

// Context is what a Request says was known before its events.
type Context struct {
	inbound.Known
	Seen           []string `json:"seen"`             // dedupe keys already done
	Queued         Queue    `json:"queued"`           // messages still waiting
	ActiveThreads  []string `json:"active_threads"`   // "chat#thread" that the bot takes part in
	RequireMention *bool    `json:"require_mention"`  // outside direct messages; nil is true
	AllowBots      Bots     `json:"allow_bots"`       // other bots may mention this one
	AllowedChats   []string `json:"allowed_channels"` // empty: all
	Now            Instant  `json:"now"`
	MaxAge         float64  `json:"max_age_s"` // seconds; zero: no limit
}

// Queue is the set of waiting messages by dedupe key, with their texts where
// they are told. It is read from a list of keys or of objects.
type Queue map[string]string

// UnmarshalJSON implements json.Unmarshaler.
func (q *Queue) UnmarshalJSON(data []byte) error {
	var entries []json.RawMessage
	if err := json.Unmarshal(data, &entries); err != nil {
		return err
	}
	*q = Queue{}
	for _, raw := range entries {
		var key string
		if json.Unmarshal(raw, &key) == nil {
			(*q)[key] = ""
			continue
		}
		var entry struct {
			Key  string `json:"dedupe_key"`
			Text string `json:"text"`
		}
		if err := json.Unmarshal(raw, &entry); err != nil {
			return err
		}
		(*q)[entry.Key] = entry.Text
	}
	return nil
}

// Bots is read from a bool or a word: "none" or an empty one is false.
type Bots bool

// UnmarshalJSON implements json.Unmarshaler.
func (b *Bots) UnmarshalJSON(data []byte) error {
	switch strings.Trim(string(data), `"`) {
	case "null", "false", "none", "":
		*b = false
	default:
		*b = true
	}
	return nil
}

// Instant is a time in RFC 3339 or in Unix seconds; zero is unknown.
type Instant struct{ time.Time }

// UnmarshalJSON implements json.Unmarshaler.
func (i *Instant) UnmarshalJSON(data []byte) error {
	word := strings.Trim(string(data), `"`)
	if word == "null" || word == "" {
		return nil
	}
	if seconds, err := strconv.ParseFloat(word, 64); err == nil {
		i.Time = time.UnixMilli(int64(seconds * 1000)).UTC()
		return nil
	}
	at, err := time.Parse(time.RFC3339, word)
	i.Time = at
	return err
}
