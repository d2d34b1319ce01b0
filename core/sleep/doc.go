// Package sleep waits as time.Sleep does, but not longer than somebody wants it.
package sleep
