// Package torture holds the tests that run the built program as a process
// against simulated platforms and a scripted model: it is killed at random
// moments, several of it share a store, and load is put on it. What is judged
// is what the simulated platform saw, never what the program logged.
//
// The short forms run with all tests; TALARIA_TORTURE=1 runs the long ones
// ("make torture"), and "make bench" the benchmarks.
package torture
