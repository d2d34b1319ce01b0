package chat

// Origin says where a value came from. Origins are ordered by trust: a value
// made of several parts has the worst origin among them (see Worst).
type Origin int

const (
	// Self is the product's own text.
	Self Origin = iota
	// Member is what an identified person typed with their own hands.
	Member
	// TrustedTool is the output of a built-in tool or one that the operator named.
	TrustedTool
	// External is everything else: pages, files, forwards, quotes, other tools.
	External
)

var originNames = [...]string{"self", "member", "trusted tool", "external"}

// String returns the origin's name; an unknown value reads as "external".
func (o Origin) String() string {
	if o < Self || o > External {
		return originNames[External]
	}
	return originNames[o]
}

// Worst returns the least trusted of the origins, Self for none.
func Worst(origins ...Origin) Origin {
	worst := Self
	for _, o := range origins {
		worst = max(worst, o)
	}
	return worst
}
