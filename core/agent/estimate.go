package agent

import (
	"sync"
	"unicode/utf8"
)

// Rough weights, in quarters of a token: what an answer's usage then corrects.
const (
	perASCII   = 1 // four letters to a token
	perTwoByte = 2 // Latin with marks, Greek, Cyrillic, Arabic
	perCJK     = 4 // and everything else of three bytes
	perFour    = 8 // emoji, rare characters
	perMessage = 4 * 4
	perImage   = 4 * 1600 // the most that the known providers count for one picture
)

// estimate guesses a request's input tokens.
func estimate(q Request) int {
	n := weight(q.Prefix)
	for _, s := range q.Tools {
		n += weight(s.Name) + weight(s.Description) + len(s.Schema) + perMessage
	}
	return n/4 + estimateAll(q.Messages)
}

func estimateAll(msgs []Message) int {
	n := 0
	for _, m := range msgs {
		n += perMessage + weight(m.Text) + len(m.Images)*perImage + len(m.Opaque)
		for _, c := range m.Calls {
			n += perMessage + weight(c.Name) + weight(string(c.Args))
		}
		for _, o := range m.Results {
			n += perMessage + weight(o.Text)
		}
	}
	return n / 4
}

func weight(s string) int {
	n := 0
	for _, c := range s {
		switch {
		case c < utf8.RuneSelf:
			n += perASCII
		case c < 0x800:
			n += perTwoByte
		case c < 0x10000:
			n += perCJK
		default:
			n += perFour
		}
	}
	return n
}

// scale is how many tokens the model's provider counts for one of ours,
// learned from the answers. It is safe for concurrent use.
type scale struct {
	mu    sync.Mutex
	ratio float64 // zero: nothing was learned yet
}

// learn takes in what the provider counted for a request. It moves slowly and
// not far, so that one odd count does no harm.
func (s *scale) learn(counted, estimated int) {
	if estimated <= 0 {
		return
	}
	seen := min(max(float64(counted)/float64(estimated), 0.5), 3)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ratio == 0 {
		s.ratio = seen
	}
	s.ratio += 0.3 * (seen - s.ratio)
}

// tokens corrects an estimate.
func (s *scale) tokens(estimated int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ratio == 0 {
		return estimated
	}
	return int(float64(estimated) * s.ratio)
}
