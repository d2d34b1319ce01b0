package redis

import (
	"context"
	"fmt"
	"slices"

	"talaria/storage"
)

// Partitions lists the registry, without the partitions that hold nothing.
// Names of partitions that were erased are dropped from it on the way.
func (d *Driver) Partitions(ctx context.Context, yield func(storage.Partition) error) error {
	reply, err := d.query(ctx, "zrange", d.registry()[0], 0, -1)
	if err != nil {
		return fmt.Errorf("list partitions: %w", err)
	}
	names := make([]string, 0, len(list(reply)))
	for n := range list(reply) {
		names = append(names, text(list(reply), n))
	}
	slices.Sort(names)
	for _, name := range names {
		p, err := storage.ParsePartition(name)
		if err != nil {
			return fmt.Errorf("%w: the registry of partitions: %w", storage.ErrCorrupt, err)
		}
		holds, err := d.holds(ctx, p)
		if err != nil {
			return err
		}
		if !holds {
			continue
		}
		if err := yield(p); err != nil {
			return err
		}
	}
	return nil
}

// holds tells whether Dump would give anything of a partition.
func (d *Driver) holds(ctx context.Context, p storage.Partition) (bool, error) {
	keys := d.space(p).keys("meta", "docs", "docs-ttl", "seen", "logs", "timers", "places", "blobs")
	reply, err := d.repeat(func() (any, error) { return d.run(ctx, d.client, d.scripts.holds, keys, d.offset.Load()) })
	if err != nil {
		return false, fmt.Errorf("look into partition %s: %w", p, err)
	}
	if reply == "nothing" {
		return false, d.forget(ctx, p)
	}
	return reply == "content", nil
}

// forget drops a partition's name from the registry, unless it is so new that
// somebody may be about to write to it.
func (d *Driver) forget(ctx context.Context, p storage.Partition) error {
	if _, err := d.run(ctx, d.client, d.scripts.forget, d.registry(), p.String()); err != nil {
		return fmt.Errorf("drop partition %s from the registry: %w", p, err)
	}
	return nil
}

// Erase removes all keys of a partition at once, then its name. Its name stays
// for a minute if it was new, until the next call of Partitions.
func (d *Driver) Erase(ctx context.Context, p storage.Partition) error {
	fixed := []string{"meta"}
	for _, group := range [][]string{documentKeys(), inboxKeys(), outboxKeys(), timerKeys()} {
		fixed = append(fixed, group...)
	}
	_, err := d.entire(ctx, p, d.scripts.erase, fixed, nil)
	if err != nil {
		return fmt.Errorf("erase %s: %w", p, err)
	}
	return d.forget(ctx, p)
}

// inventory are the names in a partition from which further keys are derived.
type inventory struct{ logs, places, blobs []string }

func (d *Driver) inventory(ctx context.Context, p storage.Partition) (inventory, error) {
	reply, err := d.read(ctx, d.scripts.inventory, d.space(p).keys("logs", "places", "blobs"))
	if err != nil {
		return inventory{}, err
	}
	var lists [3][]string
	for n := range lists {
		for m := range list(at(reply, n)) {
			lists[n] = append(lists[n], text(list(at(reply, n)), m))
		}
	}
	return inventory{lists[0], lists[1], lists[2]}, nil
}

// entire runs a script over all of a partition: the keys that it begins with,
// the fixed ones, and those derived from the names of logs, places and blobs.
// As all keys must be known beforehand, the script refuses when a name has
// come or gone since, and is run again with the new ones.
func (d *Driver) entire(ctx context.Context, p storage.Partition, s script, fixed []string, args []any) ([]any, error) {
	for range 10 {
		inv, err := d.inventory(ctx, p)
		if err != nil {
			return nil, err
		}
		reply, err := d.run(ctx, d.bulk, s, d.space(p).keys(inv.keys(fixed)...), inv.args(args)...)
		if err != nil {
			return nil, err
		}
		if text(list(reply), 0) == "ok" {
			return list(reply), nil
		}
	}
	return nil, unavailable(fmt.Errorf("%s is being written to all the time", p))
}

func (i inventory) keys(fixed []string) []string {
	keys := append([]string{"logs", "places", "blobs"}, fixed...)
	for _, log := range i.logs {
		keys = append(keys, logKeys(log)[1])
	}
	for _, place := range i.places {
		keys = append(keys, placeKeys(place)[1:]...)
	}
	for _, hash := range i.blobs {
		keys = append(keys, blobKeys(hash)[1])
	}
	return keys
}

func (i inventory) args(args []any) []any {
	for _, names := range [][]string{i.logs, i.places, i.blobs} {
		args = listed(names, append(args, len(names))...)
	}
	return args
}
