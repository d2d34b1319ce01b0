package wording

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// verb is a directive of package fmt.
var verb = regexp.MustCompile(`%(\[(\d+)\])?[+#0-9.]*[a-z%]`)

// verbs are the directives of a format in the order of what they show.
func verbs(format string) []string {
	var out []string
	next := 1
	for _, m := range verb.FindAllStringSubmatch(format, -1) {
		if strings.HasSuffix(m[0], "%") {
			continue
		}
		at := next
		if m[2] != "" {
			at, _ = strconv.Atoi(m[2])
		}
		out = append(out, strconv.Itoa(at)+strings.Replace(m[0], m[1], "", 1))
		next = at + 1
	}
	slices.Sort(out)
	return out
}

// commandWords are what people type: they stay as they are.
var commandWords = regexp.MustCompile("`/[a-z]+( [a-z]+)?")

func TestEveryChineseTextTakesWhatItsEnglishOneTakes(t *testing.T) {
	for english, chinese := range catalogue {
		if want, got := verbs(english), verbs(chinese); !slices.Equal(want, got) {
			t.Errorf("%q takes %v, %q takes %v", english, want, chinese, got)
		}
		if strings.Count(english, "**") != strings.Count(chinese, "**") || strings.Count(english, "`")%2 != strings.Count(chinese, "`")%2 {
			t.Errorf("%q is marked up in another way than %q", chinese, english)
		}
		for _, words := range commandWords.FindAllString(english, -1) {
			name, _, _ := strings.Cut(words, " ")
			if !strings.Contains(chinese, name) {
				t.Errorf("%q does not name %s`", chinese, name)
			}
		}
	}
}

func TestNoAreaSaysATextInAnotherWay(t *testing.T) {
	said := map[string]string{}
	for _, area := range areas {
		for english, chinese := range area {
			if have, ok := said[english]; ok && have != chinese {
				t.Errorf("%q is both %q and %q", english, have, chinese)
			}
			said[english] = chinese
		}
	}
}

// literals are the constant strings of the program, those that are added up as
// one.
func literals(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	err := filepath.WalkDir("../..", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "wording" || d.Name() == "zz"):
			return fs.SkipDir
		case !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			text, ok := constant(e)
			if ok {
				all[text] = true
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, ok := constant(e.X)
		right, too := constant(e.Y)
		return left + right, ok && too && e.Op == token.ADD
	}
	return "", false
}

func TestEveryTextOfTheCatalogueIsSaid(t *testing.T) {
	said := literals(t)
	for english := range catalogue {
		if !said[english] {
			t.Errorf("nobody says %q", english)
		}
	}
}
