package redis_test

import (
	"context"
	"testing"

	"talaria/storage"
	"talaria/storage/redis"
)

// ref is the document that small tests write.
var ref = storage.Ref{Collection: "c", Key: "k"}

// batch is operations on the partition that small tests use.
func batch(ops ...storage.Op) storage.Ops {
	return storage.Ops{Partition: storage.Shard(1), Ops: ops}
}

func putOp(value string) storage.Op {
	return storage.Op{Put: &storage.PutOp{Ref: ref, Value: []byte(value), Expect: storage.Any}}
}

func appendOp(value string) storage.Op {
	return storage.Op{Append: &storage.AppendOp{Log: "l", Values: [][]byte{[]byte(value)}}}
}

func write(tb testing.TB, d *redis.Driver, value string) {
	tb.Helper()
	if _, err := d.Apply(context.Background(), batch(putOp(value))); err != nil {
		tb.Fatal(err)
	}
}

// entries are the values of the log that appendOp writes.
func entries(tb testing.TB, d *redis.Driver) []string {
	tb.Helper()
	read, err := d.ReadLog(context.Background(), storage.Shard(1), "l", 0, 1<<20)
	if err != nil {
		tb.Fatal(err)
	}
	var values []string
	for _, e := range read {
		values = append(values, string(e.Value))
	}
	return values
}
