// Package doctor looks at a whole installation and says, thing by thing, what
// is well, what is not, and what to do about it. It changes nothing but what
// looking changes: a file in the data folder is written and removed, and a
// model is asked for one token.
//
// It is told how to reach things (Subject) and knows none of the parts itself.
package doctor
