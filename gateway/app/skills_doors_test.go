package app_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Further people of the shared place.
const (
	gus role = "guest"
	eve role = "outcast"
)

// doors are the ways to say yes to a draft, by the function that carries them
// to the library. A new one has to be tried by everybody below.
var doors = map[string]struct {
	through string
	open    func(w *troupe, who role, card posted, name string)
}{
	"button": {"skills.Desk.approved", func(w *troupe, who role, card posted, _ string) { w.press(who, card, "Approve") }},
	"command": {"skills.Desk.approve", func(w *troupe, who role, _ posted, name string) {
		w.command(who, "skills approve "+name)
	}},
	"shell": {"skills.Desk.approve", func(w *troupe, who role, _ posted, name string) { w.tells(0, who, "skills approve "+name) }},
	"import": {"skills.importing.put", func(w *troupe, who role, _ posted, name string) {
		w.imports(who, name)
	}},
	"words": {"", func(w *troupe, who role, _ posted, name string) { w.speak(who, "approve "+name) }},
	"edit": {"", func(w *troupe, who role, _ posted, name string) {
		w.tells(1, who, "skills edit "+name+"\n"+steps(name, "edited"))
	}},
}

// The functions that call Library.Approve, wherever they are.
func TestEveryDoorToApproveIsTried(t *testing.T) {
	var tried []string
	for _, d := range doors {
		if d.through != "" && !slices.Contains(tried, d.through) {
			tried = append(tried, d.through)
		}
	}
	found := callers(t, "Approve")
	slices.Sort(tried)
	if !slices.Equal(found, tried) {
		t.Errorf("approving is reached by %q; tried is %q", found, tried)
	}
}

// A place's use of another one's skill is a yes as well: there is one door to
// each half of it, which TestAPlaceIsNamedOnEveryPlatformToOfferASkill tries.
func TestEveryDoorToAnotherPlacesSkillIsKnown(t *testing.T) {
	for method, door := range map[string]string{"Offer": "skills.Desk.offer", "Subscribe": "skills.Desk.subscribeTo", "Unsubscribe": "skills.Desk.subscribeTo"} {
		if found := callers(t, method); !slices.Equal(found, []string{door}) {
			t.Errorf("%s is reached by %q", method, found)
		}
	}
}

// callers are the functions of the tree that call a method of a name, outside
// of tests and of the library itself.
func callers(t *testing.T, method string) []string {
	var found []string
	err := filepath.WalkDir("../..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") ||
			strings.HasPrefix(filepath.ToSlash(file), "../../core/skill/") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range parsed.Decls {
			ast.Inspect(decl, func(n ast.Node) bool {
				if use, ok := n.(*ast.SelectorExpr); ok && use.Sel.Name == method && isLibrary(use.X) {
					found = append(found, parsed.Name.Name+"."+nameOf(decl))
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// isLibrary reports whether an expression is a library of skills: by its name,
// since the parser knows no types.
func isLibrary(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return strings.EqualFold(e.Name, "library") || strings.EqualFold(e.Name, "lib")
	case *ast.SelectorExpr:
		return isLibrary(e.Sel)
	}
	return false
}

func nameOf(d ast.Decl) string {
	f, ok := d.(*ast.FuncDecl)
	if !ok {
		return "?"
	}
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver := f.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	return fmt.Sprint(receiver) + "." + f.Name.Name
}

// topics are purposes so unlike each other that no check takes one for another.
var topics = map[string]string{
	"fence": "Paint a wooden garden fence before winter", "bread": "Bake sourdough bread overnight",
	"taxes": "File the yearly tax return of a small company", "tickets": "Book cheap train tickets abroad",
}

func steps(name, what string) string {
	purpose, ok := topics[name]
	if !ok {
		purpose = "How to do " + name
	}
	return "---\nname: " + name + "\ndescription: " + purpose + "\n---\n\n1. Do " + what + ".\n"
}

func TestWhoMayApproveByEveryDoorOnEveryPlatform(t *testing.T) {
	for platform, open := range stages {
		t.Run(platform, func(t *testing.T) {
			t.Parallel()
			w := newTroupe(t, open(t))
			w.tells(0, ada, "role "+w.identity(gus).String()+" guest")
			w.tells(0, ada, "role "+w.identity(eve).String()+" nobody")
			for _, door := range slices.Sorted(maps.Keys(doors)) {
				w.enter(door)
			}
			for _, b := range w.breaches() {
				t.Error(b)
			}
		})
	}
}

// enter has everybody try one door, each of those who may on a draft of its own.
func (w *troupe) enter(door string) {
	name := "by-" + door
	card := w.draft(name, "for-approvers")
	for _, who := range []role{eve, gus, cy} {
		doors[door].open(w, who, card, name)
	}
	if door == "edit" { // a member may propose something else; it still waits
		w.both("skills history "+name, "draft")
		w.tells(0, ben, "skills reject "+name)
		return
	}
	doors[door].open(w, ben, card, name)
	if doors[door].through == "" {
		w.command(ben, "skills pending")
		w.hears(0, "How to do "+name)
		w.both("skills history "+name, "draft")
		w.tells(0, ben, "skills reject "+name)
		return
	}
	w.both("skills show "+name, "active, revision [12]")
	w.only(name, ben)
	other := map[string]string{"button": "fence", "command": "bread", "shell": "taxes", "import": "tickets"}[door]
	second := w.draft(other, "for-admins")
	doors[door].open(w, ada, second, other)
	w.both("skills show "+other, "active, revision [12]")
	w.only(other, ada)
}

// draft is the card of a new draft of the member's.
func (w *troupe) draft(name, what string) posted {
	said := len(w.posted())
	w.tells(0, cy, "skills import\n"+steps(name, what))
	return w.hears(said, "(?s)New skill.*"+name)
}

// only checks that who alone put a skill in force.
func (w *troupe) only(name string, who role) {
	w.Helper()
	yes := 0
	for line := range strings.Lines(w.tells(0, ada, "skills audit")) {
		if !strings.Contains(line, " approve `"+name+"`") || strings.Contains(line, "refused") {
			continue
		}
		if yes++; !strings.Contains(line, w.identity(who).String()) {
			w.Errorf("%s was approved otherwise: %s", name, line)
		}
	}
	if yes != 1 {
		w.Errorf("%s was approved %d times", name, yes)
	}
}
