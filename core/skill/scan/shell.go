package scan

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// command is one simple command of a shell script, its words as far as they
// are known without running it.
type command struct {
	name string // without its folder
	path string // as it is written
	args []string
	line int
	node *syntax.CallExpr
}

// shellReader reads a script and notes what it does as signs.
type shellReader struct {
	s        *scanner
	u        *unit
	base     int // line before the script's first
	depth    int // how many scripts deep
	vars     map[string]string
	loaded   map[string]bool // files that were downloaded
	tainted  map[string]bool // files that hold secrets
	verified bool            // something compared a checksum
	pipes    int             // of the piece
	unpacked bool            // a download was unpacked
}

// maxShell bounds the source that is parsed in one go, in bytes. Scripts can be
// written so that reading them takes the square of their length; longer ones
// are read in pieces, which know of each other's variables and files.
const maxShell = 3 << 10

// maxPipes bounds the pipes of a piece that are looked at.
const maxPipes = 60

// shell notes the signs of a script. What the parser does not understand is
// left to the words.
func (s *scanner) shell(u *unit, source string, line int) { s.shellWithin(u, source, line, 0) }

// shellWithin does so for a script that is so many scripts deep.
func (s *scanner) shellWithin(u *unit, source string, line, depth int) {
	r := shellReader{s: s, u: u, depth: depth, base: line - 1, vars: map[string]string{}, loaded: map[string]bool{}, tainted: map[string]bool{}}
	for rest := unprompt(source); rest != ""; {
		n := len(rest)
		if n > maxShell {
			if n = strings.LastIndexByte(rest[:maxShell], '\n') + 1; n == 0 {
				n = maxShell
			}
		}
		r.piece(rest[:n])
		r.pipes = 0
		r.base += strings.Count(rest[:n], "\n")
		rest = rest[n:]
	}
}

// piece reads one piece of a script.
func (r *shellReader) piece(source string) {
	if r.s.parser == nil {
		r.s.parser = syntax.NewParser(syntax.RecoverErrors(20), syntax.KeepComments(false))
	}
	file, _ := r.s.parser.Parse(strings.NewReader(source), "")
	if file == nil {
		return
	}
	seen := map[syntax.Node]bool{}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			r.assign(n)
		case *syntax.WordIter:
			r.loop(n)
		case *syntax.FuncDecl:
			if n.Name != nil { // one without a name can't start itself
				r.bomb(n)
			}
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
				r.pipe(n)
			}
		case *syntax.Stmt:
			r.redirects(n)
		case *syntax.CallExpr:
			if !seen[n] {
				seen[n] = true
				r.command(r.read(n))
			}
		}
		return true
	})
}

// unprompt removes the prompts of a console transcript.
func unprompt(source string) string {
	lines := strings.Split(source, "\n")
	for i, l := range lines {
		t := strings.TrimLeft(l, " \t")
		for _, prompt := range []string{"$ ", "# $ ", "> ", "% ", "! "} {
			if rest, ok := strings.CutPrefix(t, prompt); ok {
				lines[i] = rest
				break
			}
		}
	}
	return strings.Join(lines, "\n")
}

func (r *shellReader) line(n syntax.Node) int { return r.base + max(int(n.Pos().Line()), 1) }

// note adds a sign.
func (r *shellReader) note(name string, line int) {
	r.u.add(hit{sign: r.s.book.sign(name), line: line})
}

// read evaluates the words of a command, without what only carries it, such as
// sudo and env.
func (r *shellReader) read(n *syntax.CallExpr) command {
	c := command{line: r.line(n), node: n}
	for _, w := range n.Args {
		c.args = append(c.args, strings.Fields(r.word(w.Parts)+" ")...)
		if len(w.Parts) == 1 {
			if _, plain := w.Parts[0].(*syntax.Lit); !plain { // a quoted word stays whole
				c.args = append(c.args[:max(len(c.args)-len(strings.Fields(r.word(w.Parts))), 0)], r.word(w.Parts))
			}
		}
	}
	if len(c.args) > 0 && strings.HasPrefix(c.args[0], "{") && strings.Contains(c.args[0], ",") {
		c.args = append(strings.Split(strings.Trim(c.args[0], "{}"), ","), c.args[1:]...)
	}
	c.unwrap()
	return c
}

var carriers = []string{"sudo", "doas", "env", "nohup", "time", "exec", "command", "setsid", "nice", "busybox", "stdbuf", "xargs", "timeout", "builtin", "then", "do", "run"}

// unwrap sets the name to that of the command that does the work.
func (c *command) unwrap() {
	carried := false
	for len(c.args) > 0 {
		first := c.args[0]
		base := strings.TrimSuffix(strings.ToLower(first[strings.LastIndexByte(first, '/')+1:]), ".exe")
		switch {
		case slices.Contains(carriers, base) && len(c.args) > 1:
			carried = true
		case carried && (strings.HasPrefix(first, "-") || strings.Contains(first, "=") || strings.Trim(first, "0123456789") != first):
		default:
			c.name, c.path, c.args = base, first, c.args[1:]
			return
		}
		c.args = c.args[1:]
	}
}

// word joins the parts of a word, with the values of variables that are known.
func (r *shellReader) word(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, p := range parts {
		if b.Len() > maxWord {
			break
		}
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(r.word(p.Parts))
		case *syntax.ParamExp:
			b.WriteString(r.param(p))
		case *syntax.CmdSubst:
			b.WriteString("$(" + r.inner(p) + ")")
		case *syntax.ProcSubst:
			b.WriteString("<(" + r.inner(p) + ")")
		}
	}
	return b.String()
}

// maxWord bounds a word's evaluation: variables that hold each other grow fast.
const maxWord = 8 << 10

func (r *shellReader) param(p *syntax.ParamExp) string {
	if p.Param == nil {
		return "$"
	}
	if p.Param.Value == "IFS" {
		return " "
	}
	if v, ok := r.vars[p.Param.Value]; ok {
		return v
	}
	return "$" + p.Param.Value
}

// inner is the source of a substitution, in one line.
func (r *shellReader) inner(n syntax.Node) string {
	var words []string
	for _, c := range r.commands(n) {
		words = append(append(words, c.name), c.args...)
	}
	return strings.Join(words, " ")
}

// commands are all simple commands below a node. Substitutions in substitutions
// are part of the words of the outer.
func (r *shellReader) commands(n syntax.Node) []command {
	var out []command
	syntax.Walk(n, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 && len(out) < 50 {
			out = append(out, r.read(call))
			return false
		}
		return true
	})
	return out
}

func (r *shellReader) assign(a *syntax.Assign) {
	if a.Name == nil || a.Value == nil || len(r.vars) > 200 {
		return
	}
	v := r.word(a.Value.Parts)
	if a.Name.Value == "HISTFILE" || a.Name.Value == "HISTSIZE" && v == "0" {
		r.note("sh.traces", r.line(a))
	}
	if len(v) < 1000 {
		r.vars[a.Name.Value] = v
	}
}

// loop gives a loop's variable all of its values at once.
func (r *shellReader) loop(l *syntax.WordIter) {
	var items []string
	for _, w := range l.Items {
		items = append(items, r.word(w.Parts))
	}
	if v := strings.Join(items, " "); l.Name != nil && len(v) < maxWord {
		r.vars[l.Name.Value] = v
	}
}

// bomb notices a function that starts itself twice.
func (r *shellReader) bomb(f *syntax.FuncDecl) {
	if !slices.ContainsFunc(r.commands(f.Body), func(c command) bool { return c.name == f.Name.Value }) {
		return
	}
	syntax.Walk(f.Body, func(n syntax.Node) bool {
		if b, ok := n.(*syntax.BinaryCmd); ok && b.Op == syntax.Pipe {
			r.note("sh.bomb", r.line(f))
		}
		return true
	})
}

// pipe looks at what flows from the left of a pipe to its right.
func (r *shellReader) pipe(p *syntax.BinaryCmd) {
	if r.pipes++; r.pipes > maxPipes {
		return
	}
	from, to := r.commands(p.X), r.commands(p.Y)
	if len(from) == 0 || len(to) == 0 {
		return
	}
	line := r.line(p)
	for _, d := range p.Y.Redirs {
		if d.Word != nil {
			r.stores(append(from, to...), r.word(d.Word.Parts))
		}
	}
	for _, sink := range to {
		if sink.name == "crontab" || sink.name == "at" {
			r.note("sh.schedule", line)
		}
		for _, source := range from {
			r.flow(source, sink, line)
		}
	}
}

// stores remembers what a file holds that commands write.
func (r *shellReader) stores(from []command, target string) {
	for _, c := range from {
		r.tainted[base(target)] = r.tainted[base(target)] || r.secret(c)
		r.loaded[base(target)] = r.loaded[base(target)] || c.fetches() && !c.knownInstaller() || c.decodes()
	}
}

// flow notes what it means that a command reads another one's output.
func (r *shellReader) flow(source, sink command, line int) {
	switch {
	case sink.interprets() && source.fetches():
		r.fetched(source, line)
	case sink.interprets() && source.decodes(), sink.interprets() && source.escaped():
		r.note("sh.decode-run", line)
	case r.secret(source) && sink.reachesOut():
		r.note("sh.exfil", line)
	case sink.sendsRaw():
		r.note("sh.raw-out", line)
	case sink.interprets() && source.name == "openssl" && slices.Contains(source.args, "s_client"):
		r.note("sh.socket", line)
	case source.fetches() && (sink.name == "tar" || sink.name == "unzip" || sink.name == "cpio"):
		r.unpacked = !source.knownInstaller()
	case sink.name == "tee":
		for _, target := range sink.args {
			r.stores([]command{source}, target)
		}
		r.written(sink.args, strings.Join(source.args, " "), line)
	}
}

// fetched notes that what a command fetches is run.
func (r *shellReader) fetched(c command, line int) {
	if c.knownInstaller() {
		r.note("sh.installer", line)
		return
	}
	r.note("sh.fetch-run", line)
}

// redirects looks at the files that a statement writes.
func (r *shellReader) redirects(st *syntax.Stmt) {
	for _, d := range st.Redirs {
		r.fed(st, d)
		if d.Word == nil {
			continue
		}
		target := r.word(d.Word.Parts)
		if strings.HasPrefix(target, "/dev/tcp/") || strings.HasPrefix(target, "/dev/udp/") {
			r.note("sh.socket", r.line(st))
		}
		if d.Op == syntax.RdrIn && st.Cmd != nil && r.s.holds(target, "secretfile") {
			r.given(st, "sh.exfil")
		}
		if d.Op != syntax.RdrOut && d.Op != syntax.AppOut && d.Op != syntax.RdrClob && d.Op != syntax.RdrAll {
			continue
		}
		r.written([]string{target}, r.content(st, target), r.line(st))
	}
}

// fed looks at what a statement is given in the text itself.
func (r *shellReader) fed(st *syntax.Stmt, d *syntax.Redirect) {
	here := d.Op == syntax.WordHdoc && d.Word != nil
	if st.Cmd == nil || d.Hdoc == nil && !here {
		return
	}
	for _, c := range r.commands(st.Cmd) {
		if d.Hdoc != nil && c.name == "tee" {
			r.written(c.args, r.word(d.Hdoc.Parts), r.line(st))
		}
		if here {
			r.substitutes(command{name: c.name, args: []string{r.word(d.Word.Parts)}, line: c.line})
		}
	}
}

// content is what a statement may write into a file: the words of its commands
// and the text that it is given.
func (r *shellReader) content(st *syntax.Stmt, target string) string {
	var content strings.Builder
	if st.Cmd != nil {
		for _, c := range r.commands(st.Cmd) {
			r.stores([]command{c}, target)
			content.WriteString(strings.Join(c.args, " ") + "\n")
		}
	}
	for _, h := range st.Redirs {
		if h.Hdoc != nil {
			content.WriteString(r.word(h.Hdoc.Parts))
		}
	}
	return content.String()
}

// given notes a sign where a statement with a secret for its input sends.
func (r *shellReader) given(st *syntax.Stmt, sign string) {
	for _, c := range r.commands(st.Cmd) {
		if c.reachesOut() {
			r.note(sign, c.line)
		}
	}
}
