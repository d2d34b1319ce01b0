package scan

import (
	"slices"
	"strings"
)

// popular are packages whose names are imitated. Only near misses of these are
// found; it is no list of what may be installed.
var popular = strings.Fields(`requests urllib3 numpy pandas scipy matplotlib flask django fastapi pydantic setuptools cryptography
	boto3 botocore pyyaml pillow beautifulsoup4 selenium tensorflow pytorch torch transformers scikit-learn sqlalchemy pytest
	colorama python-dateutil openai anthropic langchain jinja2 paramiko psycopg2 aiohttp httpx certifi virtualenv jupyter
	lodash express react axios webpack typescript eslint prettier chalk commander moment mongoose dotenv jquery cross-env
	electron discord.js puppeteer playwright nodemon socket.io babel-cli vue angular next redux underscore bluebird
	rails devise nokogiri serde tokio rand regex`)

// installVerbs are the words behind which a package manager takes names.
var installVerbs = []string{"install", "i", "add", "download"}

// installs looks at where packages are installed from, and at their names.
func (r *shellReader) installs(c command) {
	args := c.args
	if (c.name == "python" || c.name == "python3") && len(args) > 2 && args[0] == "-m" {
		c.name, args = args[1], args[2:]
	}
	if c.name == "uv" && len(args) > 0 && args[0] == "pip" {
		args = args[1:]
	}
	runner := c.name == "npx" || c.name == "bunx" || c.name == "uvx"
	if len(args) == 0 || !runner && !slices.Contains(installVerbs, args[0]) || c.name == "brew" {
		return
	}
	if !runner {
		args = args[1:]
	}
	hashed := slices.Contains(args, "--require-hashes")
	for i, a := range args {
		switch {
		case hashed && strings.Contains(a, "://"): // whatever comes is checked
		case i > 0 && (args[i-1] == "--index-url" || args[i-1] == "-i" || args[i-1] == "--extra-index-url" || args[i-1] == "--registry"):
			r.index(a, c.line)
		case strings.HasPrefix(a, "--index-url="), strings.HasPrefix(a, "--extra-index-url="), strings.HasPrefix(a, "--registry="):
			r.index(a[strings.IndexByte(a, '=')+1:], c.line)
		case a == "--trusted-host":
			r.note("sh.index", c.line)
		case strings.HasPrefix(a, "-"):
		case strings.Contains(a, "://"):
			r.direct(a, c.line)
		case imitates(packageName(a)):
			r.note("sh.typo", c.line)
		}
	}
}

// index judges a package index: the public ones are no finding.
func (r *shellReader) index(address string, line int) {
	for _, host := range []string{"https://pypi.org/", "https://download.pytorch.org/", "https://registry.npmjs.org", "https://test.pypi.org/", "$"} {
		if strings.HasPrefix(address, host) {
			return
		}
	}
	r.note("sh.index", line)
}

// direct judges a package that is installed from an address.
func (r *shellReader) direct(address string, line int) {
	for _, host := range []string{"https://github.com/", "https://gitlab.com/", "ssh://git@github.com/", "https://codeberg.org/",
		"https://bitbucket.org/", "https://huggingface.co/"} {
		if strings.HasPrefix(strings.TrimPrefix(address, "git+"), host) {
			return
		}
	}
	r.note("sh.index", line)
}

// packageName is a package without its version and extras.
func packageName(a string) string {
	a = strings.Trim(strings.ToLower(a), `"'`)
	if i := strings.IndexAny(a, "=<>[~!^"); i > 0 {
		a = a[:i]
	}
	if i := strings.IndexByte(a, '@'); i > 0 {
		a = a[:i]
	}
	return a
}

// imitates reports whether a name is one slip away from a popular one.
func imitates(name string) bool {
	if len(name) < 5 || slices.Contains(popular, name) || slices.Contains(genuine, name) {
		return false
	}
	return slices.ContainsFunc(popular, func(p string) bool { return len(p) >= 5 && oneSlip(name, p) })
}

// genuine are packages whose names are near to a popular one by chance.
var genuine = strings.Fields(`request preact reacts angular2 vuex vuejs pytest5 httpx2 torchx flask2 redux-js regexp rails-i18n nextjs momentjs expres-session`)

var unmarked = strings.NewReplacer("-", "", "_", "", ".", "")

// oneSlip reports whether a and b differ by one letter more, less, other, or
// by two neighbours swapped, or by a mark.
func oneSlip(a, b string) bool {
	if max(len(a), len(b))-min(len(a), len(b)) > 2 {
		return false
	}
	if unmarked.Replace(a) == unmarked.Replace(b) {
		return len(a) != len(b)
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	return swapped || a[i+1:] == b[i+1:]
}
