package scan

import (
	"slices"
	"strings"
)

// reachOf says what a path belongs to: the machine, the person's home, or the
// work at hand, which is what a skill may well change.
type reachOf int

const (
	ofWork reachOf = iota
	ofHome
	ofMachine
)

// owner says what a path belongs to, by its beginning.
func owner(path string) reachOf {
	p := strings.Trim(path, `"'`)
	switch strings.TrimRight(p, "/*.") {
	case "":
		if strings.HasPrefix(p, "/") {
			return ofMachine
		}
		return ofWork
	case "~", "$HOME", "${HOME}", "$home", "%USERPROFILE%", "/home", "/root", "/Users", `C:\Users`, "/home/$USER", "/Users/$USER":
		return ofHome
	case "/etc", "/usr", "/var", "/bin", "/lib", "/boot", "/opt", "/sbin", "/dev", "/sys", "/proc", "/var/log", "/srv", "/mnt", "/var/lib", "/usr/bin", "/usr/local", "/lib64", "/Library", "/System", "/Applications", "C:", `C:\`, `C:\Windows`:
		return ofMachine
	}
	for _, own := range []string{"Documents", "Desktop", "Pictures", ".ssh", ".config", ".gnupg", ".aws", ".kube", "Library", "Downloads", ".local"} {
		for _, home := range []string{"~/", "$HOME/", "/home/*/", "/Users/*/"} {
			if rest, ok := strings.CutPrefix(p, home+own); ok && strings.Trim(rest, "/*") == "" {
				return ofHome
			}
		}
	}
	for _, own := range []string{"/boot/", "/etc/", "/usr/", "/bin/", "/sbin/", "/lib/"} {
		if strings.HasPrefix(p, own) && !strings.HasPrefix(p, "/usr/local/") && !strings.HasPrefix(p, "/usr/share/") {
			return ofMachine
		}
	}
	return ofWork
}

// removes notices the removal of more than the work at hand.
func (r *shellReader) removes(c command) {
	recursive := c.name == "shred" || c.option("r", "R", "-recursive") || slices.Contains(c.args, "--no-preserve-root")
	for _, a := range c.args {
		if strings.HasPrefix(a, "-") {
			continue
		}
		switch {
		case recursive && owner(a) > ofWork, slices.Contains(c.args, "--no-preserve-root"), strings.HasPrefix(a, "/dev/"):
			r.note("sh.wipe", c.line)
		case strings.Contains(a, "_history"), strings.HasPrefix(a, "/var/log/") && !strings.Contains(a, "/myapp") && owner(a) == ofWork && strings.Count(a, "/") <= 3, strings.Contains(a, "audit"):
			r.note("sh.traces", c.line)
		case strings.Trim(a, "./") == "git" && recursive:
			r.note("sh.lose", c.line)
		}
	}
}

// disk notices what writes over disks.
func (r *shellReader) disk(c command) {
	all := " " + strings.Join(c.args, " ")
	switch {
	case strings.HasPrefix(c.name, "mkfs"), c.name == "wipefs", c.name == "diskutil" && strings.Contains(all, " erase"), c.name == "fdisk" && strings.Contains(all, "/dev/"):
		r.note("sh.wipe", c.line)
	case c.name == "dd" && strings.Contains(all, " of=/dev/") && (strings.Contains(all, "if=/dev/zero") || strings.Contains(all, "random")):
		r.note("sh.wipe", c.line)
	case c.name == "dd" && (strings.Contains(all, " of=/dev/sd") || strings.Contains(all, " of=/dev/nvme")) && !strings.Contains(all, " of=/dev/sdX"):
		r.note("sh.lose", c.line)
	case c.name == "history" && c.option("c", "w"), c.name == "journalctl" && strings.Contains(all, "--vacuum-time=") && strings.HasSuffix(all, "s"), c.name == "unset" && strings.Contains(all, "HISTFILE"):
		r.note("sh.traces", c.line)
	case c.name == "mv" && len(c.args) > 1 && c.args[len(c.args)-1] == "/dev/null" && owner(c.args[len(c.args)-2]) > ofWork:
		r.note("sh.wipe", c.line)
	case c.name == "git" && strings.Contains(all, " push") && c.option("f", "-force", "-mirror", "-delete") && (strings.Contains(all, "main") || strings.Contains(all, "master") || strings.Contains(all, "--all") || strings.Contains(all, "--mirror")):
		r.note("sh.lose", c.line)
	case c.name == "crontab" && c.option("r"):
		r.note("sh.lose", c.line)
	case c.name == "crontab" && len(c.args) > 0 && !c.option("l", "e"):
		r.note("sh.schedule", c.line)
	}
}

// ownRegistry reports whether an image comes from a registry that is not one
// of the public ones.
func ownRegistry(image string) bool {
	host, _, found := strings.Cut(image, "/")
	return found && strings.Contains(host, ".") && !strings.HasPrefix(image, "-") && !strings.HasPrefix(host, ".") && !strings.ContainsAny(host, "=:$") &&
		!slices.Contains([]string{"docker.io", "ghcr.io", "quay.io", "gcr.io", "mcr.microsoft.com", "registry.k8s.io", "public.ecr.aws", "lscr.io", "registry.gitlab.com", "docker.elastic.co"}, host)
}

// privilege notices that rights are widened.
func (r *shellReader) privilege(c command) {
	all := " " + strings.ReplaceAll(strings.Join(c.args, " "), ",", " ") + " "
	first := ""
	if i := slices.IndexFunc(c.args, func(a string) bool { return !strings.HasPrefix(a, "-") }); i >= 0 {
		first = c.args[i]
	}
	last := ""
	if len(c.args) > 1 {
		last = c.args[len(c.args)-1]
	}
	switch c.name {
	case "chmod":
		setuid := strings.Contains(first, "+s") || len(first) == 4 && strings.Trim(first, "01234567") == "" && strings.ContainsAny(first[:1], "4567") && first[0] != '5'
		if setuid && !strings.HasPrefix(first, "g+s") {
			r.note("sh.setuid", c.line)
		}
		wide := strings.Contains(first, "777") || strings.Contains(first, "666") || first == "000" || first == "a+rwx" || first == "a+w" || first == "o+w"
		if wide && (owner(last) > ofWork || strings.HasPrefix(last, "/var") || r.s.holds(last, "secretfile") || strings.HasPrefix(last, "/etc")) {
			r.note("sh.open", c.line)
		}
	case "chown":
		if owner(last) == ofMachine {
			r.note("sh.open", c.line)
		}
	case "setcap":
		if !strings.Contains(all, "cap_net_bind_service") || strings.Count(all, "cap_") > 1 { // a low port is no power
			r.note("sh.setuid", c.line)
		}
	case "usermod", "gpasswd", "adduser":
		for _, group := range []string{" sudo ", " wheel ", " docker ", " root ", " admin "} {
			if strings.Contains(all, group) && !(group == " docker " && strings.Contains(all, "$USER")) {
				r.note("sh.admin", c.line)
			}
		}
	case "docker", "podman":
		if strings.Contains(all, " --restart") && strings.Contains(all, " run ") && slices.ContainsFunc(c.args, ownRegistry) {
			r.note("sh.start", c.line)
		}
		if strings.Contains(all, " --privileged ") || strings.Contains(all, " /:/") || strings.Contains(all, " /etc:") || strings.Contains(all, " /root:") || strings.Contains(all, "--pid=host") || strings.Contains(all, "=/:/") || strings.Contains(all, "docker.sock:") {
			r.note("sh.container", c.line)
		}
	case "nsenter":
		r.note("sh.container", c.line)
	}
}

// written notices files that start something later, or that decide who may
// do what, among the targets of a write.
func (r *shellReader) written(targets []string, content string, line int) {
	for _, t := range targets {
		switch {
		case strings.HasPrefix(t, "-"):
		case strings.HasPrefix(t, "/dev/sd"), strings.HasPrefix(t, "/dev/nvme"), strings.HasPrefix(t, "/dev/disk"):
			r.note("sh.wipe", line)
		case strings.Contains(t, "/etc/sudoers"):
			r.note("sh.sudoers", line)
		case strings.HasSuffix(t, "_history"):
			r.note("sh.traces", line)
		case strings.Contains(t, "authorized_keys"):
			r.note("sh.keys", line)
		case strings.HasPrefix(t, "/etc/passwd"), strings.HasPrefix(t, "/etc/shadow"), strings.HasPrefix(t, "/etc/pam.d"), strings.HasPrefix(t, "/etc/ld.so"):
			r.note("sh.admin", line)
		case strings.HasPrefix(t, "/etc/hosts"):
			r.note("sh.hosts", line)
		case r.s.holds(t, "agent-file") && (strings.Contains(content, "allow") || strings.Contains(content, "approv") || strings.Contains(content, "bypass") || strings.Contains(content, "off")):
			r.note("sh.agent", line)
		case strings.Contains(t, ".git/hooks"):
			r.hook(content, line)
		case r.s.holds(t, "startfile"):
			r.startup(content, line)
		}
	}
}

// hook judges what is written to a hook of a repository.
func (r *shellReader) hook(content string, line int) {
	if strings.Contains(content, "://") || strings.Contains(content, "/dev/tcp") || strings.Contains(content, "base64") || strings.Contains(content, "curl") {
		r.note("sh.start-bad", line)
		return
	}
	if script := strings.TrimPrefix(content, "-s "); strings.ContainsAny(script, " \n") || strings.HasPrefix(script, "/") || strings.HasPrefix(script, "~") {
		r.note("sh.hook", line)
	}
}

// startup judges what is written to a file that a shell or the system starts.
// Paths and aliases are set there every day.
func (r *shellReader) startup(content string, line int) {
	c := strings.TrimSpace(content)
	for _, bad := range []string{"curl", "wget", "nohup", "/dev/tcp", "base64", "LD_PRELOAD", "PROMPT_COMMAND", "alias sudo", "alias ssh", "setsid", "/tmp/", "nc ", "python -c", "python3 -c", "DYLD_INSERT"} {
		if strings.Contains(c, bad) {
			r.note("sh.start-bad", line)
			return
		}
	}
	for _, fine := range []string{"export ", "alias ", "eval ", "source ", ". ", "[ -", "[[", "#", "autoload", "set ", "complete", "setopt", "function ", "bindkey", "PS1=", "PROMPT=", "HIST"} {
		if strings.HasPrefix(c, fine) {
			return
		}
	}
	if name, _, ok := strings.Cut(c, "()"); ok && !strings.ContainsFunc(name, func(r rune) bool { return !isWord(r) }) {
		return // a function
	}
	r.note("sh.start", line)
}
