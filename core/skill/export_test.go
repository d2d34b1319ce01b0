package skill

import "time"

// Believe makes a library believe for that long what it listed, before it is
// used: so that what is seen sooner was told to it, on the slowest machine.
func (l *Library) Believe(by time.Duration) { l.believe = by }
