// Package skill is the library of skills: whose they are, which revision is in
// force, who decided so, and how they have done.
//
// A skill lives in one [Scope]: a person's own, a shared space's, or a team's.
// A turn in a direct conversation sees the person's and their teams'; a turn in
// a shared place sees the place's, what the place subscribed to of other places
// in the team, its team's, and what its author shared there.
// Where two have one name, the narrower scope's is meant.
//
// A [Revision] is a whole bundle of files with its hash. Whoever wants a change
// calls [Library.Propose]; checks look at it; it waits as a draft, or goes live
// where the operator's policy says so. [Library.Approve] is the one way by which
// a person puts a revision in force, whichever button or command they used. A
// skill is used only in the revision whose hash a [Grant] names, and the files
// are hashed again before they are used.
//
// The package does not read SKILL.md (package manifest does), judges no contents
// (a [Check] does), shows no cards and decides on nothing by itself.
//
// # Who may decide
//
// About a person's own skill, the person; about a space's, an approver in that
// space, or an admin from their direct conversation; about a team's, who is an
// approver in all of the team. Guests and bots never. Rights are looked up at
// the moment of the decision, not taken from the press. Where a revision asks
// for new rights, the author of what it was made from is not the only one to
// say yes if there is somebody else, and in a person's own scope the yes is an
// admin's.
//
// # Decisions
//
// Every decision writes the skill's own document and expects it unchanged, in
// one batch with the revision and the entry of the audit log. A lock or a lease
// would also keep two replicas apart, but would have to be held by somebody; so
// there is no state in which a decision is half made, and the second of two is
// simply made again on what the first one left.
//
// That a draft has expired is computed when it is read. A timer would say the
// same later, and a draft whose timer was lost would stay open.
//
// The author of a turn may have their own skills seen where they speak (Share):
// that steers nobody else. What is to steer other people's turns is published,
// and approved by those who answer for the target. One list of "shared" skills
// would have let a single person's unreviewed text into everybody's turns.
//
// A space uses the skill of another one by a [Link] that both said yes to, and
// not by a copy: what the source takes back or disables is out of use everywhere
// at once, and a copy would have kept the text where nobody offers it any more.
// That what the source approves goes on to steer the turns of those who
// subscribed is what they said yes to; more rights than they saw are not.
//
// Tools that a skill names are part of its permissions and shown on its card,
// but they alone don't call for an admin in a person's scope: with a skill in
// use, what may be called is the intersection of its permissions with the
// caller's own rights, so it never adds any. Hosts, schedules, scripts and
// writing to shared memory do call for one.
//
// Uses are documents by task and not a log, because late feedback changes what
// is known about a task; the counts are kept beside the skill and not in it, so
// that a use never gets in the way of a decision.
package skill
