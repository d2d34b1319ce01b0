// Package propose decides what becomes of what a review found: a change of the
// skill that it belongs to, a new skill, a card, or a line in the report. It is
// the one door by which learning reaches the library and memory.
//
// A model says what it would like to be learned and how sure it is. Code says
// what that is worth: evidence caps the confidence, the gate of the task guards
// new skills, what must never be learned is refused by package lesson, the
// origin of what the task was made of decides whether anything may be used, and
// a day has room for so much. Whether a change goes live is the library's to
// say, by the operator's policy; nothing here puts a new text in force. What went
// live by that policy and was contradicted before it did well is taken back.
//
// What goes where, the first that fits: the skill in use, the skill that covers
// the work, a support file of an alike one, a new skill, a card.
//
// # Decisions
//
// The origin of a lesson is the worst of all steps of its task, and not of those
// that a model says it learned from: a model that was talked into a lesson can be
// talked into its sources too. Only words that the people themselves said in
// that task make it theirs.
//
// Lessons stay in the scope in which they were learned. A rule from a person's
// own conversation does not go into a team's skill, even if that was in use:
// its text would tell the team what was said in private. The person can publish.
//
// Where a task, a model and a date come from stands on the draft and not in the
// SKILL.md: the same proposal would be another text each day, and would not join
// the draft that waits.
//
// One word does not overturn what went well. Were each correction of a skill in
// use believed at once, the next task would suffer for every slip; so it waits
// until the same is said once more, unless it asks for more or says that it is a
// rule from now on. The price is that who changes their mind says so twice.
//
// Statements are held to be the same only if one says nothing beyond the other,
// besides being alike. To keep two cards that say the same costs a line; to take
// "coffee" for "tea" teaches something false.
package propose
