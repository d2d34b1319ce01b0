// Package curate looks after what was learned, at night and once a week: it
// takes back revisions that do worse than the ones before, has skills that fail
// rewritten, adds the pitfalls that uses met to those that worked, puts away
// what nobody uses, joins what overlaps, settles cards, checks the health of
// skills, and tells those who decide what it did and what it would have them say.
// It also carries out what cannot wait for a night: that a person's preferences
// have changed, and that the source of something learned is gone.
//
// A look at a scope comes to a [Plan], a value that [Decide] makes from all that
// was read and from nothing else; [Curator.Apply] carries out exactly that. So
// what a dry run shows is what the run does. What is done can be taken back;
// what is lasting, or somebody else's, is asked, or proposed as a draft.
//
// It never deletes. Of skills that it did not write, and of pinned ones, it
// changes nothing: it says what it would do. Whatever it changes goes through
// the library's unattended door, which refuses the same.
//
// # Decisions
//
// A revision is worse than the one before with the probability that two beta
// posteriors give. One measure of 0.995 every night had, over 50 nights, up to
// 5 % false alarms at equal quality, and more with each further night; so 0.995
// is asked for in the first 40 uses of a revision, when its change would show,
// and 0.999 from then on. A test simulates both errors.
//
// How a skill does is judged by the uses of the revision in force alone. Those
// of earlier ones would have it rewritten for mistakes that were mended.
//
// That a skill was used or changed since the last look is the condition for
// every judgement of it, but not for its growing stale.
//
// Several skills become one without a model: the one that has proven itself
// best takes the others in as references. A model would write a smoother text,
// and might lose the sentence for which a skill was kept. It is always a draft.
//
// Pitfalls are collected without a model too, and all of a night's in one
// revision: each review adding its own would make a revision of every use, and
// none would be in force long enough to be judged.
//
// The health check takes only the bot's own skills out of use. A skill that
// somebody wrote, took in or pinned was let in on their word, and a check that
// has become stricter since does not overrule it: they are told, with a button.
//
// A changed preference has to be said as one that lasts: "I use Go now, not
// Python", and not "use Go, not Python". One that is missed costs a
// correction; one made up puts somebody's skills away.
//
// What rests on a deleted message is disabled even if other messages speak for
// it too: only a person can say whether the rest is enough. A card is kept while
// anything else speaks for it.
package curate
