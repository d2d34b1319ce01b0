package config

import (
	"fmt"
	"time"
)

// Duration is a time.Duration written as "90s", "10m" or "12h".
type Duration struct{ time.Duration }

// UnmarshalText reads what time.ParseDuration reads, and refuses a negative
// duration.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	switch {
	case err != nil:
		return fmt.Errorf(`%q is no duration; write it with a unit, like "90s", "10m" or "12h"`, b)
	case v < 0:
		return fmt.Errorf("%q is negative; write a positive duration", b)
	}
	d.Duration = v
	return nil
}

// MarshalText writes the duration in the form that UnmarshalText reads.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }
