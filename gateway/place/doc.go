// Package place knows what people call the places of chat platforms, and which
// one somebody means by a word.
//
// It tells people of no place that they are not in: names are looked for among
// the places that they took part in and are members of. Whether somebody may do
// something at the place that was found is not its concern.
//
// # Decisions
//
// Adapters write a mention of a channel out as its name, so a name and a mention
// are the same here. What can be no name of a place that is known is taken for
// an id only where it has the platform's form of one; a wrong name is answered
// with names that are like it rather than with "no such place".
package place
