package memory

import (
	"math"
	"regexp"
	"strings"
	"unicode"
)

// Secret says why a text looks like it holds a secret, or returns "". It is a
// help against slips, not a boundary: who wants to hide a secret in a card can.
func Secret(s string) string {
	for _, p := range secretPatterns {
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

// secretPattern is a form of secret that is known by its looks.
type secretPattern struct {
	re  *regexp.Regexp
	why string
}

var secretPatterns = []secretPattern{
	{regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY`), "it holds a private key"},
	{regexp.MustCompile(`\b(sk|pk|rk)[-_][A-Za-z0-9_-]{16,}`), "it holds an API key"},
	{regexp.MustCompile(`\b(gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|xapp-|npm_|hf_|ya29\.)[A-Za-z0-9_.-]{10,}`), "it holds an access token"},
	{regexp.MustCompile(`\b(AKIA|ASIA)[A-Z0-9]{16}\b`), "it holds a cloud access key"},
	{regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{30,}`), "it holds an API key"},
	{regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`), "it holds a signed token"},
	{regexp.MustCompile(`\b\d{8,10}:[A-Za-z0-9_-]{30,}`), "it holds a bot token"},
	{regexp.MustCompile(`[a-z][a-z0-9+.-]*://[^\s/@:]*:[^\s/@]+@`), "it holds an address with a password"},
	{regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9+/_=.-]{16,}`), "it holds an authorization header"},
	{regexp.MustCompile(`(?i)(\b(password|passwd|passphrase|pwd|secret|token|api[ _-]?key|pin|otp|passcode)\b|密码|密碼|口令|密钥|暗証番号|パスワード)\s*(=|:|：|＝)\s*\S{3,}`), "it names a password or key with its value"},
	{regexp.MustCompile(`(?i)(\b(password|passwd|passphrase|pwd|secret|token|api[ _-]?key|pin|otp|passcode)\b|密码|密碼|口令|密钥|暗証番号|パスワード)\s*(is|was|are|为|為|是|は)?\s*["'` + "`" + `]?([A-Za-z!@#$%^&*_+.-]*\d[^\s,;]{2,}|[A-Za-z!@#$%^&*_+.-]{3,}\d)`), "it names a password or key with its value"},
	{regexp.MustCompile(`(?i)\b(password|passwd|passphrase|pwd|passcode)\b\s+(is|was)\s+["'` + "`" + `]?\S*[!@#$%^&*_+]\S*`), "it names a password with its value"},
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
