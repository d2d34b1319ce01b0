package redis

import (
	"context"
	"fmt"

	"talaria/storage"
)

// IndexStats counts documents, terms and holders of terms in a place.
func (d *Driver) IndexStats(ctx context.Context, p storage.Partition, place string, terms []string) (storage.IndexStats, error) {
	reply, err := d.read(ctx, d.scripts.stats, d.space(p).keys(placeKeys(place)...), listed(terms, place)...)
	if err != nil {
		return storage.IndexStats{}, fmt.Errorf("count index of place %q of %s: %w", place, p, err)
	}
	stats := storage.IndexStats{
		Documents: int(whole(reply, 0)), Terms: int(whole(reply, 1)), Holding: make([]int, len(terms)),
	}
	for n := range terms {
		stats.Holding[n] = int(whole(reply, n+2))
	}
	return stats, nil
}

// Postings returns the documents that hold each term, the greatest ids first.
func (d *Driver) Postings(ctx context.Context, p storage.Partition, place string, terms []string, limit int) ([][]string, error) {
	postings := make([][]string, len(terms))
	if limit <= 0 || len(terms) == 0 {
		return postings, nil
	}
	reply, err := d.read(ctx, d.scripts.postings, d.space(p).keys("postings:"+place), listed(terms, limit)...)
	if err != nil {
		return nil, fmt.Errorf("look up terms in place %q of %s: %w", place, p, err)
	}
	for n, term := range terms {
		members := list(at(reply, n))
		for m := range members {
			postings[n] = append(postings[n], text(members, m)[len(term)+1:])
		}
	}
	return postings, nil
}

// Indexed returns the indexed form of those of docs that exist.
func (d *Driver) Indexed(ctx context.Context, p storage.Partition, place string, docs []string) ([]storage.IndexedDoc, error) {
	if len(docs) == 0 {
		return nil, nil
	}
	reply, err := d.query(ctx, listed(docs, "hmget", d.space(p).key("indexed:"+place))...)
	if err != nil {
		return nil, fmt.Errorf("get indexed documents of place %q of %s: %w", place, p, err)
	}
	found := make([]storage.IndexedDoc, 0, len(docs))
	for n, doc := range docs {
		stored, ok := at(list(reply), n).(string)
		if !ok {
			continue
		}
		counts, err := decodeCounts(stored)
		if err != nil {
			return nil, fmt.Errorf("%s, place %q, document %q: %w", p, place, doc, err)
		}
		found = append(found, storage.IndexedDoc{Doc: doc, Counts: counts})
	}
	return found, nil
}
