package skill_test

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
)

func TestPublishAsksTheApproversOfTheTarget(t *testing.T) {
	w := onSQLite(t)
	l, ctx, owner := w.library(skill.Config{}), t.Context(), w.dm(cy)
	pr := change(skill.OfPerson(owner.Person), "release", document("release", "Tag it."))
	pr.Provenance = []skill.Provenance{{Task: "t1", Place: owner.Place.String(), Messages: []string{"1.2"}, People: []person.ID{owner.Person}}}
	own := w.approved(l, owner, pr)

	out := must(l.Publish(ctx, w.in(cy, general), own.Ref.At(0), skill.OfSpace(w.team(), general)))(w)
	draft := out.Revision
	if out.Live || draft.Hash != own.Hash || draft.Scope.Kind != skill.Space {
		t.Fatalf("%+v", out)
	}
	if p := draft.Provenance[0]; p.Place != "" || p.Messages != nil || len(p.People) != 1 {
		t.Errorf("it tells of the private conversation: %+v", p)
	}
	_, err := l.Approve(ctx, w.in(cy, general), draft.Ref, draft.Hash)
	w.refuses(err, person.ErrForbidden)
	must(l.Approve(ctx, w.in(ben, general), draft.Ref, draft.Hash))(w)
	if !strings.Contains(w.text(l, w.in(dee, general), "release"), "Tag it.") {
		t.Error("it is not seen in the space")
	}

	out = must(l.Publish(ctx, w.in(dee, general), draft.Ref.At(0), skill.OfTeam(w.team())))(w)
	must(l.Approve(ctx, w.in(ben, general), out.Revision.Ref, out.Revision.Hash))(w)
	if !strings.Contains(w.text(l, w.dm(dee), "release"), "Tag it.") {
		t.Error("it is not seen in the team")
	}
	if _, err := l.Publish(ctx, w.in(dee, general), out.Revision.Ref.At(0), skill.OfSpace(w.team(), general)); !errors.Is(err, skill.ErrInvalid) {
		t.Errorf("publishing to a narrower scope: %v", err)
	}
}

func TestAdoptedSkillFollows(t *testing.T) {
	w := onSQLite(t)
	l, ctx, approver, reader := w.library(skill.Config{}), t.Context(), w.in(ben, general), w.dm(cy)
	team := skill.OfTeam(w.team())
	one := w.approved(l, approver, change(team, "release", document("release", "One.")))
	copied := must(l.Adopt(ctx, reader, "release", true))(w)
	must(l.Approve(ctx, reader, copied.Revision.Ref, copied.Revision.Hash))(w)
	_, err := l.Refresh(ctx, reader, "release")
	w.refuses(err, skill.ErrUnchanged)

	next := change(team, "release", document("release", "Two."))
	next.Base = one.Hash
	two := w.approved(l, approver, next)
	if out := must(l.Refresh(ctx, reader, "release"))(w); !out.Live || !strings.Contains(w.text(l, reader, "release"), "Two.") {
		t.Errorf("an untouched copy does not follow: %+v", out)
	}

	mine := change(skill.OfPerson(reader.Person), "release", document("release", "Mine."))
	mine.Base, mine.ByAgent = two.Hash, false
	if out := must(l.Propose(ctx, reader, mine))(w); !out.Live {
		t.Fatalf("%+v", out)
	}
	next = change(team, "release", document("release", "Three."))
	next.Base = two.Hash
	w.approved(l, approver, next)
	if out := must(l.Refresh(ctx, reader, "release"))(w); out.Live || !strings.Contains(w.text(l, reader, "release"), "Mine.") {
		t.Errorf("a changed copy is overwritten: %+v", out)
	}
	_, err = l.Refresh(ctx, w.dm(dee), "release")
	w.refuses(err, skill.ErrNotFound)
}

func TestExternalFolderIsReadOnly(t *testing.T) {
	w := onSQLite(t)
	files := fstest.MapFS{
		"deploy/SKILL.md":          {Data: document("deploy", "Push.")[manifest.MainFile]},
		"deploy/references/how.md": {Data: []byte("So.\n")},
		"broken/SKILL.md":          {Data: []byte("---\nname: [\n")},
		"README.md":                {Data: []byte("no skill\n")},
	}
	config := skill.Config{External: []skill.External{{Name: "shared", Team: w.team(), FS: files}}}
	l, ctx, reader := w.library(config), t.Context(), w.dm(cy)
	if got := must(l.Visible(ctx, reader))(w); len(got) != 1 || got[0].Name != "deploy" || got[0].CreatedBy != skill.ByExternal {
		t.Fatalf("%+v", got)
	}
	if _, data, err := l.View(ctx, reader, "deploy", "references/how.md"); err != nil || string(data) != "So.\n" {
		t.Errorf("%q, %v", data, err)
	}
	ref := skill.Ref{Scope: skill.OfTeam(w.team()), Name: "deploy"}
	_, err := l.Disable(ctx, w.in(ben, general), ref, "")
	w.refuses(err, skill.ErrNotFound)
	if stats := must(l.Upkeep().Record(ctx, ref, skill.Use{Task: "t", Success: true}))(w); stats.Uses() != 1 {
		t.Errorf("%+v", stats)
	}

	// One of the library goes before it; adopting makes a copy.
	out := must(l.Adopt(ctx, reader, "deploy", false))(w)
	must(l.Approve(ctx, reader, out.Revision.Ref, out.Revision.Hash))(w)
	if s := must(l.Find(ctx, reader, "deploy"))(w); s.Scope.Kind != skill.Person || s.CreatedBy != skill.ByPerson {
		t.Errorf("%+v", s)
	}

	files["deploy/SKILL.md"] = &fstest.MapFile{Data: document("deploy", "Pull.")[manifest.MainFile], ModTime: time.Unix(1, 0)}
	if !strings.Contains(w.text(w.library(config), w.dm(dee), "deploy"), "Pull.") {
		t.Error("a changed file is not seen")
	}
}

// unreadable is a folder that is not there.
type unreadable struct{}

func (unreadable) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func TestAFolderThatIsNotThereIsToldOnce(t *testing.T) {
	w := onSQLite(t)
	var log bytes.Buffer
	config := skill.Config{External: []skill.External{{Name: "shared", Team: w.team(), FS: unreadable{}}}}
	l := skill.New(w.store, w.directory, config, slog.New(slog.NewTextHandler(&log, nil)))
	for range 3 {
		if got := must(l.Visible(t.Context(), w.dm(cy)))(w); len(got) != 0 {
			t.Errorf("%+v", got)
		}
	}
	if n := strings.Count(log.String(), "folder of skills not read"); n != 1 {
		t.Errorf("told %d times:\n%s", n, log.String())
	}
}
