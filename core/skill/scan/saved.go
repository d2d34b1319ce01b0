package scan

import (
	"slices"
	"strings"
)

// What loads a file in PowerShell and batch files, in lower case, and what
// comes before the name that it is saved under.
var (
	savers   = []string{"iwr", "irm", "invoke-webrequest", "invoke-restmethod", "curl", "wget", "start-bitstransfer", "bitsadmin", "certutil"}
	saveAs   = []string{"-outfile", "-o", "--output", "-destination", "--output-document"}
	starters = []string{"&", ".", "start-process", "saps", "start", "call", "invoke-item", "ii", "invoke-expression", "iex", "powershell", "pwsh",
		"cmd", "msiexec", "rundll32", "regsvr32", "mshta", "wscript", "cscript", "installutil", "regasm", "explorer", "forfiles"}
	checkers = []string{"get-filehash", "get-authenticodesignature", "-hashfile", "signtool", "sha256sum", "shasum", "sha512sum", "gpg", "gpgv", "cosign", "minisign"}
)

// download follows what a script of PowerShell or a batch file saves from the
// network: these shells name files and start them in ways that others don't.
type download struct {
	s        *scanner
	u        *unit
	saved    map[string]bool   // by the last element of the path, or the variable that holds it
	paths    map[string]string // by variable
	verified bool
}

// saves notes what a script loads and runs.
func (s *scanner) saves(u *unit, text string, line int) {
	d := download{s: s, u: u, saved: map[string]bool{}, paths: map[string]string{}}
	for l := range strings.Lines(text) {
		for _, part := range splitAny(l, ";|", "&&") {
			d.read(shellWords(part), line)
		}
		line++
	}
}

// read looks at one command.
func (d *download) read(words []string, line int) {
	if len(words) == 0 || strings.HasPrefix(words[0], "#") || words[0] == "rem" || strings.HasPrefix(words[0], "::") {
		return
	}
	if holdsAny(words, checkers) {
		d.verified = true
	}
	d.assign(words)
	if d.save(words) {
		return
	}
	if !slices.Contains(starters, program(words[0])) {
		words = words[:1]
	}
	for _, w := range words {
		if !d.saved[d.file(w)] {
			continue
		}
		sign := "sh.fetch-run"
		if d.verified {
			sign = "sh.installer"
		}
		d.u.add(hit{sign: d.s.book.sign(sign), line: line})
		return
	}
}

// assign remembers which path a variable holds.
func (d *download) assign(words []string) {
	switch {
	case len(words) > 2 && strings.HasPrefix(words[0], "$") && words[1] == "=":
		d.paths[words[0]] = fileOf(words[len(words)-1])
	case len(words) > 1 && words[0] == "set":
		name, path, ok := strings.Cut(words[1], "=")
		if ok {
			d.paths["%"+name+"%"] = fileOf(path)
		}
	}
}

// save remembers the file that a command loads, and reports whether it does.
func (d *download) save(words []string) bool {
	method := slices.IndexFunc(words, func(w string) bool {
		return strings.HasSuffix(w, ".downloadfile(") || strings.HasSuffix(w, ".downloadfile")
	})
	loader := slices.IndexFunc(words, func(w string) bool { return slices.Contains(savers, program(w)) })
	known := !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "://") && !official(w, false) })
	switch {
	case method < 0 && loader < 0:
		return false
	case known && strings.Contains(strings.Join(words, " "), "://"):
		return true
	case method >= 0, program(words[loader]) == "bitsadmin", program(words[loader]) == "certutil" && slices.Contains(words, "-urlcache"):
		d.saved[d.file(words[len(words)-1])] = true
		return true
	}
	for i, w := range words[:len(words)-1] {
		if slices.Contains(saveAs, w) {
			d.saved[d.file(words[i+1])] = true
		}
	}
	return true
}

// file is what a path or a variable names.
func (d *download) file(w string) string {
	if path := d.paths[w]; path != "" {
		return path
	}
	return fileOf(w)
}

// fileOf is the last element of a path as Windows or others write it; a name
// with nothing behind its last mark is none.
func fileOf(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	if name == "" {
		return "\x00"
	}
	return name
}

// program is a command's name without its ending.
func program(w string) string { return strings.TrimSuffix(fileOf(w), ".exe") }

func holdsAny(words, of []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(of, program(w)) })
}

// shellWords are the words of a command in lower case, without quotes and the
// marks around them.
func shellWords(s string) []string {
	s = strings.NewReplacer("/urlcache", "-urlcache", "(", "( ", ")", " ", ",", " ", "=", " = ").Replace(strings.ToLower(s))
	if rest, ok := strings.CutPrefix(strings.TrimSpace(s), "set "); ok {
		s = "set " + strings.ReplaceAll(rest, " = ", "=")
	}
	var words []string
	quote := rune(0)
	start := func() { words = append(words, "") }
	in := false
	for _, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
			if !in {
				start()
				in = true
			}
		case quote == 0 && (r == ' ' || r == '\t' || r == '\r' || r == '\n'):
			in = false
		default:
			if !in {
				start()
				in = true
			}
			words[len(words)-1] += string(r)
		}
	}
	if len(words) > 0 {
		words[0] = strings.TrimLeft(words[0], "@")
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// splitAny cuts a line at each of the marks and at a word.
func splitAny(line, marks, word string) []string {
	var out []string
	for _, part := range strings.Split(line, word) {
		out = append(out, strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune(marks, r) })...)
	}
	return out
}
