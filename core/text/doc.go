// Package text is the one analyser: it turns text of any language into terms,
// ranks documents by their terms, and cuts snippets. Session search, memory,
// skill matching and the graph all use it, so that the same words are alike
// everywhere.
//
// Besides it has what all packages need of texts that are shown or typed: Clip,
// Visible, Edits and Slips.
//
// It is not a search engine: it stores nothing, and it knows no model.
//
// # How text becomes terms
//
// Text is read in compatibility form (NFKC: full width is half width, half-width
// katakana is katakana), in lower case, Latin letters without their accents.
// Letters and digits that stand together are a word; English words are brought
// to their stem, irregular forms first to their base (went is go). Words that
// carry no meaning by themselves (the, of, did) are left out.
//
// Scripts that put no spaces between words (Han, kana, hangul, Thai and its
// neighbours) become overlapping pairs of characters, across the script
// borders inside a run, so that もち米 is the pairs もち and ち米. What is
// indexed (Counts) has each character by itself too, so that a question of one
// character finds something; what is asked (Terms) only has it where the run
// is a single character. Traditional characters become simplified ones;
// Counts and a Query hold the pair as written besides, so that the same
// spelling ranks before the other one.
//
// # Decisions
//
// Pairs of characters, not a dictionary: a dictionary would be megabytes, would
// be wrong for names and new words, and would have to agree with itself for
// ever. Pairs find every word of two or more characters; ranking puts those
// first that hold all pairs of a run.
//
// The scanner is our own and not a full UAX 29: it splits at dots and
// underscores inside identifiers (core.text, rate_limit), which UAX 29 keeps
// together and which nobody types again in full.
//
// The table of traditional characters (hanfold.txt) is made from
// TSCharacters.txt of OpenCC (Apache License 2.0), by keeping the first
// simplified form of each character between U+4E00 and U+9FFF.
package text
