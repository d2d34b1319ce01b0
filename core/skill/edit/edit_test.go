package edit_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/skill/edit"
	"talaria/core/skill/manifest"
	"talaria/core/skill/patch"
)

const tea = "---\nname: tea-timer\ndescription: Time tea.\n---\n1. Brew for 3 minutes.\n"

func bundle(pairs ...string) manifest.Bundle {
	b := manifest.Bundle{manifest.MainFile: []byte(tea)}
	for i := 0; i+1 < len(pairs); i += 2 {
		b[pairs[i]] = []byte(pairs[i+1])
	}
	return b
}

func TestChangesAreAllOrNothing(t *testing.T) {
	before := bundle("references/leaves.md", "green")
	got, err := edit.Apply(before, []edit.Change{
		{Action: edit.Patch, Old: "3 minutes", New: "4 minutes"},
		{Action: edit.WriteFile, File: "references/water.md", Content: "90 °C"},
		{Action: edit.RemoveFile, File: "references/leaves.md"},
	})
	want := bundle("references/water.md", "90 °C")
	want[manifest.MainFile] = []byte("---\nname: tea-timer\ndescription: Time tea.\n---\n1. Brew for 4 minutes.\n")
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	_, err = edit.Apply(before, []edit.Change{{Action: edit.Patch, Old: "3 minutes", New: "4 minutes"}, {Action: edit.RemoveFile, File: "none"}})
	if diff := cmp.Diff(bundle("references/leaves.md", "green"), before); diff != "" || !errors.Is(err, edit.ErrNoFile) {
		t.Errorf("a half change (%v):\n%s", err, diff)
	}
}

func TestRefusedChanges(t *testing.T) {
	ambiguous, unreadable := &patch.Refusal{Reason: patch.Ambiguous}, &patch.Refusal{Reason: patch.InvalidSkill}
	tests := []struct {
		name   string
		b      manifest.Bundle
		change edit.Change
		want   error
	}{
		{"creating what is there", bundle(), edit.Change{Action: edit.Create, Content: tea}, edit.ErrExists},
		{"changing what is not there", nil, edit.Change{Action: edit.Patch, Old: "a", New: "b"}, edit.ErrMissing},
		{"removing the main file", bundle(), edit.Change{Action: edit.RemoveFile, File: manifest.MainFile}, edit.ErrMain},
		{"a path above the skill", bundle(), edit.Change{Action: edit.WriteFile, File: "../evil", Content: "x"}, nil},
		{"a folder of its own", bundle(), edit.Change{Action: edit.WriteFile, File: "bin/evil", Content: "x"}, nil},
		{"the wrong place", bundle(), edit.Change{Action: edit.Patch, Old: "e", New: "x"}, ambiguous},
		{"a front matter without its name", bundle(), edit.Change{Action: edit.Patch, Old: "name: tea-timer\n", New: ""}, unreadable},
		{"an unknown action", bundle(), edit.Change{Action: "burn"}, nil},
	}
	for _, tt := range tests {
		_, err := edit.Apply(tt.b, []edit.Change{tt.change})
		refusal, refused := errors.AsType[*patch.Refusal](err)
		wanted, byPatch := errors.AsType[*patch.Refusal](tt.want)
		switch {
		case err == nil:
			t.Errorf("%s: no error", tt.name)
		case byPatch && (!refused || refusal.Reason != wanted.Reason), !byPatch && tt.want != nil && !errors.Is(err, tt.want):
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	if _, err := edit.Apply(bundle(), nil); !errors.Is(err, edit.ErrNothing) {
		t.Errorf("no change: %v", err)
	}
}
