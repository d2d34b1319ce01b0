package scan

import (
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
)

// addresses notes what kind of address a word begins.
func (s *scanner) addresses(w word, i int, u *unit) {
	if w.url == "" {
		return
	}
	note := func(name string) {
		u.add(hit{sign: s.book.sign(name), start: i, end: i + 1, line: w.line, quoted: w.quoted})
	}
	if strings.Contains(w.url, "{") || strings.Contains(w.url, "$(") || strings.Contains(w.url, "<") {
		note("filled-url")
		if slices.ContainsFunc(privateNames, func(n string) bool {
			return strings.Contains(strings.ToLower(w.url[strings.IndexAny(w.url, "{$<"):]), n)
		}) {
			note("filled-secret")
		}
	}
	at, err := url.Parse(w.url)
	if err != nil {
		note("url")
		return
	}
	host := at.Hostname()
	if _, err := netip.ParseAddr(host); err == nil && host != "127.0.0.1" && host != "::1" {
		note("bare-ip")
	}
	if slices.Contains(drops, host) || slices.ContainsFunc(drops, func(d string) bool { return strings.HasSuffix(host, "."+d) }) {
		note("drop")
	}
	if wellKnown(host) {
		note("well-known")
	}
	if host != "localhost" && host != "127.0.0.1" && !official(w.url, false) {
		note("url")
		if slices.Contains(programEnds, strings.ToLower(path.Ext(at.Path))) {
			note("program-url")
		}
	}
}

// programEnds are the ends of files that are run or opened to install.
var programEnds = strings.Fields(".sh .bash .py .pl .rb .js .ps1 .bat .cmd .vbs .hta .exe .msi .dll .bin .run .elf .dmg .pkg .app .apk .deb .rpm .jar .zip .tgz .gz .7z .rar .iso .so .scr")

// wellKnown reports whether a host is that of a project or vendor whose pages
// people read and load from every day.
func wellKnown(host string) bool {
	return slices.ContainsFunc(publishers, func(p string) bool { return host == p || strings.HasSuffix(host, "."+p) })
}

var publishers = strings.Fields(`github.com gitlab.com pypi.org npmjs.com npmjs.org nodejs.org python.org golang.org go.dev docker.com microsoft.com apple.com
	crates.io rust-lang.org rustup.rs brew.sh debian.org ubuntu.com kernel.org mozilla.org google.com googleapis.com amazonaws.com amazon.com anthropic.com
	openai.com slack.com discord.com telegram.org stripe.com notion.so notion.com atlassian.com wikipedia.org huggingface.co postgresql.org sqlite.org
	redis.io kubernetes.io hashicorp.com cloudflare.com example.com example.org`)

// privateNames are parts of the names of placeholders that stand for private
// data.
var privateNames = strings.Fields("message conversation history prompt secret token password memory context env answer chat email transcript credential summary user_ question reply session api_key apikey")

// drops are services that take what anybody sends, for anybody to fetch.
var drops = strings.Fields(`webhook.site requestbin.com pipedream.net ngrok.io ngrok.app ngrok-free.app transfer.sh pastebin.com paste.ee
	termbin.com 0x0.st file.io requestcatcher.com hookbin.com interact.sh oast.fun oast.pro burpcollaborator.net trycloudflare.com`)

// isAddress reports whether four words are the numbers of an IPv4 address that
// is not this machine's.
func isAddress(words []word, i int) bool {
	if i+4 > len(words) || words[i].text == "127" {
		return false
	}
	for n, w := range words[i : i+4] {
		if len(w.text) > 3 || strings.Trim(w.text, "0123456789") != "" || n > 0 && w.gap != '.' {
			return false
		}
	}
	return true
}
