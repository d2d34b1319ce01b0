package slack

// maxRecent bounds the deliveries remembered: some seconds' worth in a busy
// workspace. Whether an event was had before is decided by the Handler; this
// only spares it what Slack repeats for want of an acknowledgement.
const maxRecent = 1024

// recent is the set of the names added last.
type recent struct {
	there map[string]bool
	order []string // a ring, once it is full
	next  int
}

func (r *recent) has(name string) bool { return r.there[name] }

func (r *recent) add(name string) {
	switch {
	case r.there[name]:
		return
	case r.there == nil:
		r.there = map[string]bool{}
	}
	r.there[name] = true
	if len(r.order) < maxRecent {
		r.order = append(r.order, name)
		return
	}
	delete(r.there, r.order[r.next])
	r.order[r.next] = name
	r.next = (r.next + 1) % maxRecent
}
