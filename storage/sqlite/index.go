package sqlite

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"talaria/storage"
)

// IndexStats implements storage.Driver.
func (d *Driver) IndexStats(ctx context.Context, p storage.Partition, place string, terms []string) (storage.IndexStats, error) {
	stats := storage.IndexStats{Holding: make([]int, len(terms))}
	hashed := make([]string, len(terms))
	for n, term := range terms {
		hashed[n] = token(p.String(), place, term)
	}
	wanted, err := json.Marshal(hashed)
	if err != nil {
		return stats, err
	}
	err = d.snapshot(ctx, func(c *conn) error {
		_, err := c.one(ctx, "SELECT docs, terms FROM places WHERE part = ? AND place = ?",
			func(r *row) { stats.Documents, stats.Terms = int(r.int(0)), int(r.int(1)) }, p.String(), place)
		if err != nil || stats.Documents == 0 {
			return err
		}
		// In one statement: to open the vocabulary costs more than a look-up.
		return c.each(ctx, `SELECT wanted.key, v.doc FROM json_each(?) wanted
			CROSS JOIN postings_vocab v ON v.term = wanted.value`,
			func(r *row) error {
				stats.Holding[r.int(0)] = int(r.int(1))
				return nil
			}, string(wanted))
	})
	if err != nil {
		return storage.IndexStats{}, err
	}
	return stats, nil
}

// Postings implements storage.Driver.
func (d *Driver) Postings(ctx context.Context, p storage.Partition, place string, terms []string, limit int) ([][]string, error) {
	postings := make([][]string, len(terms))
	err := d.snapshot(ctx, func(c *conn) (err error) {
		for n, term := range terms {
			if postings[n], err = holding(ctx, c, token(p.String(), place, term), limit); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return postings, nil
}

// holding returns the greatest documents of a token, at most limit, without
// reading all of them. It goes from the newest row to older ones until it has
// limit documents that did not come late. A greater one that came before any
// of these would have made it late, so all greater ones have been met.
func holding(ctx context.Context, c *conn, token string, limit int) ([]string, error) {
	var docs []string
	inOrder := 0
	if limit < 1 {
		return nil, nil
	}
	err := c.each(ctx, `SELECT i.doc, i.late FROM postings CROSS JOIN indexed_ids i ON i.id = postings.rowid
		WHERE postings MATCH ? ORDER BY postings.rowid DESC`, func(r *row) error {
		docs = append(docs, r.text(0))
		if r.int(1) == 0 {
			inOrder++
		}
		if inOrder == limit {
			return errStop
		}
		return nil
	}, token)
	slices.SortFunc(docs, func(a, b string) int { return strings.Compare(b, a) })
	return docs[:min(len(docs), limit)], err
}

// Indexed implements storage.Driver.
func (d *Driver) Indexed(ctx context.Context, p storage.Partition, place string, docs []string) ([]storage.IndexedDoc, error) {
	// In the order in which they lie, each once: a search asks for hundreds.
	names, err := json.Marshal(slices.Compact(slices.Sorted(slices.Values(docs))))
	if err != nil {
		return nil, err
	}
	var found []storage.IndexedDoc
	err = d.read(ctx, func(c *conn) error {
		return c.each(ctx, `SELECT i.doc, i.counts FROM json_each(?) wanted
			CROSS JOIN indexed i ON i.part = ? AND i.place = ? AND i.doc = wanted.value`,
			func(r *row) error {
				counts, err := decodeCounts(r.bytes(1))
				found = append(found, storage.IndexedDoc{Doc: r.text(0), Counts: counts})
				return err
			}, string(names), p.String(), place)
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

func (t *tx) index(part, place string, doc storage.IndexedDoc) error {
	if err := t.unindex(part, place, doc.Doc); err != nil {
		return err
	}
	id, err := t.c.insert(t.ctx, `INSERT INTO indexed_ids (doc, late)
		VALUES (?1, EXISTS (SELECT 1 FROM indexed WHERE part = ?2 AND place = ?3 AND doc > ?1))`, doc.Doc, part, place)
	if err != nil {
		return err
	}
	_, err = t.exec("INSERT INTO indexed VALUES (?, ?, ?, ?, ?, ?)", part, place, doc.Doc, id, doc.Length(), encodeCounts(doc.Counts))
	if err != nil {
		return err
	}
	if _, err := t.exec("INSERT INTO postings (rowid, tokens) VALUES (?, ?)", id, tokens(part, place, doc.Counts)); err != nil {
		return err
	}
	_, err = t.exec(`INSERT INTO places VALUES (?, ?, 1, ?) ON CONFLICT DO UPDATE
		SET docs = docs + 1, terms = terms + excluded.terms`, part, place, doc.Length())
	return err
}

func (t *tx) unindex(part, place, doc string) error {
	var id, length int64
	there, err := t.one(func(r *row) { id, length = r.int(0), r.int(1) },
		"SELECT id, length FROM indexed WHERE part = ? AND place = ? AND doc = ?", part, place, doc)
	if err != nil || !there {
		return err
	}
	for _, query := range []string{
		"DELETE FROM postings WHERE rowid = ?", "DELETE FROM indexed_ids WHERE id = ?",
	} {
		if _, err := t.exec(query, id); err != nil {
			return err
		}
	}
	if _, err := t.exec("DELETE FROM indexed WHERE part = ? AND place = ? AND doc = ?", part, place, doc); err != nil {
		return err
	}
	if _, err := t.exec("UPDATE places SET docs = docs - 1, terms = terms - ? WHERE part = ? AND place = ?", length, part, place); err != nil {
		return err
	}
	_, err = t.exec("DELETE FROM places WHERE part = ? AND place = ? AND docs = 0", part, place)
	return err
}

// tokenBytes is how much of a hash makes a token. With 80 bits, a collision
// among a million terms has a chance of one in 10^12, and would only add
// candidates whose real counts give them no score.
const tokenBytes = 10

var tokenEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// token is a term of a place as FTS5 gets it: one word whatever is in the
// term, in no other place, and unreadable where a removed document lingers
// until FTS5 merges it away.
func token(part, place, term string) string {
	sum := sha256.Sum256([]byte(part + "\x00" + place + "\x00" + term))
	return tokenEncoding.EncodeToString(sum[:tokenBytes])
}

func tokens(part, place string, counts map[string]int) string {
	var b strings.Builder
	for term := range counts {
		b.WriteString(token(part, place, term))
		b.WriteByte(' ')
	}
	return b.String()
}

// encodeCounts writes each term with its length before it and its count after.
func encodeCounts(counts map[string]int) []byte {
	data := []byte{}
	for _, term := range slices.Sorted(maps.Keys(counts)) {
		data = binary.AppendUvarint(data, uint64(len(term)))
		data = append(data, term...)
		data = binary.AppendUvarint(data, uint64(counts[term]))
	}
	return data
}

func decodeCounts(data []byte) (map[string]int, error) {
	counts := make(map[string]int, len(data)/8)
	text := string(data)
	for rest := text; rest != ""; {
		length, n := uvarint(rest)
		if n <= 0 || length > uint64(len(rest)-n) {
			return nil, errCounts
		}
		term := rest[n : n+int(length)]
		rest = rest[n+int(length):]
		count, n := uvarint(rest)
		if n <= 0 {
			return nil, errCounts
		}
		rest = rest[n:]
		counts[term] = int(count)
	}
	return counts, nil
}

var errCounts = fmt.Errorf("%w: the counts of an indexed document can't be read", storage.ErrCorrupt)

// uvarint is binary.Uvarint for a string.
func uvarint(s string) (uint64, int) {
	var v uint64
	for n := 0; n < len(s) && n < binary.MaxVarintLen64; n++ {
		v |= uint64(s[n]&0x7f) << (7 * n)
		if s[n] < 0x80 {
			return v, n + 1
		}
	}
	return 0, 0
}
