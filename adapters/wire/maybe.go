package wire

import "encoding/json"

// Maybe is a part of an event that may be absent, or may have changed its
// shape: then it alone is lost and not the whole event.
type Maybe[T any] struct{ Is *T }

// UnmarshalJSON implements json.Unmarshaler.
func (m *Maybe[T]) UnmarshalJSON(data []byte) error {
	v := new(T)
	if string(data) != "null" && json.Unmarshal(data, v) == nil {
		m.Is = v
	}
	return nil
}

// Or returns the part, or T's zero value.
func (m Maybe[T]) Or() (v T) {
	if m.Is != nil {
		v = *m.Is
	}
	return v
}
