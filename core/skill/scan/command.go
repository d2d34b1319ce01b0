package scan

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// fetches reports whether a command prints or stores what it loads from a
// network.
func (c command) fetches() bool {
	return slices.Contains([]string{"curl", "wget", "fetch", "aria2c", "lwp-download", "lynx", "http", "https", "iwr", "irm",
		"invoke-webrequest", "invoke-restmethod"}, c.name)
}

var interpreters = []string{"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "python", "python2", "python3", "perl", "ruby",
	"node", "php", "pwsh", "powershell", "cmd", "deno", "bun", "iex", "invoke-expression", "osascript", "source", "."}

// interprets reports whether a command runs what it reads.
func (c command) interprets() bool {
	if !slices.Contains(interpreters, c.name) {
		return false
	}
	for i, a := range c.args {
		switch {
		case a == "-" || a == "-s" || a == "/dev/stdin" || a == "--":
			return true
		case a == "-c" || a == "-m" || a == "-e" && len(c.args) > i+1:
			return false
		case !strings.HasPrefix(a, "-"):
			return false // a script of its own
		}
	}
	return true
}

// decodes reports whether a command turns an encoding back.
func (c command) decodes() bool {
	switch c.name {
	case "base64", "base32", "basenc", "uudecode":
		return c.name == "uudecode" || c.option("d", "D", "-decode")
	case "openssl":
		return c.option("d")
	case "xxd":
		return c.option("r", "p")
	case "rev", "gunzip", "zcat", "xzcat", "bunzip2":
		return true
	case "tr":
		return len(c.args) == 2 && strings.Contains(c.args[0], "-")
	}
	return false
}

// escaped reports whether a command prints characters by their numbers.
func (c command) escaped() bool {
	all := strings.Join(c.args, " ")
	return (c.name == "echo" || c.name == "printf") && (strings.Count(all, `\x`) > 3 || strings.Count(all, `\0`) > 3 || strings.Count(all, `\1`) > 3)
}

// option reports whether one of the options is given, short ones also
// together.
func (c command) option(names ...string) bool {
	for _, a := range c.args {
		for _, n := range names {
			switch {
			case len(n) > 1 && (a == "-"+n || strings.HasPrefix(a, "-"+n+"=")):
				return true
			case len(n) == 1 && len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Contains(a[1:], n):
				return true
			}
		}
	}
	return false
}

// reachesOut reports whether a command sends what it reads to somebody.
func (c command) reachesOut() bool {
	switch c.name {
	case "nc", "ncat", "netcat", "socat", "telnet", "mail", "mailx", "sendmail", "nslookup", "dig", "host", "ping", "ftp", "sftp", "ssh", "httpie":
		return true
	case "curl":
		return c.option("d", "F", "T", "-data", "-data-binary", "-data-raw", "-data-urlencode", "-form", "-upload-file", "X",
			"-request", "-json") || c.filled()
	case "wget":
		return c.option("-post-data", "-post-file", "-method", "-body-file", "-body-data") || c.filled()
	case "scp", "rsync", "rclone":
		return slices.ContainsFunc(c.args, func(a string) bool { return strings.Contains(a, ":") && !strings.HasPrefix(a, "-") })
	}
	return false
}

// sendsRaw reports whether a command passes what it reads on to a bare address.
func (c command) sendsRaw() bool {
	if c.name != "nc" && c.name != "ncat" && c.name != "netcat" || c.option("l", "z") {
		return false
	}
	return slices.ContainsFunc(c.args, func(a string) bool {
		ip, err := netip.ParseAddr(a)
		return err == nil && !ip.IsLoopback() && !ip.IsPrivate()
	})
}

// storesOutside reports whether a command puts files into somebody's store.
func (c command) storesOutside() bool {
	all := " " + strings.Join(c.args, " ")
	switch c.name {
	case "aws":
		return strings.Contains(all, " s3 cp ") || strings.Contains(all, " s3 sync ") || strings.Contains(all, " s3 mv ")
	case "gsutil", "gcloud", "az":
		return strings.Contains(all, " cp ") || strings.Contains(all, "upload")
	case "gh":
		return strings.Contains(all, " gist create")
	}
	return false
}

// filled reports whether an address of the command is built while it runs.
func (c command) filled() bool {
	for _, a := range c.args {
		if strings.Contains(a, "://") && strings.ContainsAny(a, "${") {
			return true
		}
	}
	return false
}

// payload is what a command sends, without what only proves who it is.
func (c command) payload() string {
	var out []string
	skip := false
	for _, a := range c.args {
		switch {
		case skip:
			skip = false
		case slices.Contains([]string{"-H", "--header", "-i", "--key", "--cert", "-E", "-u", "--user", "-K", "--config", "-e",
			"--netrc-file", "--cacert", "-o", "--output", "-F", "-O", "--env-file"}, a) && (a != "-F" || c.name == "ssh"):
			skip = true
		case strings.HasPrefix(a, "--header=") || strings.HasPrefix(a, "-H"):
		default:
			out = append(out, a)
		}
	}
	return strings.Join(out, " ")
}

// installers publish an install script that is meant to be piped to a shell:
// hosts, with the path's beginning where others may publish there too.
var installers = []string{
	"sh.rustup.rs", "static.rust-lang.org", "get.docker.com", "raw.githubusercontent.com/Homebrew/", "raw.githubusercontent.com/nvm-sh/",
	"install.python-poetry.org", "bun.sh", "bun.com", "deno.land", "astral.sh", "get.k3s.io", "get.pnpm.io", "starship.rs", "fly.io",
	"raw.githubusercontent.com/ohmyzsh/", "install.ohmyz.sh", "get.sdkman.io", "nixos.org", "install.determinate.systems", "tailscale.com",
	"ollama.com", "get.volta.sh", "raw.githubusercontent.com/helm/", "get.helm.sh", "foundry.paradigm.xyz", "mise.run", "mise.jdx.dev",
	"rclone.org", "run.linkerd.io", "istio.io", "get.acme.sh", "claude.ai", "deb.nodesource.com", "rpm.nodesource.com", "pyenv.run",
	"get.rvm.io", "sh.brew.sh", "install.duckdb.org", "bootstrap.pypa.io", "packages.microsoft.com", "apt.releases.hashicorp.com",
	"raw.githubusercontent.com/pyenv/", "raw.githubusercontent.com/rbenv/", "raw.githubusercontent.com/k3d-io/",
	"raw.githubusercontent.com/aquasecurity/",
	"raw.githubusercontent.com/anchore/", "get.pulumi.com", "www.pulumi.com", "get.haskellup.org", "get-ghcup.haskell.org", "cli.doppler.com",
	"get.jenkins.io", "get.scoop.sh", "scoop.sh", "community.chocolatey.org", "chocolatey.org", "yarnpkg.com", "install.julialang.org",
	"raw.githubusercontent.com/golangci/", "golangci-lint.run", "just.systems", "cli.codecov.io", "uploader.codecov.io",
	"get.opentofu.org", "vercel.com", "sentry.io", "cli.github.com",
	"dl.google.com", "sdk.cloud.google.com", "download.docker.com", "setup.atuin.sh", "zed.dev", "cursor.com", "wasmtime.dev", "get.wasmer.io",
	"moonrepo.dev", "devenv.sh", "install.meteor.com", "get.gravitational.com", "raw.githubusercontent.com/kubernetes-sigs/",
	"raw.githubusercontent.com/junegunn/",
	"cache.agilebits.com", "install.speedtest.net", "packagecloud.io", "getcomposer.org", "install.zerotier.com", "sh.rye.rs",
	"rye.astral.sh", "webi.sh", "webinstall.dev",
}

// knownInstaller reports whether all that a command loads are such scripts,
// over a connection that is safe.
func (c command) knownInstaller() bool {
	found := false
	if c.option("k") || slices.Contains(c.args, "--insecure") || slices.Contains(c.args, "--no-check-certificate") {
		return false
	}
	for n, a := range c.args {
		if n > 0 && slices.Contains([]string{"-o", "-O", "--output", "--output-document"}, c.args[n-1]) {
			continue
		}
		i := strings.Index(a, "://")
		bare := i < 0 && strings.Contains(a, ".") && !strings.HasPrefix(a, "-") && strings.Trim(a, "0123456789.") != ""
		switch {
		case i < 0 && !bare:
		case !official(strings.TrimRight(a, "\"');"), bare):
			return false
		default:
			found = true
		}
	}
	return found
}

// official reports whether an address is that of a known installer.
func official(address string, bare bool) bool {
	if bare {
		address = "https://" + address
	}
	u, err := url.Parse(address[max(strings.Index(address, "http"), 0):])
	if err != nil || u.Scheme != "https" || u.User != nil || u.Port() != "" {
		return false
	}
	return slices.ContainsFunc(installers, func(known string) bool {
		host, path, _ := strings.Cut(known, "/")
		return strings.EqualFold(u.Host, host) && (path == "" || strings.HasPrefix(strings.ToLower(u.Path), strings.ToLower("/"+path)))
	})
}
