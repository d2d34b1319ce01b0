package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
	"testing"
)

// libraries are the platforms' own, each with the one folder that knows it.
var libraries = map[string]string{
	"github.com/slack-go/slack":     "adapters/slack",
	"github.com/bwmarrin/discordgo": "adapters/discord",
	"gopkg.in/telebot.v3":           "adapters/telegram",
}

// TestNoPlatformTypeLeavesItsFolder keeps a platform's library to its adapter:
// nobody else imports it, and what the adapter shows of itself names none of its
// types.
func TestNoPlatformTypeLeavesItsFolder(t *testing.T) {
	found := map[string]bool{}
	for _, s := range sources(t) {
		for _, i := range s.ast.Imports {
			library, _ := strconv.Unquote(i.Path.Value) // the parser has checked it
			home, known := libraries[library]
			if !known {
				continue
			}
			found[library] = true
			if s.pkg != home {
				t.Errorf("%s imports %s, which is for %s alone", s.file, library, home)
			}
			for _, shown := range shownOf(s.ast, nameOf(i)) {
				t.Errorf("%s: %s is exported and names a type of %s", s.file, shown, library)
			}
		}
	}
	if len(found) != len(libraries) {
		t.Errorf("only %v were found", found)
	}
}

// nameOf is what an import is called in its file.
func nameOf(i *ast.ImportSpec) string {
	if i.Name != nil {
		return i.Name.Name
	}
	whole, _ := strconv.Unquote(i.Path.Value)
	name, _, _ := strings.Cut(path.Base(whole), ".")
	return name
}

// shownOf are the exported functions and types of a file that name a package's
// types where others see them.
func shownOf(f *ast.File, name string) (out []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && refersTo(d.Type, name) {
				out = append(out, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() && refersTo(visible(s.Type), name) {
					out = append(out, s.Name.Name)
				}
			}
		}
	}
	return out
}

// visible is a type without the fields of a struct that others don't see.
func visible(e ast.Expr) ast.Node {
	s, ok := e.(*ast.StructType)
	if !ok {
		return e
	}
	open := &ast.FieldList{}
	for _, f := range s.Fields.List {
		if len(f.Names) == 0 || f.Names[0].IsExported() {
			open.List = append(open.List, f)
		}
	}
	return open
}

// refersTo reports whether something refers to a package.
func refersTo(n ast.Node, name string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := s.X.(*ast.Ident)
		found = found || ok && x.Name == name
		return true
	})
	return found
}

func TestTypesThatAnAdapterShowsAreSeen(t *testing.T) {
	const shows = `package x
func Open(c *lib.Client) {}
func Get() (map[string][]lib.Message, error) { return nil, nil }
type Config struct { Client lib.Client; hidden lib.Client }
type Kept struct { hidden lib.Client }
func own(c lib.Client) {}`
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", shows, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(shownOf(f, "lib"), " "); got != "Open Get Config" {
		t.Errorf("seen: %s", got)
	}
}
