// Package zone knows time zones by the names that people give places, in English
// and Chinese. It reads no sentences; scheduler/when does.
//
// # Decisions
//
// Cities are those of IANA's zone.tab, which is in the program: a machine's own
// table may be older, or missing. Names that mean something else in a sentence,
// as "turkey" does, are known to Of alone, which is asked about a place.
package zone
