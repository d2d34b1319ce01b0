package script

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// systemDirs are what a script may read of the machine: its programs and
// libraries, which hold nothing of anybody's.
var systemDirs = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"}

// systemFiles are the few settings without which programs do not start or tell
// the wrong time.
var systemFiles = []string{"/etc/ld.so.cache", "/etc/localtime"}

// searchPath is where interpreters are looked for, and the script's own PATH. It
// is not the program's, which may lead to folders of people.
var searchPath = []string{"/usr/local/bin", "/usr/bin", "/bin"}

// Limits of what a script is called with.
const (
	maxArgs     = 64
	maxArgBytes = 32 << 10 // all together
)

// languages are the interpreters by the names that scripts call them.
var languages = map[string]string{
	"sh": "sh", "dash": "sh", "bash": "bash",
	"python": "python3", "python3": "python3",
	"node": "node", "nodejs": "node",
}

// extensions are the interpreters of scripts that name none.
var extensions = map[string]string{
	".sh": "sh", ".bash": "bash", ".py": "python3", ".js": "node", ".mjs": "node", ".cjs": "node",
}

// flag is what may stand behind an interpreter, such as -eu.
var flag = regexp.MustCompile(`^-[A-Za-z]{1,8}$`)

// argv is the command that runs the script in its folder.
func (j Job) argv() ([]string, error) {
	text, ok := j.Files[j.Script]
	if !ok || !strings.HasPrefix(j.Script, "scripts/") {
		return nil, fmt.Errorf("%w: there is no script %q; the skill has %s", ErrInvalid, j.Script, orNone(scripts(j.Files.Paths())))
	}
	size := 0
	for _, a := range j.Args {
		if size += len(a); strings.ContainsRune(a, 0) {
			return nil, fmt.Errorf("%w: an argument holds a zero byte", ErrInvalid)
		}
	}
	if len(j.Args) > maxArgs || size > maxArgBytes {
		return nil, fmt.Errorf("%w: at most %d arguments of %d bytes together", ErrInvalid, maxArgs, maxArgBytes)
	}
	command, err := interpreter(j.Script, text)
	if err != nil {
		return nil, err
	}
	return slices.Concat(command, []string{j.Script}, j.Args), nil
}

func scripts(paths []string) []string {
	return slices.DeleteFunc(paths, func(p string) bool { return !strings.HasPrefix(p, "scripts/") })
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// interpreter is the program for a script and its flag, by the first line or
// else the extension.
func interpreter(name string, text []byte) ([]string, error) {
	line, _, _ := bytes.Cut(text[:min(len(text), 256)], []byte("\n"))
	shebang, ok := strings.CutPrefix(string(line), "#!")
	if !ok {
		language, ok := extensions[strings.ToLower(path.Ext(name))]
		if !ok {
			return nil, fmt.Errorf("%w: %q names no interpreter; begin it with a line like #!/bin/sh", ErrInvalid, name)
		}
		return find(language)
	}
	words := strings.Fields(shebang)
	if len(words) > 1 && path.Base(words[0]) == "env" {
		words = words[1:]
	}
	if len(words) == 0 || len(words) > 2 || languages[path.Base(words[0])] == "" {
		return nil, fmt.Errorf("%w: %q wants the interpreter %q; there are sh, bash, python3 and node", ErrInvalid, name, strings.TrimSpace(shebang))
	}
	if len(words) == 2 && !flag.MatchString(words[1]) {
		return nil, fmt.Errorf("%w: %q gives its interpreter %q; only short flags like -eu are", ErrInvalid, name, words[1])
	}
	command, err := find(languages[path.Base(words[0])])
	return append(command, words[1:]...), err
}

// find looks for an interpreter among the system's programs.
func find(language string) ([]string, error) {
	for _, dir := range searchPath {
		file := filepath.Join(dir, language)
		real, err := filepath.EvalSymlinks(file)
		if err != nil || !within(real, systemDirs) {
			continue
		}
		if info, err := os.Stat(real); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return []string{file}, nil
		}
	}
	return nil, fmt.Errorf("%w: %s is not installed in %s", ErrInvalid, language, strings.Join(searchPath, ", "))
}

func within(file string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return strings.HasPrefix(file, dir+"/") })
}
