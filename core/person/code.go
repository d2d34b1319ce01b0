package person

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"talaria/storage"
)

// ErrCode: the code is wrong, used up or expired. Which of these is not told.
var ErrCode = errors.New("that code is not valid (any more)")

// ErrTooMany: the limit of codes or guesses is reached; later again.
var ErrTooMany = errors.New("too many tries; please wait a while")

// codeAlphabet has no characters that are taken for one another.
const codeAlphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// codeLength gives 40 bits.
const codeLength = 8

// newCode makes a code.
func newCode() string {
	var b [codeLength]byte
	rand.Read(b[:]) // never fails
	for i, v := range b {
		b[i] = codeAlphabet[int(v)%len(codeAlphabet)]
	}
	return string(b[:])
}

// codeKey is what is kept of a code of a kind: enough to know it again. Blanks,
// dashes and letter case do not matter.
func codeKey(kind, code string) string {
	code = strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(strings.TrimSpace(code)))
	sum := sha256.Sum256([]byte(kind + "\x00" + code))
	return hex.EncodeToString(sum[:])
}

// limits bounds how often something may happen.
type limits struct {
	key    string
	most   int
	within time.Duration
}

const quotas = "quota" // documents of times, by what is limited

// spend counts one more of everything that is limited, or returns ErrTooMany
// if one limit is reached.
func (d *Directory) spend(ctx context.Context, p storage.Partition, all ...limits) error {
	now, err := d.store.Now(ctx)
	if err != nil {
		return fmt.Errorf("count tries: %w", err)
	}
	for _, l := range all {
		if err := d.spendOne(ctx, p, l, now); err != nil {
			return fmt.Errorf("count tries: %w", err)
		}
	}
	return nil
}

func (d *Directory) spendOne(ctx context.Context, p storage.Partition, l limits, now time.Time) error {
	for {
		doc, err := storage.Get[[]time.Time](ctx, d.store, p, quotas, l.key)
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
		var recent []time.Time
		for _, t := range doc.Value {
			if now.Sub(t) < l.within {
				recent = append(recent, t)
			}
		}
		if len(recent) >= l.most {
			return ErrTooMany
		}
		b := storage.On(p).PutFor(quotas, l.key, append(recent, now), doc.Revision, l.within)
		if _, err := d.store.Commit(ctx, b); !errors.Is(err, storage.ErrConflict) {
			return err
		}
	}
}
