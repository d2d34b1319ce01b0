package modeltest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// eventList is a stream of events, ready to be sent whole or one by one. It is
// written by hand, for benchmarks drive thousands of answers a second.
type eventList struct {
	bytes []byte
	ends  []int
}

func (s *eventList) len() int { return len(s.ends) }

func (s *eventList) upTo(n int) []byte {
	if n == 0 {
		return nil
	}
	return s.bytes[:s.ends[n-1]]
}

func (s *eventList) at(i int) []byte {
	from := 0
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.bytes[from:s.ends[i]]
}

// add writes an event out of parts; an empty name leaves out the event line.
func (s *eventList) add(name string, parts ...string) {
	if name != "" {
		s.bytes = append(s.bytes, "event: "...)
		s.bytes = append(s.bytes, name...)
		s.bytes = append(s.bytes, '\n')
	}
	s.bytes = append(s.bytes, "data: "...)
	for _, p := range parts {
		s.bytes = append(s.bytes, p...)
	}
	s.bytes = append(s.bytes, "\n\n"...)
	s.ends = append(s.ends, len(s.bytes))
}

// quote is a JSON string.
func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // strings always marshal
	}
	return string(quoted)
}

// object is args if they are a JSON value, else an empty object.
func object(args string) string {
	if json.Valid([]byte(args)) {
		return args
	}
	return "{}"
}

func callID(r Request, i int) string {
	if r.Format == Anthropic {
		return fmt.Sprintf("toolu_%d_%d", r.N, i)
	}
	return fmt.Sprintf("call_%d_%d", r.N, i)
}

// sign is the signature of a thought: opaque to clients, checked when it
// comes back.
func sign(thinking string) string {
	sum := sha256.Sum256([]byte("modeltest:" + thinking))
	return hex.EncodeToString(sum[:])
}
