// Package lesson says what must never be learned, whatever a model thought of
// it: failures of the machine at hand, flat denials of a tool, trouble that a
// retry cured, stories of one task, and ways that never led anywhere. Learned,
// each of these makes the bot refuse for months what it could do tomorrow.
//
// It reads English and Chinese by their words. It is no judge of truth or of
// intent: what orders the bot around is package scan's business.
//
// # Decisions
//
// A sentence is refused for what it says, unless it says what to do about it:
// where a setting was at fault, the fix is a lesson and the failure is not. To
// avoid something, to give up and to tell the person are no fixes.
//
// Doubt goes against the lesson. One that is lost comes again with the next
// task of its kind; a false one stays and is believed.
package lesson
