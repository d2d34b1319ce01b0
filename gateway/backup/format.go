package backup

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"talaria/storage"
)

// version is that of the format. A file of a newer one is refused.
const version = 1

// entry is one line of a file; exactly one field is set.
type entry struct {
	Header    *header         `json:"header,omitempty"`
	Partition string          `json:"partition,omitempty"`
	Record    *storage.Record `json:"record,omitempty"` // of the partition named last
	End       *Summary        `json:"end,omitempty"`
}

type header struct {
	Version int       `json:"version"`
	At      time.Time `json:"at"` // by the store's clock
}

// Summary counts what a backup holds.
type Summary struct {
	Partitions int `json:"partitions"`
	Records    int `json:"records"`
}

// ErrDamaged: the file is cut off, changed or no backup at all.
var ErrDamaged = errors.New("the file is no whole backup")

// reader reads the entries of a file after its header.
type reader struct {
	json *json.Decoder
	at   time.Time
}

func newReader(r io.Reader) (*reader, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	out := &reader{json: json.NewDecoder(z)}
	e, err := out.next()
	switch {
	case err != nil:
		return nil, err
	case e.Header == nil:
		return nil, fmt.Errorf("%w: it has no header", ErrDamaged)
	case e.Header.Version > version:
		return nil, fmt.Errorf("the backup has format %d and this Talaria reads %d; use the version that wrote it, or a newer one", e.Header.Version, version)
	}
	out.at = e.Header.At
	return out, nil
}

func (r *reader) next() (entry, error) {
	var e entry
	if err := r.json.Decode(&e); err != nil {
		return e, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	return e, nil
}

// end makes sure that nothing follows, which also has the checksum verified.
func (r *reader) end() error {
	if _, err := r.json.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: %v after its end", ErrDamaged, err)
	}
	return nil
}
