package scan

import (
	"slices"
	"strings"
)

// command notes what a single command does.
func (r *shellReader) command(c command) {
	r.loads(c)
	r.taint(c)
	r.runsAddress(c)
	r.substitutes(c)
	r.sends(c)
	switch c.name {
	case "rm", "shred", "srm", "unlink":
		r.removes(c)
	case "find":
		r.finds(c)
	case "chmod", "chown", "setcap", "usermod", "gpasswd", "adduser", "docker", "podman", "nsenter", "chattr":
		r.privilege(c)
	case "cp", "mv", "install", "ln":
		if len(c.args) > 1 {
			r.written(c.args[len(c.args)-1:], strings.Join(c.args[:len(c.args)-1], " "), c.line)
		}
	case "nc", "ncat", "netcat":
		if c.option("e", "c", "-exec", "-sh-exec") {
			r.note("sh.socket", c.line)
		}
		r.note("sh.netcat", c.line)
	case "ssh", "autossh":
		if c.option("R") {
			r.note("tunnel", c.line)
		}
	case "socat":
		if all := strings.ToLower(strings.Join(c.args, " ")); strings.Contains(all, "exec:") || strings.Contains(all, "system:") {
			r.note("sh.socket", c.line)
		}
	case "sha256sum", "shasum", "sha512sum", "md5sum", "gpg", "gpgv", "cosign", "minisign", "sigstore":
		r.verified = true
	case "git":
		if len(c.args) > 1 && c.args[0] == "add" && r.s.holds(strings.Join(c.args[1:], " "), "secretfile") && !strings.Contains(strings.Join(c.args, " "), "example") {
			r.note("sh.commit", c.line)
		}
	case "pip", "pip3", "uv", "npm", "yarn", "pnpm", "gem", "cargo", "pipx", "npx", "bunx", "uvx", "brew":
		r.installs(c)
	case "eval":
		r.within(c, strings.Join(c.args, " "))
	case "sh", "bash", "zsh", "dash", "ksh", "su", "python", "python3", "perl", "ruby", "node", "php", "osascript", "lua", "powershell", "pwsh":
		r.nested(c)
		r.installs(c) // python -m pip
	}
	r.disk(c)
	r.starts(c)
}

// runsAddress notices runners that take a program by its address.
func (r *shellReader) runsAddress(c command) {
	if !slices.Contains([]string{"deno", "bun", "npx", "bunx", "uvx", "pipx", "node", "msiexec", "mshta", "regsvr32", "javaws"}, c.name) {
		return
	}
	for _, a := range c.args {
		if strings.Contains(a, "://") && !official(a, false) && !strings.Contains(a, "github.com") && !strings.Contains(a, "//deno.land") && !strings.Contains(a, "//jsr.io") && !strings.Contains(a, "localhost") {
			r.note("sh.fetch-run", c.line)
		}
	}
}

// finds notices a search that deletes what it finds. Below the home, a search
// for something is usual.
func (r *shellReader) finds(c command) {
	deletes := slices.Contains(c.args, "-delete") || slices.Contains(c.args, "rm") || slices.Contains(c.args, "shred")
	if len(c.args) > 0 && owner(c.args[0]) > ofWork && slices.ContainsFunc(c.args, func(a string) bool { return slices.Contains([]string{"curl", "nc", "scp", "wget"}, a) }) {
		r.note("sh.exfil", c.line)
	}
	if len(c.args) == 0 || !deletes {
		return
	}
	filtered := slices.ContainsFunc(c.args, func(a string) bool {
		return slices.Contains([]string{"-name", "-iname", "-mtime", "-path", "-mmin", "-size", "-empty", "-regex"}, a)
	})
	if c.args[0] == "/" || !filtered {
		r.removes(command{name: "rm", args: []string{"-rf", c.args[0]}, line: c.line})
	}
}

// loads remembers files that are downloaded.
func (r *shellReader) loads(c command) {
	if !c.fetches() || c.knownInstaller() {
		return
	}
	for i, a := range c.args {
		switch {
		case (a == "-o" || a == "-O" || a == "--output" || a == "--output-document") && i+1 < len(c.args) && !strings.HasPrefix(c.args[i+1], "-"):
			r.loaded[base(c.args[i+1])] = true
		case strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.HasSuffix(a, "o") && i+1 < len(c.args):
			r.loaded[base(c.args[i+1])] = true
		}
		if strings.Contains(a, "://") && (c.name == "wget" || c.option("O", "-remote-name")) {
			r.loaded[base(a)] = true
		}
	}
}

// starts notices that a downloaded file is made executable or run.
func (r *shellReader) starts(c command) {
	files := []string{c.name}
	if slices.Contains(interpreters, c.name) || c.name == "chmod" && len(c.args) > 1 && strings.ContainsAny(c.args[0], "x7") {
		files = c.args
	}
	if r.unpacked && !r.verified && (strings.Contains(c.path, "/") || slices.Contains(interpreters, c.name) && len(c.args) > 0 && strings.HasSuffix(c.args[0], ".sh")) {
		r.note("sh.fetch-run", c.line)
	}
	for _, f := range files {
		if !r.loaded[base(f)] || base(f) == "" {
			continue
		}
		if r.verified {
			r.note("sh.installer", c.line)
		} else {
			r.note("sh.fetch-run", c.line)
		}
	}
}

// taint remembers the files that a command may put secrets into.
func (r *shellReader) taint(c command) {
	if !slices.Contains([]string{"tar", "zip", "cp", "7z", "gzip", "cat", "tee", "openssl", "gpg", "rsync"}, c.name) || !r.s.holds(strings.Join(c.args, " "), "secretfile") {
		return
	}
	for _, a := range c.args {
		if !strings.HasPrefix(a, "-") && !r.s.holds(a, "secretfile") && strings.ContainsAny(a, "./") {
			r.tainted[base(a)] = true
		}
	}
}

// base is the last element of a path or address, without a query.
func base(p string) string {
	p, _, _ = strings.Cut(strings.TrimRight(p, `"';`), "?")
	return p[strings.LastIndexByte(p, '/')+1:]
}

// substitutes notices output of the network or of a decoder that is run
// without a pipe: eval "$(curl ...)", bash <(curl ...), sh -c "$(...)".
func (r *shellReader) substitutes(c command) {
	args := c.args
	switch {
	case strings.HasPrefix(c.name, "$(") || strings.HasPrefix(c.name, "<("):
		args = []string{strings.Join(append([]string{c.name}, c.args...), " ")}
	case !slices.Contains(interpreters, c.name) && !slices.Contains([]string{"eval", "source", "."}, c.name):
		return
	}
	for _, a := range args {
		_, inner, found := strings.Cut(a, "$(")
		if !found {
			_, inner, found = strings.Cut(a, "<(")
		}
		if !found {
			continue
		}
		words := strings.Fields(strings.TrimRight(inner, ")"))
		for i, w := range words {
			switch in := (command{name: w, args: words[i+1:]}); {
			case in.fetches():
				r.fetched(in, c.line)
			case in.decodes(), in.escaped():
				r.note("sh.decode-run", c.line)
			}
		}
	}
}

// Marks around commands within words, taken away.
var (
	substitution = strings.NewReplacer("$(", " ", ")", " ")
	scripted     = strings.NewReplacer("do shell script", "", "\"", " ", "'", " ", "(", " ")
)

// sends notices a secret in what a command sends.
func (r *shellReader) sends(c command) {
	if !c.reachesOut() && !c.storesOutside() {
		return
	}
	payload := c.payload()
	inner := strings.Fields(substitution.Replace(payload))
	whole := strings.Contains(payload, "$(env") || strings.Contains(payload, "$(printenv") || strings.Contains(payload, "@/proc/self/environ") || strings.Contains(payload, "$(history") || strings.Contains(payload, "<(env")
	lookup := (c.name == "nslookup" || c.name == "dig" || c.name == "host" || c.name == "ping") && strings.Contains(payload, "$(")
	taken := slices.ContainsFunc(strings.FieldsFunc(payload, func(r rune) bool { return strings.ContainsRune(" @=<", r) }), func(w string) bool { return base(w) != "" && r.tainted[base(w)] })
	if whole || lookup || taken || r.s.holds(payload, "secretfile") || r.s.holds(payload, "secret-command") || slices.ContainsFunc(inner, func(w string) bool { return foreign(w, payload) }) {
		r.note("sh.exfil", c.line)
	}
}

// secret reports whether a command prints secrets.
func (r *shellReader) secret(c command) bool {
	switch c.name {
	case "env", "printenv", "set", "history", "export":
		return len(c.args) == 0 || c.name == "printenv"
	case "curl", "wget", "ssh":
		return false
	}
	if c.name == "grep" || c.name == "rg" {
		return slices.ContainsFunc(c.args, func(a string) bool { return secretName(strings.ToLower(a)) }) && slices.ContainsFunc(c.args, func(a string) bool { return owner(a) > ofWork })
	}
	all := c.name + " " + strings.Join(c.args, " ")
	return r.s.holds(all, "secretfile") || r.s.holds(all, "secret-command")
}

// foreign reports whether a word holds a variable with a secret that has
// another name than the host it goes to: a service's own token is no secret to
// that service.
func foreign(w, payload string) bool {
	i := strings.IndexByte(w, '$')
	if i < 0 {
		return false
	}
	name := strings.ToLower(strings.Trim(w[i+1:], "{}\"'&"))
	if j := strings.IndexFunc(name, func(r rune) bool { return !isWord(r) }); j > 0 {
		name = name[:j]
	}
	if !secretName(name) {
		return false
	}
	vendor, _, _ := strings.Cut(name, "_")
	return len(vendor) < 3 || !strings.Contains(strings.ToLower(payload), vendor+".") && !strings.Contains(strings.ToLower(payload), "."+vendor)
}

// secretName reports whether a variable's name says that it holds a secret.
func secretName(name string) bool {
	for _, part := range []string{"secret", "token", "password", "passwd", "credential", "api_key", "apikey", "private_key", "access_key"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// within reads a script that is an argument of a command.
func (r *shellReader) within(c command, script string) {
	if r.depth >= maxDepth {
		return
	}
	r.s.shellWithin(r.u, script, c.line, r.depth+1)
}

// nested reads a command that is given as a word: bash -c "...".
func (r *shellReader) nested(c command) {
	if strings.HasPrefix(c.name, "python") && c.option("c") {
		r.note("inline-code", c.line)
		return
	}
	for i, a := range c.args {
		if (a == "-c" || strings.HasSuffix(a, "c") && strings.HasPrefix(a, "-")) && i+1 < len(c.args) {
			r.within(c, strings.Join(c.args[i+1:], " "))
			return
		}
		if (a == "-e" || a == "-r" || a == "-Command") && i+1 < len(c.args) {
			r.note("inline-code", c.line)
			if looksLikeShell(c.args[i+1]) {
				r.within(c, scripted.Replace(c.args[i+1]))
			}
		}
		if c.option("i") && strings.Contains(a, "/dev/tcp/") {
			r.note("sh.socket", c.line)
		}
	}
}
