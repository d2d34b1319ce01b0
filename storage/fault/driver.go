package fault

import (
	"context"
	"time"

	"talaria/storage"
)

// Apply implements storage.Driver.
func (f *Driver) Apply(ctx context.Context, b storage.Ops) ([]storage.Result, error) {
	return do(ctx, f.pick("Apply", b.Ops), func() ([]storage.Result, error) { return f.d.Apply(ctx, b) })
}

// Get implements storage.Driver.
func (f *Driver) Get(ctx context.Context, p storage.Partition, refs ...storage.Ref) ([]storage.Document, error) {
	return do(ctx, f.pick("Get", nil), func() ([]storage.Document, error) { return f.d.Get(ctx, p, refs...) })
}

// List implements storage.Driver.
func (f *Driver) List(ctx context.Context, p storage.Partition, collection, after string, limit int) ([]storage.Document, error) {
	return do(ctx, f.pick("List", nil), func() ([]storage.Document, error) { return f.d.List(ctx, p, collection, after, limit) })
}

// ReadLog implements storage.Driver.
func (f *Driver) ReadLog(ctx context.Context, p storage.Partition, log string, from uint64, limit int) ([]storage.Entry, error) {
	return do(ctx, f.pick("ReadLog", nil), func() ([]storage.Entry, error) { return f.d.ReadLog(ctx, p, log, from, limit) })
}

// TailLog implements storage.Driver.
func (f *Driver) TailLog(ctx context.Context, p storage.Partition, log string, limit int) ([]storage.Entry, error) {
	return do(ctx, f.pick("TailLog", nil), func() ([]storage.Entry, error) { return f.d.TailLog(ctx, p, log, limit) })
}

// Pending implements storage.Driver.
func (f *Driver) Pending(ctx context.Context, p storage.Partition, after uint64, limit int) ([]storage.InboxEvent, error) {
	return do(ctx, f.pick("Pending", nil), func() ([]storage.InboxEvent, error) { return f.d.Pending(ctx, p, after, limit) })
}

// Rows implements storage.Driver.
func (f *Driver) Rows(ctx context.Context, p storage.Partition, after uint64, limit int, states ...storage.State) ([]storage.Row, error) {
	return do(ctx, f.pick("Rows", nil), func() ([]storage.Row, error) { return f.d.Rows(ctx, p, after, limit, states...) })
}

// Row implements storage.Driver.
func (f *Driver) Row(ctx context.Context, p storage.Partition, key string) (storage.Row, error) {
	return do(ctx, f.pick("Row", nil), func() (storage.Row, error) { return f.d.Row(ctx, p, key) })
}

// Due implements storage.Driver.
func (f *Driver) Due(ctx context.Context, p storage.Partition, now time.Time, limit int) ([]storage.Timer, error) {
	return do(ctx, f.pick("Due", nil), func() ([]storage.Timer, error) { return f.d.Due(ctx, p, now, limit) })
}

// NextDue implements storage.Driver.
func (f *Driver) NextDue(ctx context.Context, p storage.Partition) (time.Time, error) {
	return do(ctx, f.pick("NextDue", nil), func() (time.Time, error) { return f.d.NextDue(ctx, p) })
}

// IndexStats implements storage.Driver.
func (f *Driver) IndexStats(ctx context.Context, p storage.Partition, place string, terms []string) (storage.IndexStats, error) {
	return do(ctx, f.pick("IndexStats", nil), func() (storage.IndexStats, error) { return f.d.IndexStats(ctx, p, place, terms) })
}

// Postings implements storage.Driver.
func (f *Driver) Postings(ctx context.Context, p storage.Partition, place string, terms []string, limit int) ([][]string, error) {
	return do(ctx, f.pick("Postings", nil), func() ([][]string, error) { return f.d.Postings(ctx, p, place, terms, limit) })
}

// Indexed implements storage.Driver.
func (f *Driver) Indexed(ctx context.Context, p storage.Partition, place string, docs []string) ([]storage.IndexedDoc, error) {
	return do(ctx, f.pick("Indexed", nil), func() ([]storage.IndexedDoc, error) { return f.d.Indexed(ctx, p, place, docs) })
}

// Acquire implements storage.Driver.
func (f *Driver) Acquire(ctx context.Context, p storage.Partition, holder string, ttl time.Duration) (storage.Fence, error) {
	return do(ctx, f.pick("Acquire", nil), func() (storage.Fence, error) { return f.d.Acquire(ctx, p, holder, ttl) })
}

// Renew implements storage.Driver.
func (f *Driver) Renew(ctx context.Context, fence storage.Fence, ttl time.Duration) error {
	return run(ctx, f.pick("Renew", nil), func() error { return f.d.Renew(ctx, fence, ttl) })
}

// Release implements storage.Driver.
func (f *Driver) Release(ctx context.Context, fence storage.Fence) error {
	return run(ctx, f.pick("Release", nil), func() error { return f.d.Release(ctx, fence) })
}

// Lease implements storage.Driver.
func (f *Driver) Lease(ctx context.Context, p storage.Partition) (storage.LeaseInfo, error) {
	return do(ctx, f.pick("Lease", nil), func() (storage.LeaseInfo, error) { return f.d.Lease(ctx, p) })
}

// PutBlob implements storage.Driver.
func (f *Driver) PutBlob(ctx context.Context, p storage.Partition, hash string, data []byte) error {
	return run(ctx, f.pick("PutBlob", nil), func() error { return f.d.PutBlob(ctx, p, hash, data) })
}

// GetBlob implements storage.Driver.
func (f *Driver) GetBlob(ctx context.Context, p storage.Partition, hash string) ([]byte, error) {
	return do(ctx, f.pick("GetBlob", nil), func() ([]byte, error) { return f.d.GetBlob(ctx, p, hash) })
}

// DeleteBlob implements storage.Driver.
func (f *Driver) DeleteBlob(ctx context.Context, p storage.Partition, hash string) error {
	return run(ctx, f.pick("DeleteBlob", nil), func() error { return f.d.DeleteBlob(ctx, p, hash) })
}

// Publish implements storage.Driver.
func (f *Driver) Publish(ctx context.Context, topic string, payload []byte) error {
	return run(ctx, f.pick("Publish", nil), func() error { return f.d.Publish(ctx, topic, payload) })
}

// Subscribe implements storage.Driver.
func (f *Driver) Subscribe(ctx context.Context, topics ...string) (<-chan storage.Message, error) {
	return do(ctx, f.pick("Subscribe", nil), func() (<-chan storage.Message, error) { return f.d.Subscribe(ctx, topics...) })
}

// Now implements storage.Driver.
func (f *Driver) Now(ctx context.Context) (time.Time, error) {
	return do(ctx, f.pick("Now", nil), func() (time.Time, error) { return f.d.Now(ctx) })
}

// Partitions implements storage.Driver.
func (f *Driver) Partitions(ctx context.Context, yield func(storage.Partition) error) error {
	return run(ctx, f.pick("Partitions", nil), func() error { return f.d.Partitions(ctx, yield) })
}

// Dump implements storage.Driver.
func (f *Driver) Dump(ctx context.Context, p storage.Partition, yield func(storage.Record) error) error {
	return run(ctx, f.pick("Dump", nil), func() error { return f.d.Dump(ctx, p, yield) })
}

// Load implements storage.Driver.
func (f *Driver) Load(ctx context.Context, p storage.Partition, records []storage.Record) error {
	return run(ctx, f.pick("Load", nil), func() error { return f.d.Load(ctx, p, records) })
}

// Check implements storage.Driver.
func (f *Driver) Check(ctx context.Context) ([]string, error) {
	return do(ctx, f.pick("Check", nil), func() ([]string, error) { return f.d.Check(ctx) })
}

// Erase implements storage.Driver.
func (f *Driver) Erase(ctx context.Context, p storage.Partition) error {
	return run(ctx, f.pick("Erase", nil), func() error { return f.d.Erase(ctx, p) })
}

// Durability implements storage.Driver; it meets no faults.
func (f *Driver) Durability(ctx context.Context) (string, bool, error) { return f.d.Durability(ctx) }

// Close implements storage.Driver; it meets no faults.
func (f *Driver) Close() error { return f.d.Close() }
