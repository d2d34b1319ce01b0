package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// DefaultPath is the file that Load reads where none is named, if it is there.
const DefaultPath = "config.toml"

// maxFile is the largest configuration file in bytes. Ours is 8 kB.
const maxFile = 1 << 20

// Load reads the file at path over the defaults and the environment (in the
// form of os.Environ) over both. An empty path means DefaultPath, which need
// not exist. The error is an *Error; warnings are no reason not to start.
func Load(path string, environ []string) (Config, []Problem, error) {
	l := gather(path, environ)
	l.check()
	return l.cfg, l.warnings, l.problems.err()
}

// Where says where Load found the value of a key, or where a missing one
// belongs: a line of the file, or a variable where its table is set by those.
func Where(path string, environ []string, key string) string {
	return gather(path, environ).at(key).String()
}

// gather reads the file and the environment, and looks at no value yet.
func gather(path string, environ []string) *loader {
	l := &loader{cfg: Default(), origins: map[string]origin{}}
	if doc, ok := l.read(path); ok {
		l.file(doc)
	}
	l.environment(environ)
	return l
}

// loader carries what one Load gathers.
type loader struct {
	cfg      Config
	name     string            // of the file, for people
	origins  map[string]origin // by key, of what was set
	lines    map[string]int    // by key or table, of the file
	public   bool              // others can read the file
	problems problems
	warnings problems
}

// read returns the document at path, or false where there is none to decode.
func (l *loader) read(path string) ([]byte, bool) {
	l.name = path
	if path == "" {
		l.name = DefaultPath
	}
	here := origin{file: l.name}
	info, err := os.Stat(l.name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && path == "":
		return nil, false
	case errors.Is(err, fs.ErrNotExist):
		l.problems.add(here, "", "there is no such file", "name another one with --config or "+PathVariable+", or neither to run with the defaults")
		return nil, false
	case err == nil && info.IsDir():
		l.problems.add(here, "", "is a folder", "name the file in it, like "+filepath.Join(l.name, DefaultPath))
		return nil, false
	case err == nil && info.Size() > maxFile:
		l.problems.add(here, "", fmt.Sprintf("is %d bytes long", info.Size()), fmt.Sprintf("a configuration has at most %d", maxFile))
		return nil, false
	}
	doc, err := os.ReadFile(l.name)
	if err != nil {
		l.problems.add(here, "", "can't be read: "+reason(err), "make it readable for the user that runs Talaria")
		return nil, false
	}
	l.public = info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0
	return doc, true
}

// reason is an error without the path that PathError repeats.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

var byteOrderMark = []byte("\ufeff")

// file assigns a document's values.
func (l *loader) file(doc []byte) {
	doc = bytes.TrimPrefix(doc, byteOrderMark)
	var tree map[string]any
	if err := toml.Unmarshal(doc, &tree); err != nil {
		l.problems.add(l.syntaxOrigin(err), "", strings.TrimPrefix(err.Error(), "toml: "), "see https://toml.io for how the file is written")
		return
	}
	l.lines = lines(doc)
	l.table(reflect.ValueOf(&l.cfg).Elem(), tree, "")
	if key := l.firstSecret(); l.public && key != "" {
		l.warnings.add(l.at(key), key, "others can read this secret", "run: chmod 600 "+l.name)
	}
}

func (l *loader) syntaxOrigin(err error) origin {
	at := origin{file: l.name}
	if e, ok := errors.AsType[*toml.DecodeError](err); ok {
		at.line, _ = e.Position()
	}
	return at
}

// table assigns the entries of one table, in a fixed order.
func (l *loader) table(v reflect.Value, tree map[string]any, path string) {
	for _, name := range sortedKeys(tree) {
		key := join(path, name)
		at := origin{file: l.name, line: l.lines[key]}
		sub, known := child(v, name)
		if !known {
			l.problems.add(at, key, "there is no such key", suggest(name, v))
			continue
		}
		if isLeaf(sub.Type()) {
			l.assign(leaf{strings.Split(key, "."), sub}, tree[name], at)
			continue
		}
		nested, ok := tree[name].(map[string]any)
		if !ok {
			l.problems.add(at, key, "is "+tomlType(tree[name]), "write it as a table: ["+key+"]")
			continue
		}
		l.table(sub, nested, key)
	}
}

func (l *loader) assign(f leaf, v any, at origin) {
	l.origins[f.key()] = at
	if err := assign(f.value, v); err != nil {
		l.problems.addError(at, f.key(), err)
	}
}

// firstSecret is the key of a secret that is set, other than the store's
// address, which is one only if it holds a password.
func (l *loader) firstSecret() string {
	for _, f := range leaves(reflect.ValueOf(&l.cfg).Elem()) {
		if s, ok := f.value.Interface().(Secret); ok && s.IsSet() && f.key() != storageKey {
			return f.key()
		}
	}
	if strings.Contains(l.cfg.Storage.URL.Reveal(), "@") {
		return storageKey
	}
	return ""
}

// at is where a key was set. One that was not is looked for where the rest of
// its table is: in the environment, or at the nearest table around it in the
// file. Without a file the environment is all there is.
func (l *loader) at(key string) origin {
	switch o, ok := l.origins[key]; {
	case ok:
		return o
	case l.lines == nil, l.besideVariables(key):
		return origin{variable: variableName(key)}
	}
	for {
		if line, ok := l.lines[key]; ok {
			return origin{file: l.name, line: line}
		}
		dot := strings.LastIndexByte(key, '.')
		if dot < 0 {
			return origin{file: l.name}
		}
		key = key[:dot]
	}
}

// besideVariables reports whether another key of the same table comes from the
// environment.
func (l *loader) besideVariables(key string) bool {
	table := key[:strings.LastIndexByte(key, '.')+1]
	for other, o := range l.origins {
		if o.variable != "" && strings.HasPrefix(other, table) {
			return true
		}
	}
	return false
}
