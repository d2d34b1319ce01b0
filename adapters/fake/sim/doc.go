// Package sim is what the simulators of platforms share: a server on loopback
// (Host), the truth about what was called and must not have been (Log), being
// told when something has changed (Signal), faults that are scripted (Faults),
// limits of rate (Bucket), and the count of who was answered (Tally).
//
// It knows no platform: what a refusal or a fault looks like is each simulator's
// own.
package sim
