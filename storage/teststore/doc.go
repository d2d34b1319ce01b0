// Package teststore opens real stores for the tests of packages that keep
// things in one. What a store has to do is tried elsewhere, in storagetest.
//
// Every store is closed when its test ends; closing it before does no harm.
package teststore
