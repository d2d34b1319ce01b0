package storagetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"talaria/storage"
)

func blobs() group {
	return group{"blobs", []testCase{
		{"every content comes back exactly", func(e *env) {
			for _, v := range values() {
				hash := e.putBlob(v)
				e.equal(bytes.Equal(must(e.d.GetBlob(e.ctx, e.p, hash))(e.t), v), true)
			}
		}},
		{"a large blob comes back exactly", func(e *env) {
			data := bytes.Repeat([]byte("0123456789abcdef"), 1<<20) // 16 MB
			hash := e.putBlob(data)
			e.equal(bytes.Equal(must(e.d.GetBlob(e.ctx, e.p, hash))(e.t), data), true)
		}},
		{"a missing blob is not found", func(e *env) {
			_, err := e.d.GetBlob(e.ctx, e.p, hashOf([]byte("x")))
			e.is(err, storage.ErrNotFound)
		}},
		{"a blob of another partition is not found", func(e *env) {
			hash := e.putBlob([]byte("x"))
			_, err := e.d.GetBlob(e.ctx, storage.Shard(8), hash)
			e.is(err, storage.ErrNotFound)
		}},
		{"putting again changes nothing", func(e *env) {
			hash := e.putBlob([]byte("x"))
			e.equal(e.putBlob([]byte("x")), hash)
			e.equal(must(e.d.GetBlob(e.ctx, e.p, hash))(e.t), []byte("x"))
			e.equal(len(e.dump()), 1)
		}},
		{"a deleted blob is gone, here only", func(e *env) {
			hash := e.putBlob([]byte("x"))
			other := e.on(storage.Person("p"))
			other.putBlob([]byte("x"))
			e.check(e.d.DeleteBlob(e.ctx, e.p, hash))
			_, err := e.d.GetBlob(e.ctx, e.p, hash)
			e.is(err, storage.ErrNotFound)
			e.equal(must(e.d.GetBlob(e.ctx, other.p, hash))(e.t), []byte("x"))
		}},
		{"deleting what is not there is no error", func(e *env) {
			e.check(e.d.DeleteBlob(e.ctx, e.p, hashOf([]byte("x"))))
		}},
		{"a deleted blob can be put again", func(e *env) {
			hash := e.putBlob([]byte("x"))
			e.check(e.d.DeleteBlob(e.ctx, e.p, hash))
			e.putBlob([]byte("x"))
			e.equal(must(e.d.GetBlob(e.ctx, e.p, hash))(e.t), []byte("x"))
		}},
		{"the caller's bytes are not kept", func(e *env) {
			data := []byte("before")
			hash := e.putBlob(data)
			copy(data, "CHANGE")
			copy(must(e.d.GetBlob(e.ctx, e.p, hash))(e.t), "CHANGE")
			e.equal(must(e.d.GetBlob(e.ctx, e.p, hash))(e.t), []byte("before"))
		}},
		{"many put one blob at once", func(e *env) {
			for _, err := range race(8, func(int) error { return e.d.PutBlob(e.ctx, e.p, hashOf([]byte("x")), []byte("x")) }) {
				e.check(err)
			}
			e.equal(len(e.dump()), 1)
		}},
		{"many blobs", func(e *env) {
			for n := range 100 {
				e.putBlob(fmt.Append(nil, n))
			}
			for n := range 100 {
				e.equal(must(e.d.GetBlob(e.ctx, e.p, hashOf(fmt.Append(nil, n))))(e.t), fmt.Append(nil, n))
			}
		}},
	}}
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func (e *env) putBlob(data []byte) string {
	e.t.Helper()
	hash := hashOf(data)
	e.check(e.d.PutBlob(e.ctx, e.p, hash, data))
	return hash
}
