package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "talaria/"

// source is one file that is no test, with its package's path in the module.
type source struct {
	pkg   string // "core/chat"
	file  string
	ast   *ast.File
	lines *token.FileSet
}

// sources parses the tree.
func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	root := ".."
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(file))
		out = append(out, source{filepath.ToSlash(dir), file, parsed, set})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 100 {
		t.Fatalf("only %d files: the tree was not found", len(out))
	}
	return out
}

// imports are the packages of this module that the file imports.
func (s source) imports() []string {
	var out []string
	for _, i := range s.ast.Imports {
		name, _ := strconv.Unquote(i.Path.Value) // the parser has checked it
		if own, ok := strings.CutPrefix(name, module); ok {
			out = append(out, own)
		}
	}
	return out
}

// under reports whether a package is one of the given ones or below one.
func under(pkg string, tops ...string) bool {
	return slices.ContainsFunc(tops, func(top string) bool { return pkg == top || strings.HasPrefix(pkg, top+"/") })
}

var (
	// shared are what adapters have in common.
	shared    = []string{"adapters/inbound", "adapters/markdown", "adapters/retry", "adapters/wire"}
	drivers   = []string{"storage/sqlite", "storage/redis"}
	providers = []string{"core/model"}
	// support is for tests: simulators, suites and servers.
	support = []string{
		"adapters/fake", "adapters/adaptertest", "core/model/modeltest",
		"storage/storagetest", "storage/teststore", "storage/crosstest", "storage/redis/redistest",
	}
)

// rules say who may import whom. Each gets the importing package and the
// imported one, both of this module, and reports whether that is forbidden.
var rules = []struct {
	name   string
	breaks func(from, to string) bool
}{
	{"core/chat, core/text and storage import nothing of ours", func(from, _ string) bool {
		return from == "core/chat" || from == "core/text" || from == "storage"
	}},
	{"core imports no adapter, driver, scheduler or gateway", func(from, to string) bool {
		return under(from, "core") && under(to, append([]string{"adapters", "scheduler", "gateway"}, drivers...)...)
	}},
	{"an adapter imports core/chat, core/text, core/sleep and what adapters share, never another adapter", func(from, to string) bool {
		return under(from, "adapters") && !under(to, slices.Concat([]string{"core/chat", "core/text", "core/sleep"}, shared)...) && !sameTop(from, to, 2)
	}},
	{"a driver imports storage alone", func(from, to string) bool {
		return under(from, drivers...) && to != "storage" && !sameTop(from, to, 2)
	}},
	{"the scheduler imports core and storage", func(from, to string) bool {
		return under(from, "scheduler") && !under(to, "scheduler", "core") && to != "storage"
	}},
	{"nobody imports gateway", func(from, to string) bool {
		return under(to, "gateway") && !under(from, "gateway")
	}},
	{"only gateway/app imports drivers and providers", func(from, to string) bool {
		outside := !under(from, "gateway/app") && !under(from, drivers...) && !under(from, providers...) && !under(from, support...)
		return outside && under(to, append(slices.Clone(drivers), providers...)...)
	}},
	{"only the command, gateway/app and the replay of recorded events import adapters", func(from, to string) bool {
		return under(to, "adapters") && from != "gateway" && !under(from, "gateway/app", "gateway/replay", "adapters")
	}},
	{"what is for tests is imported by tests", func(from, to string) bool {
		return under(to, support...) && !under(from, support...)
	}},
}

// sameTop reports whether two packages agree in their first n path elements.
func sameTop(a, b string, n int) bool {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	return len(x) >= n && len(y) >= n && slices.Equal(x[:n], y[:n])
}

func TestImports(t *testing.T) {
	for _, s := range sources(t) {
		for _, to := range s.imports() {
			for _, r := range rules {
				if r.breaks(s.pkg, to) {
					t.Errorf("%s imports %s: %s", s.file, to, r.name)
				}
			}
		}
	}
}

// TestRulesSeeWhatTheyForbid keeps a rule from being broken itself.
func TestRulesSeeWhatTheyForbid(t *testing.T) {
	for n, forbidden := range [][2]string{
		{"core/chat", "core/text"},
		{"core/memory", "storage/sqlite"},
		{"adapters/slack", "adapters/telegram"},
		{"storage/redis", "storage/sqlite"},
		{"scheduler", "adapters/slack"},
		{"core/agent", "gateway/config"},
		{"gateway/lane", "core/model/openai"},
		{"gateway/lane", "adapters/slack"},
		{"gateway/app", "adapters/fake/telegram"},
	} {
		if !rules[n].breaks(forbidden[0], forbidden[1]) {
			t.Errorf("%s may import %s by the rule: %s", forbidden[0], forbidden[1], rules[n].name)
		}
	}
}

// reaching are the names of the standard library that open connections.
var reaching = map[string][]string{
	"net/http": {"Client", "Transport", "DefaultClient", "DefaultTransport", "Get", "Head", "Post", "PostForm"},
	"net":      {"Dialer", "Dial", "DialTimeout", "DialTCP", "DialUnix", "DialUDP"},
}

// reachers are the packages that may use them, with the reason. Everything
// else goes through the two transports of core/tool/egress, which check where
// a connection leads.
var reachers = map[string]string{
	"core/tool/egress":  "the two transports",
	"core/model":        "given the operator's transport; it only holds it",
	"adapters/wire":     "the transport of the adapters, each to its own platform; redirects are not followed",
	"adapters/telegram": "the operator's own API address and no other; redirects are not followed",
	"adapters/slack":    "the operator's own API address and no other; redirects are not followed",
	"adapters/discord":  "the operator's own API address and no other; redirects are not followed",
	"storage/redis":     "the operator's own store",
	"gateway/web":       "asks this machine's own listener; serves",
	"gateway/control":   "a socket on this machine",
	"adapters/fake":     "simulators, for tests",
}

func TestNetworkIsReachedThroughEgress(t *testing.T) {
	allowed := make([]string, 0, len(reachers))
	for pkg := range reachers {
		allowed = append(allowed, pkg)
	}
	for _, s := range sources(t) {
		if under(s.pkg, allowed...) {
			continue
		}
		for pos, name := range s.uses(reaching) {
			t.Errorf("%s: %s opens connections; use the transports of core/tool/egress", s.lines.Position(pos), name)
		}
	}
}

// uses finds the uses of names from packages outside of this module, by where
// they stand. A type that is only pointed to (*http.Client) is passed on and
// not made, and so does not count.
func (s source) uses(names map[string][]string) map[token.Pos]string {
	local := map[string]string{}
	for _, i := range s.ast.Imports {
		full, _ := strconv.Unquote(i.Path.Value) // the parser has checked it
		name := path.Base(full)
		if i.Name != nil {
			name = i.Name.Name
		}
		if _, watched := names[full]; watched {
			local[name] = full
		}
	}
	found := map[token.Pos]string{}
	ast.Inspect(s.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StarExpr:
			_, named := n.X.(*ast.SelectorExpr)
			return !named
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if ok && slices.Contains(names[local[x.Name]], n.Sel.Name) {
				found[n.Pos()] = x.Name + "." + n.Sel.Name
			}
		}
		return true
	})
	return found
}

func TestNoHiddenStart(t *testing.T) {
	for _, s := range sources(t) {
		for _, d := range s.ast.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s: no init: what runs is called by whoever owns it", s.lines.Position(f.Pos()))
			}
		}
	}
}

// global are the loggers that belong to nobody.
var global = map[string][]string{
	"log/slog": {"Default", "SetDefault", "Debug", "Info", "Warn", "Error", "Log"},
	"log":      {"Print", "Printf", "Println", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf"},
}

func TestLoggersComeInByConstructor(t *testing.T) {
	for _, s := range sources(t) {
		for pos, name := range s.uses(global) {
			t.Errorf("%s: %s: take a *slog.Logger by constructor", s.lines.Position(pos), name)
		}
	}
}
