package sim

// Tally relates what people said to what the bot answered.
type Tally[M any] struct {
	Said       int // messages of people
	Answered   int // of these, with exactly one answer
	Lost       []M // without an answer
	Doubled    []M // with more than one
	Disordered []M // answers before an answer to something said earlier in the place
	Strays     []M // the bot's messages that answer nothing
}

// Reading is how a platform's messages are read.
type Reading[M any, K comparable] struct {
	Own     func(M) bool      // it is the bot's
	ID      func(M) K         // within its place
	Answers func(M) K         // the id of what it answers, zero for nothing
	Before  func(a, b K) bool // a was said earlier than b; zero was before all
}

// Count adds the messages of one place, in order.
func Count[M any, K comparable](t *Tally[M], messages []M, r Reading[M, K]) {
	var latest, none K
	given := map[K]int{}
	for _, m := range messages {
		if !r.Own(m) {
			continue
		}
		to := r.Answers(m)
		switch {
		case to == none:
			t.Strays = append(t.Strays, m)
			continue
		case r.Before(to, latest) && given[to] == 0:
			t.Disordered = append(t.Disordered, m)
		}
		given[to]++
		if r.Before(latest, to) {
			latest = to
		}
	}
	for _, m := range messages {
		if r.Own(m) {
			continue
		}
		t.Said++
		switch given[r.ID(m)] {
		case 0:
			t.Lost = append(t.Lost, m)
		case 1:
			t.Answered++
		default:
			t.Doubled = append(t.Doubled, m)
		}
	}
}
