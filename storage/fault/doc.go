// Package fault wraps a storage driver so that its calls fail, wait, or
// succeed and say that they failed, as a plan says: what a full disk, a lost
// connection or a slow server do to those above. It is for tests; production
// never imports it.
//
// A plan is deterministic: the same rules, seed and order of calls give the
// same faults. Where calls overlap, their order is not the plan's affair.
package fault
