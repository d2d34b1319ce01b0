package storage_test

import (
	"strings"
	"testing"

	"talaria/storage"
)

func TestVerifyCountsASoundStore(t *testing.T) {
	_, s := memory(t)
	furnish(t, s)
	report, err := storage.Verify(t.Context(), s)
	if err != nil || len(report.Findings) > 0 {
		t.Fatal(report.Findings, err)
	}
	if report.Partitions != 5 || report.Records != 80 || report.Kinds["timer"] != 5 {
		t.Errorf("%+v", report)
	}
}

func TestVerifyFindsWhatCantBeDecoded(t *testing.T) {
	d, s := memory(t)
	furnish(t, s)
	_, err := d.Apply(t.Context(), storage.Ops{Partition: storage.Person("ann"), Ops: []storage.Op{
		{Put: &storage.PutOp{Ref: storage.Ref{Collection: "notes", Key: "bad"}, Value: []byte("{"), Expect: storage.Any}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.PutBlob(t.Context(), storage.Team("t"), strings.Repeat("0", 64), []byte("x")); err != nil {
		t.Fatal(err)
	}
	report, err := storage.Verify(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	found := strings.Join(report.Findings, "\n")
	for _, want := range []string{"p/ann", `"bad"`, "t/t", "0000"} {
		if !strings.Contains(found, want) {
			t.Errorf("no %s in %s", want, found)
		}
	}
}
