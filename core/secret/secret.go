package secret

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// In says why a text looks like it holds a secret, or returns "". It rather
// asks once too often: what is found is not kept, and can be said again.
func In(s string) string {
	for _, p := range slices.Concat(vendors, phrases) {
		if p.re.MatchString(s) {
			return p.why
		}
	}
	if cardNumber(s) {
		return "it holds the number of a payment card"
	}
	hash := hashWord.MatchString(s)
	for _, token := range tokens.FindAllString(s, -1) {
		if random(token, hash) {
			return "it holds what looks like a key or token"
		}
	}
	return ""
}

// Known finds the first secret in a text that is certain by the form that its
// vendor gives it, and says why and where it begins; why is empty if there is
// none. Placeholders as in documentation are none.
func Known(s string) (why string, at int) {
	for _, p := range vendors {
		if at := p.first(s); at >= 0 {
			return p.why, at
		}
	}
	return "", 0
}

// first is where the first key of a form begins, -1 without. Keys stand in one
// line, so that only lines with a mark are looked at closely.
func (p pattern) first(s string) int {
	if !p.marked(s) {
		return -1
	}
	at, left := 0, maxSpans
	for line := range strings.Lines(s) {
		found, looked := p.firstIn(line, left)
		if found >= 0 {
			return at + found
		}
		at += len(line)
		if left -= looked; left <= 0 {
			return -1
		}
	}
	return -1
}

// firstIn is where the first key of a form begins in a line, -1 without, and
// how many of at most so many spans of that form were looked at.
func (p pattern) firstIn(line string, most int) (at, looked int) {
	if !p.marked(line) {
		return -1, 0
	}
	for _, span := range p.re.FindAllStringIndex(line, most) {
		looked++
		if p.certain || !placeholder(line[span[0]:span[1]]) {
			return span[0], looked
		}
	}
	return -1, looked
}

// marked reports whether a text has one of the marks that each key has.
func (p pattern) marked(s string) bool {
	return slices.ContainsFunc(p.marks, func(m string) bool { return strings.Contains(s, m) })
}

// maxSpans bounds how many placeholders are looked past.
const maxSpans = 50

// placeholder reports whether a key is made up to show where one goes.
func placeholder(key string) bool {
	low := strings.ToLower(key)
	for _, w := range []string{"example", "xxxx", "your", "test", "dummy", "fake", "sample", "placeholder", "1234", "abcd",
		"redacted", "changeme", "...", "my-", "my_"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return !strings.ContainsAny(key, "0123456789") || entropy(key) < knownLeast
}

// knownLeast is the entropy, in bits a character, that a real key has with its
// fixed beginning; words and runs of one letter have less.
const knownLeast = 3.4

// pattern is a form of secret that is known by its looks.
type pattern struct {
	re      *regexp.Regexp
	why     string
	marks   []string // of which each match holds one; a quick first look
	certain bool     // no placeholder looks like it
}

// vendors are the forms of keys that vendors document for scanners.
var vendors = []pattern{
	{re: regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY`), why: "it holds a private key", marks: []string{"PRIVATE KEY"}, certain: true},
	{re: regexp.MustCompile(`\b(sk|pk|rk)[-_][A-Za-z0-9_-]{16,}`), why: "it holds an API key", marks: []string{"sk-", "sk_",
		"pk-", "pk_", "rk-", "rk_"}},
	{re: regexp.MustCompile(`\b(gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|xapp-|npm_|hf_|ya29\.)[A-Za-z0-9_.-]{10,}`),
		why: "it holds an access token", marks: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox",
			"xapp-", "npm_", "hf_", "ya29."}},
	{re: regexp.MustCompile(`\b(AKIA|ASIA)[A-Z0-9]{16}\b`), why: "it holds a cloud access key", marks: []string{"AKIA", "ASIA"}},
	{re: regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{30,}`), why: "it holds an API key", marks: []string{"AIza"}},
	{re: regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`), why: "it holds a signed token", marks: []string{"eyJ"}},
	{re: regexp.MustCompile(`\b\d{8,10}:[A-Za-z0-9_-]{30,}`), why: "it holds a bot token", marks: []string{":AA"}},
}

// phrases are ways in which people write a secret down.
var phrases = []pattern{
	{re: regexp.MustCompile(`[a-z][a-z0-9+.-]*://[^\s/@:]*:[^\s/@]+@`), why: "it holds an address with a password"},
	{re: regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9+/_=.-]{16,}`), why: "it holds an authorization header"},
	{re: regexp.MustCompile(`(?i)(\b(password|passwd|passphrase|pwd|secret|token|api[ _-]?key|pin|otp|passcode)\b|密码|密碼|口令|` +
		`密钥|暗証番号|パスワード)\s*(=|:|：|＝)\s*\S{3,}`), why: "it names a password or key with its value"},
	{re: regexp.MustCompile(`(?i)(\b(password|passwd|passphrase|pwd|secret|token|api[ _-]?key|pin|otp|passcode)\b|密码|密碼|口令|` +
		`密钥|暗証番号|パスワード)\s*(is|was|are|为|為|是|は)?\s*["'` + "`" +
		`]?([A-Za-z!@#$%^&*_+.-]*\d[^\s,;]{2,}|[A-Za-z!@#$%^&*_+.-]{3,}\d)`), why: "it names a password or key with its value"},
	{re: regexp.MustCompile(`(?i)\b(password|passwd|passphrase|pwd|passcode)\b\s+(is|was)\s+["'` + "`" + `]?\S*[!@#$%^&*_+]\S*`),
		why: "it names a password with its value"},
}

// tokens are words that could be made by a machine.
var tokens = regexp.MustCompile(`[A-Za-z0-9+/_=~-]{20,}`)

// hashWord marks a text whose long hexadecimal words are names of contents.
var hashWord = regexp.MustCompile(`(?i)\b(commit|revision|sha-?\d*|hash|digest|checksum|md5)\b`)

// The entropies, in bits a character, from which a word is random.
const (
	randomHex   = 3.0
	randomMixed = 3.8
)

func random(token string, hash bool) bool {
	var lower, upper, digit, other int
	isHex := true
	for _, r := range token {
		switch {
		case unicode.IsDigit(r):
			digit++
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLower(r):
			lower++
		default:
			other++
		}
		isHex = isHex && strings.ContainsRune("0123456789abcdefABCDEF", r)
	}
	switch {
	case isHex:
		return len(token) >= 32 && !hash && entropy(token) >= randomHex
	case digit < 2 || upper < 2 || lower < 2 || other*5 > len(token):
		return false
	}
	return entropy(token) >= randomMixed
}

// entropy is that of the characters of a word, in bits each.
func entropy(s string) float64 {
	counts := map[rune]int{}
	n := 0
	for _, r := range s {
		counts[r]++
		n++
	}
	sum := 0.0
	for _, c := range counts {
		p := float64(c) / float64(n)
		sum -= p * math.Log2(p)
	}
	return sum
}

var digitsRun = regexp.MustCompile(`\b\d(?:[ -]?\d){12,18}\b`)

// cardNumber reports whether a text holds digits with a payment card's check.
func cardNumber(s string) bool {
	for _, m := range digitsRun.FindAllString(s, -1) {
		digits := strings.NewReplacer(" ", "", "-", "").Replace(m)
		if strings.ContainsAny(digits[:1], "3456") && luhn(digits) {
			return true
		}
	}
	return false
}

func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			d = d*2%10 + d*2/10
		}
		sum += d
	}
	return sum%10 == 0
}
