// Package secret recognises passwords, keys and tokens in texts by their looks.
//
// It is a help against slips and never a boundary: whoever wants to hide a
// secret in a text can. It serves two needs that differ. What is about to be
// remembered is better refused once too often, so In goes by words and by
// randomness too. A finding in somebody's skill has to be right, so Known goes
// only by the forms that vendors publish.
package secret
