package app_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/export"
	"talaria/core/person"
	"talaria/core/skill/brought"
	"talaria/core/skill/foreign"
	"talaria/gateway/app"
	"talaria/storage"
	"talaria/storage/teststore"
)

// reaches are the functions that reach into a person's partition, and what
// becomes of what they keep there when accounts are linked.
var reaches = map[string]string{
	"core/person.partition":           "identities, records and places: by the directory itself; settings: joined",
	"core/person.Buried":              "keeps nothing",
	"core/memory.personShelf":         "cards and what was struck: moved or merged; the way back of earlier changes stays",
	"core/skill.partition":            "skills and values set for them: moved",
	"core/skill/brought.Of":           "moved",
	"core/learning.Switch":            "off if either is off",
	"core/learning.PersonStopped":     "off if either is off",
	"core/learning/export.SetConsent": "no if either said no",
	"core/learning/export.Consented":  "no if either said no",
	"core/learning/persona.memo":      "how far words were read: stays, is of the account",
	"core/learning/persona.note":      "how far words were read: stays, is of the account",
	"core/learning/curate.at":         "when skills were looked at: stays, and is made anew",
	"core/learning/curate.Said":       "the way back of a changed preference: stays, since it names what lay there",
	"core/learning/curate.Undo":       "the way back of a changed preference: stays, since it names what lay there",
	"core/learning/propose.spend":     "the day's quota: stays, and ends with the day",
	"scheduler.indexed":               "jobs: moved",
	"scheduler.reindex":               "jobs: moved",
	"gateway/briefing.read":           "what was spent: stays with the account that spent it",
	"gateway/briefing.write":          "what was spent: stays with the account that spent it",
	"gateway/command.share":           "a question of minutes",
	"gateway/command.shareNow":        "a question of minutes",
	"gateway/daily.current":           "a briefing that is being set up, of minutes",
	"gateway/daily.save":              "a briefing that is being set up, of minutes",
	"gateway/daily.base":              "what a briefing told: moved with its job",
	"gateway/daily.keep":              "what a briefing told: moved with its job",
	"gateway/rights.Ask":              "a code of minutes",
	"gateway/rights.Confirm":          "a code of minutes",
	"gateway/rights.collect":          "keeps nothing",
}

func TestWhateverIsKeptOfAPersonHasItsFateAtLinking(t *testing.T) {
	found := map[string]string{}
	root := filepath.Join("..", "..")
	for _, top := range []string{"core", "gateway", "scheduler"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			dir, err := filepath.Rel(root, filepath.Dir(path))
			for _, name := range reaching(file) {
				found[filepath.ToSlash(dir)+"."+name] = ""
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if reaches[name] == "" {
			t.Errorf("%s reaches into a person's partition: say here what becomes of it at linking, and give it a mover", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(reaches)) {
		if _, still := found[name]; !still {
			t.Errorf("%s does not reach into a person's partition any more", name)
		}
	}
}

// reaching are the functions of a file that name a person's partition.
func reaching(file *ast.File) []string {
	var out []string
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if ok && s.Sel.Name == "Person" {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "storage" {
					out = append(out, f.Name.Name)
				}
			}
			return true
		})
	}
	return out
}

func TestChoicesAndThingsAreSharedByLinkedAccountsAndComeBack(t *testing.T) {
	s, ctx := teststore.File(t), t.Context()
	movers := app.Movers(s, slog.New(slog.DiscardHandler))
	ann, bob := person.Principal{Person: "pann", Direct: true}, person.Principal{Person: "pbob", Direct: true}
	try := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	record := json.RawMessage(`{"id": "j1", "prompt": "Water the plants"}`)
	j, _ := foreign.ReadJob(record)
	try(learning.Switch(ctx, s, bob, false))
	try(export.SetConsent(ctx, s, ann.Person, true))
	try(export.SetConsent(ctx, s, bob.Person, false))
	try(brought.Of(s, bob.Person).Keep(ctx, brought.Jobs, j.ID, j))
	try(person.ChangeSettings(ctx, s, ann, func(v *person.Settings) { v.Zone = "Asia/Tokyo" }))
	try(person.ChangeSettings(ctx, s, bob, func(v *person.Settings) { v.Zone, v.Quiet = "Europe/Paris", &person.Quiet{From: 22, To: 7} }))
	keep := storage.On(storage.Person("pbob")).Put("briefed", "job1", "told", storage.Absent).Put("skill.setting/person", "weather", "Oslo", storage.Absent)
	_, err := s.Commit(ctx, keep)
	try(err)

	for range 2 { // as after a crash
		for _, m := range movers {
			try(m.Move(ctx, "l1", bob.Person, ann.Person))
		}
	}
	annHas := func(what string, off, consent bool, waiting int, want person.Settings, things int) {
		t.Helper()
		state(t, s, what, ann, off, consent, waiting, want, things)
	}
	bobHas := func(what string, off, consent bool, waiting int, want person.Settings, things int) {
		t.Helper()
		state(t, s, what, bob, off, consent, waiting, want, things)
	}
	quiet := person.Quiet{From: 22, To: 7}
	annHas("linked", true, false, 1, person.Settings{Zone: "Asia/Tokyo", Quiet: &quiet}, 2)

	for range 2 {
		for _, m := range movers {
			try(m.Return(ctx, "l1", ann.Person, bob.Person, []chat.Identity{}, true))
		}
	}
	annHas("undone", false, true, 0, person.Settings{Zone: "Asia/Tokyo"}, 0)
	bobHas("undone", true, false, 1, person.Settings{Zone: "Europe/Paris", Quiet: &quiet}, 2)

	// What is switched off while they are one person stays off for both.
	for _, m := range movers {
		try(m.Move(ctx, "l2", ann.Person, bob.Person))
	}
	try(learning.Switch(ctx, s, bob, true))
	try(export.SetConsent(ctx, s, bob.Person, true))
	try(learning.Switch(ctx, s, bob, false))
	for _, m := range movers {
		try(m.Return(ctx, "l2", bob.Person, ann.Person, nil, true))
	}
	annHas("off since", true, true, 0, person.Settings{Zone: "Asia/Tokyo"}, 0)
}

// state asserts what is kept of somebody.
func state(t *testing.T, s *storage.Store, what string, who person.Principal, off, consent bool, waiting int, want person.Settings, things int) {
	t.Helper()
	ctx := t.Context()
	stopped, err := learning.PersonStopped(ctx, s, who.Person)
	if err != nil || stopped != off {
		t.Errorf("%s: learning of %s is off: %v, %v", what, who.Person, stopped, err)
	}
	if given, err := export.Consented(ctx, s, who.Person, false); err != nil || given != consent {
		t.Errorf("%s: %s consents: %v, %v", what, who.Person, given, err)
	}
	if jobs, err := brought.Of(s, who.Person).Jobs(ctx); err != nil || len(jobs) != waiting {
		t.Errorf("%s: %d jobs wait for %s, %v", what, len(jobs), who.Person, err)
	}
	got, err := person.ReadSettings(ctx, s, who)
	if err != nil || got.Zone != want.Zone || (got.Quiet == nil) != (want.Quiet == nil) {
		t.Errorf("%s: settings of %s are %+v, %v", what, who.Person, got, err)
	}
	docs, err := storage.GetAll[string](ctx, s, storage.Person(string(who.Person)),
		storage.Ref{Collection: "briefed", Key: "job1"}, storage.Ref{Collection: "skill.setting/person", Key: "weather"})
	if n := len(slices.DeleteFunc(docs, func(d storage.Doc[string]) bool { return d.Value == "" })); err != nil || n != things {
		t.Errorf("%s: %s has %d things, %v", what, who.Person, n, err)
	}
}
