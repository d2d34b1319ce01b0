package config

import (
	"os"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The file at the top of the tree is the reference that people read.
const reference = "../../config.toml"

func TestReferenceNamesEveryKey(t *testing.T) {
	doc, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	named := lines(doc)
	cfg := Default()
	for _, f := range leaves(reflect.ValueOf(&cfg).Elem()) {
		if named[f.key()] == 0 {
			t.Errorf("config.toml does not name %s", f.key())
		}
	}
}

func TestReferenceHoldsTheDefaults(t *testing.T) {
	doc, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := Parse("config.toml", doc)
	if err != nil {
		t.Fatal(err)
	}
	same := cmp.Comparer(func(a, b Secret) bool { return a.Reveal() == b.Reveal() })
	if d := cmp.Diff(Default(), got, same); d != "" {
		t.Errorf("config.toml differs from the defaults (-default +file):\n%s", d)
	}
}

func TestEveryKeyCanComeFromTheEnvironment(t *testing.T) {
	cfg := Default()
	for _, f := range leaves(reflect.ValueOf(&cfg).Elem()) {
		value := "1"
		switch f.value.Interface().(type) {
		case Duration:
			value = "1s"
		case Persons, Places:
			value = "telegram:1"
		}
		l := loader{cfg: Default(), origins: map[string]origin{}}
		l.environment([]string{variableName(f.key()) + "=" + value})
		if len(l.problems)+len(l.warnings) > 0 {
			t.Errorf("%s: %v %v", variableName(f.key()), l.problems, l.warnings)
		}
		if _, ok := l.origins[f.key()]; !ok {
			t.Errorf("%s does not set %s", variableName(f.key()), f.key())
		}
	}
}
