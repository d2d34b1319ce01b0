// Package vector says how near texts are to each other by what they mean, with
// the vectors of an embedder. It knows neither skills nor memory, which rank by
// it, nor endpoints, and writes nothing down.
//
// A Shared is the one place that deals with an embedder that is slow or fails:
// who asks it waits a bounded time, is told at once while it does not answer,
// and goes by words then.
//
// # Decisions
//
// Vectors are kept in memory, by the hash of their text, and not in the store:
// they are quickly had again, belong to one model and are of no use to the next,
// and what is forgotten leaves nothing behind that has to be found.
//
// Likeness is measured against statements about nothing in particular. The raw
// cosine of unrelated texts is 0.1 with some models and 0.7 with others, and no
// floor would fit both.
package vector
