package trace

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"talaria/core/memory"
)

// Redactor takes secrets out of texts before they are kept.
type Redactor struct{ known *strings.Replacer }

// shortest is the length below which a known secret is not looked for: it
// would match by chance.
const shortest = 6

// NewRedactor returns a redactor that knows some secrets by name beside those
// that are known by their looks: the program's own, as they are, and in the
// forms that quotes, addresses and headers write them in.
func NewRedactor(secrets []string) *Redactor {
	secrets = slices.Clone(secrets)
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) }) // one may hold another
	var pairs []string
	for _, s := range secrets {
		if len(s) < shortest {
			continue
		}
		quoted := strconv.Quote(s)
		forms := []string{s, quoted[1 : len(quoted)-1], url.QueryEscape(s), url.PathEscape(s), hex.EncodeToString([]byte(s))}
		for _, form := range append(forms, encoded(s)...) {
			pairs = append(pairs, form, mask)
		}
	}
	return &Redactor{strings.NewReplacer(pairs...)}
}

// encoded are the forms that base64 gives to s wherever s begins in the
// encoded text, without the characters at the ends, which depend on what
// stands beside it.
func encoded(s string) []string {
	var out []string
	for shift := range 3 {
		padded := append(make([]byte, shift), s...)
		for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			form := e.EncodeToString(padded)
			from, to := (shift*8+5)/6, len(form)
			if len(padded)%3 != 0 {
				to--
			}
			if to-from >= 2*shortest {
				out = append(out, form[from:to])
			}
		}
	}
	return out
}

// mask stands for a secret.
const mask = "[redacted]"

// named is how a value that is secret is called in settings and in texts. Words
// that others hold (pin, auth) must stand alone or behind a separator.
const named = `(?:\b[\w.-]*(?:password|passwd|passphrase|passcode|secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|` +
	`credentials?)(?:[_-][a-z0-9]+)*` +
	`|\b(?:[a-z0-9]+[_.-])*(?:pwd|pin|otp|auth|sig|signature|session[ _-]?id)` +
	`|密码|密碼|口令|密钥|令牌|暗証番号|パスワード)`

// namedBy are parts of the names of secret values, one of which is in each.
var namedBy = []string{
	"pass", "secret", "token", "key", "credential", "pwd", "pin", "otp", "auth", "sig", "session",
	"密码", "密碼", "口令", "密钥", "令牌", "暗証番号", "パスワード",
}

// shapes are secrets that are known by their looks, with what is put in their
// place. They go from the widest to the narrowest. A shape is only looked for in
// a text that has one of the things it needs, in lower case: that is what makes
// redaction cheap.
var shapes = []struct {
	needs []string
	is    *regexp.Regexp
	with  string
}{
	{[]string{"-----begin"}, regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*(?:PRIVATE KEY|CERTIFICATE|` +
		`PGP MESSAGE)[A-Z ]*-----(?s:.*?)(?:-----END [A-Z0-9 ]*-----|\z)`), mask},
	{[]string{"cookie"}, regexp.MustCompile(`(?i)((?:set-)?cookie["']?\s*[:=]\s*["']?)[^\r\n"']+`), "${1}" + mask},
	{[]string{"authorization"}, regexp.MustCompile(`(?i)((?:proxy-)?authorization["']?\s*[:=]\s*["']?)[^\r\n"']+`), "${1}" + mask},
	{[]string{"bearer", "basic", "digest"}, regexp.MustCompile(`(?i)\b(bearer|basic|digest)\s+[A-Za-z0-9+/_=.~-]{12,}`), "${1} " + mask},
	{[]string{"://"}, regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)[^\s/@"']*:[^\s/"']*@`), "${1}" + mask + "@"},
	{[]string{"eyj"}, regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*`), mask},
	{[]string{"hooks.slack", "discord", "telegram"}, regexp.MustCompile(`(https://(?:hooks\.slack\.com/(?:services|workflows|` +
		`triggers)|(?:\w+\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks|api\.telegram\.org/(?:file/)?bot)/?)[^\s"'<>)]+`), "${1}" + mask},
	{[]string{":"}, regexp.MustCompile(`\b\d{8,10}:[A-Za-z0-9_-]{30,}`), mask},
	{[]string{"."}, regexp.MustCompile(`\b[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}`), mask},
	{[]string{"-", "_"}, regexp.MustCompile(`\b(?:sk|pk|rk|whsec|shpat|shpss|sq0[a-z]{3}|dop_v1|lin_api|key|ntn|` +
		`secret)[-_][A-Za-z0-9_-]{16,}`), mask},
	{[]string{"_", "-", "."}, regexp.MustCompile(`\b(?:gh[pousr]_|github_pat_|glpat-|glrt-|xox[abceoprs]-|xapp-|npm_|pypi-|hf_|` +
		`ya29\.|SG\.|dckr_pat_|AGE-SECRET-KEY-|figd_|ATATT3)[A-Za-z0-9_.-]{10,}`), mask},
	{[]string{"akia", "asia", "abia", "acca"}, regexp.MustCompile(`\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}\b`), mask},
	{[]string{"aiza"}, regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{30,}`), mask},
	// A named value: SLACK_TOKEN=..., "api_key": "...", --password ..., ?sig=...
	{namedBy, regexp.MustCompile(`(?i)(` + named + `["'` + "`" +
		`]?\s*(?:=>|:=|=|:|：|＝)\s*)("(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'|` + "`[^`\r\n]*`" + `|[^\s,;&"'` + "`" + `)}\]]{3,})`), "${1}" + mask},
	{[]string{"-"}, regexp.MustCompile(`(?i)(\s--?(?:[a-z]+-)*(?:password|passwd|secret|token|api-?key)\s+)\S+`), "${1}" + mask},
	{[]string{"pass", "pwd", "pin", "otp"}, regexp.MustCompile(`(?i)(\b(?:password|passwd|passphrase|pwd|passcode|pin|` +
		`otp)\b\s+(?:is|was|are|to)\s+)\S+`), "${1}" + mask},
	{[]string{"密", "口令", "令牌", "パスワード", "暗証番号"},
		regexp.MustCompile(`((?:密码|密碼|口令|密钥|令牌|パスワード|暗証番号)\s*(?:是|为|為|は|改成|改为|设为)\s*)[^\s，。,;；]+`), "${1}" + mask},
}

// words are what could be a key or token by itself, or the number of a card.
var words = regexp.MustCompile(`[A-Za-z0-9+/_=~-]{20,}|\b\d(?:[ -]?\d){12,18}\b`)

// Redact takes out what is known as a secret or looks like one. What it
// returns is no secret to memory.Secret, line by line: a line that still looks
// like one is left out whole.
func (r *Redactor) Redact(s string) string {
	s = r.known.Replace(s)
	lower := strings.ToLower(s)
	for _, shape := range shapes {
		if slices.ContainsFunc(shape.needs, func(n string) bool { return strings.Contains(lower, n) }) {
			s = shape.is.ReplaceAllString(s, shape.with)
		}
	}
	s = words.ReplaceAllStringFunc(s, func(w string) string {
		if memory.Secret(w) != "" {
			return mask
		}
		return w
	})
	lines := strings.Split(s, "\n")
	for n, line := range lines {
		if doubtful(line) && memory.Secret(strings.ReplaceAll(line, mask, "· ")) != "" {
			lines[n] = mask
		}
	}
	return strings.Join(lines, "\n")
}

// doubtful reports whether a line has a word that goes with secrets whose looks
// tell nothing.
func doubtful(line string) bool {
	line = strings.ToLower(line)
	has := func(n string) bool { return strings.Contains(line, n) }
	return slices.ContainsFunc(namedBy, has) || has("bearer") || has("basic") || has("://")
}
