package scan

import "strings"

// piece is a stretch of a program: code, a string or a comment.
type piece struct {
	text    string
	line    int
	str     bool
	comment bool
}

// grammar is what tells strings and comments from code in a language. That is
// all that is needed: what a program does shows in the names that it uses.
type grammar struct {
	line    []string // begin a comment up to the line's end
	block   [][2]string
	strings []string // marks of strings, the longest first
	escape  byte
}

var grammars = map[string]grammar{
	"python":     {line: []string{"#"}, strings: []string{`"""`, `'''`, `"`, `'`}, escape: '\\'},
	"javascript": {line: []string{"//"}, block: [][2]string{{"/*", "*/"}}, strings: []string{"`", `"`, `'`}, escape: '\\'},
	"batch":      {line: []string{"REM ", "rem ", "::"}, strings: []string{`"`}, escape: '^'},
	"powershell": {line: []string{"#"}, block: [][2]string{{"<#", "#>"}}, strings: []string{`"`, `'`}, escape: '`'},
	"ruby":       {line: []string{"#", "--"}, strings: []string{`"`, `'`}, escape: '\\'},
	"config":     {line: []string{"#", "-- "}, strings: []string{`"`, `'`}, escape: '\\'},
}

// pieces cuts a program. Strings that are joined by a plus come as one, so that
// a word can't hide by being split.
func pieces(g grammar, source string, line int) []piece {
	var out []piece
	start := 0
	flush := func(end int) {
		if strings.TrimSpace(source[start:end]) != "" {
			out = append(out, piece{text: source[start:end], line: line})
		}
		line += strings.Count(source[start:end], "\n")
	}
	for i := 0; i < len(source); {
		p, n := g.at(source[i:])
		if n == 0 {
			i++
			continue
		}
		flush(i)
		p.line = line
		line += strings.Count(source[i:i+n], "\n")
		out = join(out, p)
		i += n
		start = i
	}
	flush(len(source))
	return out
}

// join appends a piece, or adds a string to the one that it is joined to.
func join(out []piece, p piece) []piece {
	n := len(out)
	if p.str && n > 1 && !out[n-1].str && out[n-2].str && strings.TrimSpace(out[n-1].text) == "+" && len(out[n-2].text) < 4000 {
		out[n-2].text += p.text
		return out[:n-1]
	}
	return append(out, p)
}

// at returns the string or comment that the source begins with, and its length
// with its marks; 0 if it begins with code.
func (g grammar) at(s string) (piece, int) {
	for _, mark := range g.line {
		if strings.HasPrefix(s, mark) {
			end := strings.IndexByte(s, '\n')
			if end < 0 {
				end = len(s)
			}
			return piece{text: s[len(mark):end], comment: true}, end
		}
	}
	for _, b := range g.block {
		if rest, ok := strings.CutPrefix(s, b[0]); ok {
			inside, _, found := strings.Cut(rest, b[1])
			n := len(b[0]) + len(inside)
			if found {
				n += len(b[1])
			}
			return piece{text: inside, comment: true}, n
		}
	}
	for _, mark := range g.strings {
		if strings.HasPrefix(s, mark) {
			inside, n := g.quoted(s, mark)
			return piece{text: inside, str: true}, n
		}
	}
	return piece{}, 0
}

// quoted returns what is between the marks, and the length with them. A string
// with short marks ends with its line, as one that is never closed must not
// hide the rest of the program.
func (g grammar) quoted(s, mark string) (string, int) {
	for i := len(mark); i < len(s); i++ {
		switch {
		case s[i] == g.escape && mark != "'''"[:min(len(mark), 3)] || s[i] == g.escape && g.escape == '\\':
			i++
		case strings.HasPrefix(s[i:], mark):
			return s[len(mark):i], i + len(mark)
		case s[i] == '\n' && len(mark) == 1 && mark != "`":
			return s[len(mark):i], i
		}
	}
	return s[len(mark):], len(s)
}

// codeUnits reads a block of code: as the script of a shell, as a program, or,
// where no language is named, as whichever of both it may be.
func (s *scanner) codeUnits(p part) []unit {
	lang := language(p.lang)
	u := unit{isCode: true}
	if lang == "shell" || lang == "" || lang == "powershell" || lang == "batch" || lang == "config" && !strings.HasPrefix(strings.ToLower(p.lang), "json") {
		s.shell(&u, shellSource(p, lang), p.line)
	}
	if lang == "powershell" || lang == "batch" || lang == "" {
		s.saves(&u, p.text, p.line)
	}
	g, ok := grammars[lang]
	if !ok {
		g = grammar{line: []string{"# "}}
	}
	var units []unit
	var words []word
	for _, piece := range pieces(g, p.text, p.line) {
		if piece.comment {
			comment := s.prose(part{kind: paragraph, text: piece.text, line: piece.line})
			s.tell(comment, "concealed")
			units = append(units, comment...)
			continue
		}
		words = s.words(words, piece.text, piece.line)
		if piece.str && lang != "config" && lang != "shell" && looksLikeShell(piece.text) {
			s.shell(&u, piece.text, piece.line)
		}
		if piece.str && strings.Count(piece.text, " ") > 3 {
			units = append(units, s.prose(part{kind: paragraph, text: piece.text, line: piece.line})...)
		}
	}
	s.lookUp(words, &u, true)
	s.environment(&u, p.text, p.line)
	if lang == "" { // text in a fence without a language is often no code
		units = append(units, s.prose(part{kind: paragraph, text: p.text, line: p.line})...)
	}
	return append(units, u)
}

// shellSource is what of a block a shell would read: in a configuration, the
// values of its keys; of the languages of other shells, the lines that begin
// with a command as all of them have it.
func shellSource(p part, lang string) string {
	if lang == "shell" || lang == "" {
		return p.text
	}
	lines := strings.Split(p.text, "\n")
	for i, l := range lines {
		l = strings.TrimSpace(l)
		l = strings.TrimPrefix(l, "- ")
		for _, key := range []string{"run:", "RUN ", "command:", "script:", "ExecStart=", "CMD ", "ENTRYPOINT "} {
			if rest, ok := strings.CutPrefix(l, key); ok {
				l = strings.Trim(strings.TrimSpace(rest), `|"'[]`)
			}
		}
		if !looksLikeShell(l) {
			l = ""
		}
		lines[i] = l
	}
	return strings.Join(lines, "\n")
}

// environment notes where a program takes the whole environment, and not a
// variable of it.
func (s *scanner) environment(u *unit, source string, line int) {
	for _, name := range []string{"os.environ", "process.env", "ENV.to_h", "System.getenv()"} {
		for rest := source; ; {
			_, after, found := strings.Cut(rest, name)
			if !found {
				break
			}
			if after == "" || !strings.ContainsRune("[.({", rune(after[0])) && !isWord(rune(after[0])) {
				u.add(hit{sign: s.book.sign("env-dump"), line: line + strings.Count(source[:len(source)-len(after)], "\n")})
			}
			rest = after
		}
	}
}
