// Package home makes what a person finds when they open the bot where a platform
// has a place for that: their own page, with their requests, what waits for their
// decision, their memory and their jobs; or in an empty conversation a few things
// to say.
//
// It decides nothing and changes nothing: what is on a page comes from the
// packages whose it is, bound to the person, and buttons are theirs too.
//
// # Decisions
//
// A page is made anew from what is true now whenever it is opened or something
// on it was pressed, and no copy of it is kept. It is pushed to the platform,
// not handed back to who asked, since a press is carried out long after the
// platform was answered.
package home
