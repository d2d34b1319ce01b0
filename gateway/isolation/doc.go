// Package isolation holds the tests that nobody's data reaches anybody else,
// and that what was forgotten is gone. They run the whole program against a
// simulated platform, on both stores, with a model that does whatever it can to
// get at what is not its business; what is judged is what the platform showed,
// what the model was sent, and the bytes of the stores.
//
// The short forms run with all tests; TALARIA_TORTURE=1 runs the long ones.
package isolation
