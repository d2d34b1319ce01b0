// Package rehearsal is the built-in model: with it the product can be tried,
// shown and tested without a key, a network or a cost. It is no language model
// and says so. It knows a list of common intents in English and Chinese by
// their wording, and carries them out with the tools that a request offers: it
// remembers and recalls, searches earlier conversations, fetches pages, reads
// and writes files, tells the time, does sums, goes through the steps of a
// skill that its prompt holds, and several of these in one message. To anything
// else it answers what it can do.
//
// It is deterministic: the same request has the same answer.
//
// How a message becomes an answer:
//
//	scene.go      what the request holds: the words, the tools, what is known
//	clause.go     the message in parts, one for each thing to do
//	rule.go       a part's wording against the tables of rules_en.go, rules_zh.go
//	act.go        what each intent does with which tool, and how it is told
//	procedure.go  the steps of a skill in place of the message's own
//	task.go       the steps in order, what they came to, what is called next
//
// # Decisions
//
// A request is all it knows: how far a task has come is worked out anew each
// time by going through what was called since the person spoke. So a turn that
// is resumed after a crash, or handed to another replica, goes on where it was.
//
// It never guesses. Where a wording fits no rule it says so, since a wrong
// action by something that sounds sure of itself is the worst first impression.
package rehearsal
