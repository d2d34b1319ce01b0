package export

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// compress brings a conversation to about a number of tokens: first the results
// in its middle are cut, then calls in the middle are folded, then turns in the
// middle are left out. The first question and the last answer stay. The roles
// go on alternating.
func compress(messages []Message, budget int) []Message {
	for _, shorter := range []func([]Message) []Message{cutResults, foldCalls, dropTurns} {
		if tokens(messages) <= budget {
			return messages
		}
		messages = shorter(messages)
	}
	for limit := 2000; tokens(messages) > budget && limit >= 100; limit /= 2 {
		messages = cutAll(messages, limit)
	}
	return messages
}

// tokens estimates a conversation: four letters, or one character of a script
// without spaces.
func tokens(messages []Message) int {
	n := 0
	for _, m := range messages {
		for _, text := range []string{m.Value, m.Thought} {
			runes := utf8.RuneCountInString(text)
			wide := (len(text) - runes) / 2 // characters of three bytes
			n += (runes-wide)/4 + wide
		}
		n += 4
	}
	return n
}

const resultLimit = 200 // characters

func cutResults(messages []Message) []Message {
	out := slices.Clone(messages)
	for n := range out {
		if m := &out[n]; m.From == Result && n < len(out)-2 {
			m.Value = cut(m.Value, resultLimit)
		}
	}
	return out
}

// foldCalls leaves, of each turn, the first call and the last two, with a note
// in the first one's result of what is left out.
func foldCalls(messages []Message) []Message {
	var out []Message
	for n := 0; n < len(messages); {
		end := n
		for end+1 < len(messages) && messages[end].From == FunctionCall {
			end += 2
		}
		if calls := messages[n:end]; len(calls) > 2*3 {
			note := leftOut(calls[2 : len(calls)-4])
			out = append(out, calls[0], Message{From: Result, Value: calls[1].Value + "\n" + note})
			out = append(out, calls[len(calls)-4:]...)
		} else {
			out = append(out, calls...)
		}
		if end < len(messages) {
			out = append(out, messages[end])
		}
		n = end + 1
	}
	return out
}

// leftOut says which tools were called.
func leftOut(calls []Message) string {
	counts := map[string]int{}
	for _, m := range calls {
		if m.From != FunctionCall {
			continue
		}
		for _, name := range names(m.Value) {
			counts[name]++
		}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return "[calls left out here: " + strings.Join(parts, ", ") + "]"
}

// names are those of the tools in a message of calls.
func names(value string) []string {
	type call struct{ Name string }
	var list []call
	var single call
	if json.Unmarshal([]byte(value), &list) != nil && json.Unmarshal([]byte(value), &single) == nil {
		list = []call{single}
	}
	var out []string
	for _, c := range list {
		out = append(out, c.Name)
	}
	return out
}

// dropTurns leaves the first turn and the last one.
func dropTurns(messages []Message) []Message {
	var starts []int
	for n, m := range messages {
		if m.From == Human {
			starts = append(starts, n)
		}
	}
	if len(starts) < 3 {
		return messages
	}
	return slices.Concat(messages[:starts[1]], messages[starts[len(starts)-1]:])
}

func cutAll(messages []Message, limit int) []Message {
	out := slices.Clone(messages)
	for n := range out {
		out[n].Thought = cut(out[n].Thought, limit/4)
		if out[n].From != FunctionCall { // what is left of its JSON would be none
			out[n].Value = cut(out[n].Value, limit)
		}
	}
	return out
}

func cut(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return string(runes[:limit]) + " [...]"
}
