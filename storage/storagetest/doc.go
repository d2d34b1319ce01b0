// Package storagetest is the contract of package storage in executable form. A
// driver calls Run with a Harness from its own tests; one that passes is a
// driver. It tests what the contract's comments say and nothing that they
// leave open.
//
// There is one file for each primitive. A bug found in one driver becomes a
// case here, for all.
package storagetest
