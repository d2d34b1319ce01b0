package storage

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"time"
)

// A backup is gzipped lines of JSON: a header, for each partition its name,
// its records and their number, and a trailer with the SHA-256 of all lines
// before it. It depends on no driver, so it can be restored into the other.
const (
	backupFormat  = "talaria backup"
	backupVersion = 1
	// maxLine bounds a line: the largest blob in base64 with its frame.
	maxLine = MaxBlob/3*4 + 1<<20
)

// line is one line of a backup; exactly one field is set.
type line struct {
	Header    *header  `json:"backup,omitempty"`
	Partition string   `json:"partition,omitempty"`
	Record    *Record  `json:"record,omitempty"`
	End       *ending  `json:"end,omitempty"`
	Trailer   *trailer `json:"trailer,omitempty"`
}

type header struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	At      time.Time `json:"at"`
}

// ending closes a partition.
type ending struct {
	Records int `json:"records"`
}

type trailer struct {
	Partitions int    `json:"partitions"`
	Records    int    `json:"records"`
	SHA256     string `json:"sha256"`
}

// Report says what a backup or a store holds.
type Report struct {
	At         time.Time // when the backup was begun, by its store's clock
	Partitions int
	Records    int
	Kinds      map[string]int // records by kind
	Buried     []Partition    // left out by Restore, because of a tombstone
	Findings   []string       // damage; Verify alone goes on after it
}

func (r *Report) count(record Record) {
	if r.Kinds == nil {
		r.Kinds = map[string]int{}
	}
	r.Records++
	r.Kinds[record.Kind]++
}

// Backup writes all of a store while it works. Each partition is of one
// moment, but not all of the same: hand-offs between partitions carry keys, so
// that one which a backup cut in two is repeated or found done. Leases and
// what has expired are left out. The same store gives the same lines only if
// nothing is written meanwhile.
func Backup(ctx context.Context, s *Store, w io.Writer) (Report, error) {
	now, err := s.Now(ctx)
	if err != nil {
		return Report{}, fmt.Errorf("back up: %w", err)
	}
	b := &backupWriter{zip: gzip.NewWriter(w), hash: sha256.New(), report: Report{At: now}}
	if err := b.all(ctx, s); err != nil {
		return Report{}, fmt.Errorf("back up: %w", err)
	}
	return b.report, nil
}

type backupWriter struct {
	zip    *gzip.Writer
	hash   hash.Hash
	report Report
}

func (b *backupWriter) all(ctx context.Context, s *Store) error {
	if err := b.line(line{Header: &header{backupFormat, backupVersion, b.report.At}}); err != nil {
		return err
	}
	err := s.d.Partitions(ctx, func(p Partition) error { return b.partition(ctx, s, p) })
	if err != nil {
		return err
	}
	sum := hex.EncodeToString(b.hash.Sum(nil))
	if err := b.line(line{Trailer: &trailer{b.report.Partitions, b.report.Records, sum}}); err != nil {
		return err
	}
	return b.zip.Close()
}

func (b *backupWriter) partition(ctx context.Context, s *Store, p Partition) error {
	if err := b.line(line{Partition: p.String()}); err != nil {
		return err
	}
	before := b.report.Records
	err := s.d.Dump(ctx, p, func(r Record) error {
		b.report.count(r)
		return b.line(line{Record: &r})
	})
	if err != nil {
		return fmt.Errorf("partition %s: %w", p, err)
	}
	b.report.Partitions++
	return b.line(line{End: &ending{b.report.Records - before}})
}

func (b *backupWriter) line(l line) error {
	data, err := json.Marshal(l)
	if err != nil {
		return err
	}
	data = append(data, '\n')
	b.hash.Write(data)
	_, err = b.zip.Write(data)
	return err
}

// VerifyBackup reads a whole backup and says what it holds, or what is wrong
// with it, without a store.
func VerifyBackup(ctx context.Context, r io.Reader) (Report, error) {
	return readBackup(ctx, r, func(Partition, Record) error { return nil })
}

// readBackup calls visit with every record. That the backup is whole and
// unaltered is known only when it returns.
func readBackup(ctx context.Context, r io.Reader, visit func(Partition, Record) error) (Report, error) {
	zip, err := gzip.NewReader(bufio.NewReader(r))
	if err != nil {
		return Report{}, fmt.Errorf("%w: this is no backup, or its beginning was altered: %w; name a file that talaria store backup wrote", ErrCorrupt, err)
	}
	b := &backupReader{in: bufio.NewReaderSize(zip, 1<<16), hash: sha256.New(), visit: visit}
	for !b.done {
		if err := ctx.Err(); err != nil {
			return Report{}, err
		}
		if err := b.next(); err != nil {
			return Report{}, err
		}
	}
	if _, err := b.in.ReadByte(); err != io.EOF {
		return Report{}, badBackup("something follows its end")
	}
	return b.report, nil
}

func badBackup(format string, args ...any) error {
	return fmt.Errorf("%w: the backup is cut off or was altered: "+format+"; use another one", append([]any{ErrCorrupt}, args...)...)
}

// backupReader checks a backup line by line.
type backupReader struct {
	in    *bufio.Reader
	hash  hash.Hash
	visit func(Partition, Record) error

	report    Report
	lines     int
	partition Partition
	records   int // of the partition
	done      bool
}

func (b *backupReader) next() error {
	data, err := b.read()
	if err != nil {
		return err
	}
	b.lines++
	defer b.hash.Write(data) // after the trailer was compared
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		return badBackup("line %d: %v", b.lines, err)
	}
	if b.lines == 1 {
		return b.begin(l)
	}
	switch {
	case l.Record != nil:
		return b.record(*l.Record)
	case l.Partition != "":
		return b.open(l.Partition)
	case l.End != nil:
		return b.close(l.End.Records)
	case l.Trailer != nil:
		return b.end(*l.Trailer)
	}
	return badBackup("line %d says nothing", b.lines)
}

// read returns the next line, of which more than maxLine is never held.
func (b *backupReader) read() ([]byte, error) {
	var data []byte
	for {
		part, err := b.in.ReadSlice('\n')
		data = append(data, part...)
		switch {
		case len(data) > maxLine:
			return nil, badBackup("line %d is over the limit of %d bytes", b.lines+1, maxLine)
		case err == nil:
			return data, nil
		case err != bufio.ErrBufferFull:
			return nil, badBackup("it ends after line %d: %v", b.lines, err)
		}
	}
}

func (b *backupReader) begin(l line) error {
	if l.Header == nil || l.Header.Format != backupFormat {
		return fmt.Errorf("%w: it is no backup of a store; name another file", ErrInvalid)
	}
	if l.Header.Version != backupVersion {
		return fmt.Errorf("%w: the backup has version %d, known is %d; use the program that wrote it",
			ErrInvalid, l.Header.Version, backupVersion)
	}
	b.report.At = l.Header.At
	return nil
}

func (b *backupReader) open(name string) error {
	p, err := ParsePartition(name)
	if err != nil || !b.partition.IsZero() {
		return badBackup("line %d: partition %q has no place there", b.lines, name)
	}
	b.partition, b.records = p, 0
	return nil
}

func (b *backupReader) close(records int) error {
	if b.partition.IsZero() || records != b.records {
		return badBackup("line %d: %d records where %d are expected", b.lines, b.records, records)
	}
	b.partition = Partition{}
	b.report.Partitions++
	return nil
}

func (b *backupReader) record(r Record) error {
	if b.partition.IsZero() {
		return badBackup("line %d: a record outside a partition", b.lines)
	}
	if err := checkRecord(r); err != nil {
		return badBackup("line %d: %v", b.lines, err)
	}
	b.records++
	b.report.count(r)
	return b.visit(b.partition, r)
}

func (b *backupReader) end(t trailer) error {
	if !b.partition.IsZero() || t.Partitions != b.report.Partitions || t.Records != b.report.Records {
		return badBackup("it holds %d partitions and %d records, its end tells of %d and %d",
			b.report.Partitions, b.report.Records, t.Partitions, t.Records)
	}
	if t.SHA256 != hex.EncodeToString(b.hash.Sum(nil)) {
		return badBackup("its content does not have the SHA-256 that its end tells")
	}
	b.done = true
	return nil
}
