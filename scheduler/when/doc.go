// Package when turns words into schedules and schedules into times: "every
// weekday at 9", "每月最后一天晚上八点", "in 20 minutes", "0 9 * * 1-5".
//
// [Parse] reads a phrase that is a schedule, [Find] takes one out of a sentence,
// [Schedule.Next] says when it is due, [Schedule.Text] says it back in words.
// The package knows nothing of jobs, people or stores, and keeps no clock: the
// present is an argument.
//
// # What a phrase means
//
// A phrase without a zone is in the zone of whoever said it. A clock time is on
// the wall: one that a change of the clocks leaves out runs once, later by what
// was left out, and one that comes twice runs the first time only. Lengths of
// time, and whatever repeats by the hour or more often, run in real time. A
// clock time that is past means tomorrow, unless "today" is said. What can be
// read in two ways, or cannot be, is an [*Unclear] with a reason and with
// phrases to choose from.
//
// # Decisions
//
// The grammar is ours, and its result is cron: each rule reads one part of a
// phrase, in whatever order the parts come, and the parts become cron lines,
// a length of time or an instant. General date parsers guess, and a guess that
// nobody notices is a job that runs at the wrong time; a model would be slow and
// would not answer the same way twice.
//
// Cron fields are read by robfig/cron, and what it has no words for (L, LW, 15W,
// 5L, 1#2) before it. Its search for the next time is not used: it passes over
// what the clock leaves out, and does what comes twice twice.
package when
