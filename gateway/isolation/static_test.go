package isolation_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNothingStoredIsReachedWithoutAPrincipal reads the code that a model's
// wishes pass through. What it asserts is what makes the other tests more than
// luck: no tool can name whose data it works on.
func TestNothingStoredIsReachedWithoutAPrincipal(t *testing.T) {
	for name, f := range parsed(t, "../../core/tool") {
		base := filepath.Base(name)
		if imports(f, "talaria/storage") && !slices.Contains([]string{"files.go", "files_erase.go"}, base) {
			t.Errorf("%s imports the store: a tool gets a handle that is bound to its turn", base)
		}
		noPrincipals(t, base, f)
	}
	calls := 0
	for name, f := range parsed(t, "../../gateway/briefing") {
		base := filepath.Base(name)
		noPrincipals(t, base, f)
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			switch selected(call.Fun) {
			case "memory.For":
				calls++
				if last := lastName(call.Args[1]); last != "who" && last != "Who" {
					t.Errorf("%s: memory.For gets %q, which is not the turn's principal", base, last)
				}
			case "storage.Person", "storage.Team", "storage.Shard":
				if base != "meter.go" {
					t.Errorf("%s names a partition itself: that is for handles bound to a principal", base)
				}
			}
			return true
		})
	}
	if calls < 3 {
		t.Errorf("only %d calls of memory.For: the test looks in the wrong place", calls)
	}
	for name, f := range parsed(t, "../../core/agent") {
		if imports(f, "talaria/core/person") || imports(f, "talaria/storage") {
			t.Errorf("%s: the loop that a model drives knows people or the store", filepath.Base(name))
		}
	}
}

// parsed are the files of a folder that are no tests.
func parsed(t *testing.T, dir string) map[string]*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: no files (%v)", dir, err)
	}
	files := map[string]*ast.File{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = f
	}
	return files
}

func imports(f *ast.File, path string) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"`+path+`"` })
}

// noPrincipals asserts that a file makes no principal of its own.
func noPrincipals(t *testing.T, base string, f *ast.File) {
	t.Helper()
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok && selected(lit.Type) == "person.Principal" {
			t.Errorf("%s makes a principal: only core/person does, from who the platform vouches for", base)
		}
		return true
	})
}

// selected is "pkg.Name" for an expression of that form.
func selected(e ast.Expr) string {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if x, ok := s.X.(*ast.Ident); ok {
		return x.Name + "." + s.Sel.Name
	}
	return ""
}

// lastName is the identifier that an expression ends in.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
