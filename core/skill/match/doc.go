// Package match says which skill fits a request, whether two skills, requests
// or cards are the same thing, and what of the skills a prompt carries.
//
// It is pure: no files, no network, no clock, no model. It does not know where
// skills are stored or who may see them; it is given the ones that count.
package match
