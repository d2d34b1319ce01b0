-- Version 1. Times are milliseconds since 1970 in UTC; what never expires has
-- the greatest integer, so that every comparison is the same.

CREATE TABLE documents (
  part TEXT NOT NULL, coll TEXT NOT NULL, key TEXT NOT NULL,
  rev INTEGER NOT NULL, expires INTEGER NOT NULL, value BLOB NOT NULL,
  PRIMARY KEY (part, coll, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX documents_expires ON documents (expires) WHERE expires < 9223372036854775807;

CREATE TABLE entries (
  part TEXT NOT NULL, log TEXT NOT NULL, pos INTEGER NOT NULL, value BLOB NOT NULL,
  PRIMARY KEY (part, log, pos)
) STRICT, WITHOUT ROWID;

-- The highest offset of logs that were trimmed empty. The others know it from
-- their last entry, which saves a write for each append.
CREATE TABLE logs (
  part TEXT NOT NULL, log TEXT NOT NULL, last INTEGER NOT NULL,
  PRIMARY KEY (part, log)
) STRICT, WITHOUT ROWID;

-- The highest sequence given by an inbox or an outbox.
CREATE TABLE counters (
  part TEXT NOT NULL, name TEXT NOT NULL, last INTEGER NOT NULL,
  PRIMARY KEY (part, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  part TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, value BLOB NOT NULL,
  PRIMARY KEY (part, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE seen (
  part TEXT NOT NULL, key TEXT NOT NULL, expires INTEGER NOT NULL,
  PRIMARY KEY (part, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX seen_expires ON seen (expires);

CREATE TABLE outbox (
  part TEXT NOT NULL, key TEXT NOT NULL, seq INTEGER NOT NULL, state TEXT NOT NULL,
  expires INTEGER NOT NULL, value BLOB NOT NULL,
  PRIMARY KEY (part, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_state ON outbox (part, state, seq);
CREATE INDEX outbox_expires ON outbox (expires) WHERE expires < 9223372036854775807;

CREATE TABLE timers (
  part TEXT NOT NULL, id TEXT NOT NULL, due INTEGER NOT NULL, claimed INTEGER NOT NULL,
  value BLOB NOT NULL,
  PRIMARY KEY (part, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX timers_due ON timers (part, due, id);

CREATE TABLE leases (
  part TEXT NOT NULL PRIMARY KEY, holder TEXT NOT NULL, token INTEGER NOT NULL,
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE blobs (
  id INTEGER PRIMARY KEY, part TEXT NOT NULL, hash TEXT NOT NULL, data BLOB NOT NULL,
  UNIQUE (part, hash)
) STRICT;

CREATE TABLE places (
  part TEXT NOT NULL, place TEXT NOT NULL, docs INTEGER NOT NULL, terms INTEGER NOT NULL,
  PRIMARY KEY (part, place)
) STRICT, WITHOUT ROWID;

-- What FTS5 can't tell: the counts of each document, and whose row id it is.
CREATE TABLE indexed (
  part TEXT NOT NULL, place TEXT NOT NULL, doc TEXT NOT NULL, id INTEGER NOT NULL,
  length INTEGER NOT NULL, counts BLOB NOT NULL,
  PRIMARY KEY (part, place, doc)
) STRICT, WITHOUT ROWID;

-- The same by row id, in small rows, as a search goes through many. A document
-- is late if a greater one of its place was there when it came.
CREATE TABLE indexed_ids (
  id INTEGER PRIMARY KEY, doc TEXT NOT NULL, late INTEGER NOT NULL
) STRICT;

-- The inverted index; its row ids are those of indexed_ids, its tokens are hashes.
CREATE VIRTUAL TABLE postings USING fts5 (
  tokens, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);
CREATE VIRTUAL TABLE postings_vocab USING fts5vocab (postings, row);
