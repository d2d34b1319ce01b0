// Package daily makes the daily briefings: what a person, or the members of a
// space, want to be told every day of what is new.
//
// A briefing is a job like any other, so when it comes, that it comes once, what
// happens after a time without the bot, and where it goes once a place is gone
// is all the scheduler's. Here is what is its own: the set-up by buttons (Desk),
// and the gathering of what there is to tell (Gatherer). Wording it is the
// model's; where none can be had, it is told as it was gathered.
//
// # What is told
//
// Each section reads the stores as they are at that moment, under the rights
// that the owner has at that moment. What a space is told comes from that space
// alone. What other people wrote is cut short, loses its markup, and reaches the
// model as data.
//
// Only what is new is told. What there was is remembered by hash, or by the last
// message read, in the owner's partition; it is remembered under the run that it
// was gathered for, so a run that is carried out again after a crash gathers the
// same again, and one that broke off leaves its news to the next.
//
// # Decisions
//
// Channels are read when the briefing is made, by the platform's history, and
// not collected on the way: so nothing of what people say to each other is kept,
// and somebody who left a channel yesterday is told nothing of it today. On a
// platform without history, such as Telegram, that leaves nothing to be read,
// and the set-up says so.
//
// A page counts as new by its lines and a feed by its entries, by hash. A
// comparison of whole texts would tell of every moved line.
package daily
