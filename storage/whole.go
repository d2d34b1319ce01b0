package storage

import "context"

// Partitions calls yield for every partition that holds anything.
func (s *Store) Partitions(ctx context.Context, yield func(Partition) error) error {
	return s.d.Partitions(ctx, yield)
}

// Dump calls yield for every record of a partition, as of one moment.
func (s *Store) Dump(ctx context.Context, p Partition, yield func(Record) error) error {
	return s.d.Dump(ctx, p, yield)
}

// Load writes records that Dump gave, of either driver, into a partition that
// was empty before. A partition may be loaded in several goes.
func (s *Store) Load(ctx context.Context, p Partition, records []Record) error {
	return s.d.Load(ctx, p, records)
}
