// Package match says which skill fits a request, whether two skills, requests
// or remembered statements are the same thing, and what of the skills a prompt
// carries.
//
// It is pure: no files, no network, no clock, and no model unless an embedder
// is given. It does not know where skills are stored or who may see them; it is
// given the ones that count.
//
// # How it works
//
// A text becomes slots: things that it says, each with every way to say it. The
// words come from core/text (folded, stemmed); vocabulary.txt gives them
// meanings that words of several languages share, kinds (what a product is) and
// fields of work. An Index holds who says what, by field of the skill as in
// BM25F; a request's slot is met by the best of its ways. How likely the best
// skill is right comes from how much is met by word or meaning, how much of the
// request no skill has anything of, and whether the fields of work agree.
//
// Likeness is the share of each text's slots that the other one says too, with
// a calibration for each kind of text. contrasts.txt holds what excludes each
// other: opposites, and sets such as languages, platforms and formats.
//
// # Decisions
//
// A vocabulary in a text file, not an embedding model: it works on a fresh
// machine without a download, in microseconds, and says the same tomorrow; who
// reads it sees why a skill was found. The road not taken, a small model in the
// binary, would be some hundred megabytes. Where an embedder is configured, the
// likeness of its vectors is added to what the words say.
//
// One score with two cut-offs, and not a threshold on BM25: sums of rare words
// grow with the request and the library, and could not be compared.
//
// A contrast caps likeness instead of lowering it: "import" and "export" skills
// share nearly every other word, and no weight of one word outweighs them.
package match
