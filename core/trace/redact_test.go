package trace_test

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"testing"

	"talaria/core/memory"
	"talaria/core/trace"
)

// planted are secrets of many looks: the text that they stand in, and the part
// that must be gone. All of them are made up.
var planted = []struct{ name, text, secret string }{
	{"OpenAI key", "use sk-proj-Abc123Def456Ghi789Jkl012 for it", "Abc123Def456Ghi789Jkl012"},
	{"Anthropic key", "key: sk-ant-api03-QwErTyUiOp1234567890-AbCd", "QwErTyUiOp1234567890"},
	{"GitHub token", "git clone with ghp_0123456789abcdefghijABCDEFGHIJ012345 please", "ghp_0123456789abcdefghijABCDEFGHIJ012345"},
	{"GitHub fine-grained token", "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz", "abcdefghijkl_mnopqrstuvwxyz"},
	{"GitLab token", "glpat-AbCdEf123456GhIjKl78", "AbCdEf123456GhIjKl78"},
	{"Slack bot token", "SLACK=" + "xoxb" + "-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx", "AbCdEfGhIjKlMnOpQrStUvWx"},
	{"Slack app token", "xapp-1-A0123456789-1234567890123-abcdef0123456789abcdef", "abcdef0123456789abcdef"},
	{"Slack webhook", "curl https://hooks.slack.com/services/T0AAAA/B0BBBB/zYxWvUtSrQpOnMlKjIhG", "zYxWvUtSrQpOnMlKjIhG"},
	{"Discord webhook", "https://discord.com/api/webhooks/123456789/Qw-ErTyUiOpAsDfGh", "Qw-ErTyUiOpAsDfGh"},
	{"Discord bot token", "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs", "ZnCjm1XVW7vRze4b7Cq4se7kKWs"},
	{"Telegram token in an address", "get https://api.telegram.org/bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1/getMe", "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1"},
	{"AWS access key", "AKIAIOSFODNN7EXAMPLQ is the id", "AKIAIOSFODNN7EXAMPLQ"},
	{"AWS secret key", "aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEYQ", "wJalrXUtnFEMIK7MDENG"},
	{"Google key", "AIzaSyA1234567890abcdefghijklmnopqrstuv", "SyA1234567890abcdefghijklmnopqrstuv"},
	{"npm token", "//registry/:_authToken=npm_abcdefghijklmnopqrstuvwxyz0123456789", "npm_abcdefghijklmnopqrstuvwxyz0123456789"},
	{"SendGrid key", "SG.abcdefghijklmnop.qrstuvwxyz0123456789ABCDEFGH", "qrstuvwxyz0123456789ABCDEFGH"},
	{"Stripe key", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "4eC39HqLyjWDarjtT1zdp7dc"},
	{"JSON web token", "token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "dozjgNryP4J3jVmNHl0w5N"},
	{"bearer header", "curl -H 'Authorization: Bearer abcdefghijklmnop' https://example.org", "abcdefghijklmnop"},
	{"basic header", "Authorization: Basic dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNzd29yZA"},
	{"cookie", "Cookie: session=abc; theme=dark", "session=abc"},
	{"set-cookie in JSON", `{"Set-Cookie": "sid=qwertyuiop; HttpOnly"}`, "qwertyuiop"},
	{"password in an address", "postgres://admin:hunter2@db.example.org/app", "hunter2"},
	{"password with an at sign in an address", "redis://:p@ss/w0rd@cache:6379", "p@ss"},
	{"environment", "export DB_PASSWORD=correct-horse", "correct-horse"},
	{"quoted in JSON", `{"user":"ann","password":"open sesame now"}`, "sesame"},
	{"single quotes", `api_key: 'tralala lala'`, "tralala"},
	{"camel case", `clientSecret: "bumblebee"`, "bumblebee"},
	{"YAML", "smtp:\n  password: pa55phrase\n  host: mx", "pa55phrase"},
	{"flag", "mysql --user root --password swordfish9 app", "swordfish9"},
	{"query string", "https://example.org/file?sig=AbCd1234&x=1", "AbCd1234"},
	{"in words", "my password is Tr0ub4dor&3, do not tell", "Tr0ub4dor"},
	{"in plain words", "the passphrase is bluewhale", "bluewhale"},
	{"in Chinese", "数据库密码是 hunter2abc 请记住", "hunter2abc"},
	{"in Chinese with a colon", "口令：长江7号", "长江7号"},
	{"PIN", "PIN: 4711", "4711"},
	{"one-time code", "otp = 493021", "493021"},
	{"private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7\nq9abc\n-----END RSA PRIVATE KEY-----\nbye", "MIIEowIBAAKCAQEA7"},
	{"private key without its end", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\nAAAAE", "b3BlbnNzaC1rZXk"},
	{"payment card", "charge 4111 1111 1111 1111 today", "4111 1111 1111 1111"},
	{"random hexadecimal", "c0ffee00d15ea5eba5eba11deadbeef0123456789", "deadbeef0123456789"},
	{"random word", "it is Zx9Qw8Er7Ty6Ui5Op4As3Df2", "Zx9Qw8Er7Ty6Ui5Op4As3Df2"},
}

func TestPlantedSecretsAreTakenOut(t *testing.T) {
	r := trace.NewRedactor(nil)
	for _, p := range planted {
		t.Run(p.name, func(t *testing.T) {
			for _, text := range []string{p.text, "before\n" + p.text + "\nafter"} {
				got := r.Redact(text)
				if strings.Contains(got, p.secret) {
					t.Errorf("Redact(%q) = %q", text, got)
				}
				if strings.HasPrefix(text, "before") && !strings.HasPrefix(got, "before\n") {
					t.Errorf("Redact(%q) = %q: the line before it is gone too", text, got)
				}
			}
		})
	}
}

func TestKnownSecretsAreTakenOutInEveryForm(t *testing.T) {
	const secret = `river & "stone" 42/7`
	r := trace.NewRedactor([]string{secret, "short"})
	quoted := `river & \"stone\" 42/7`
	for _, form := range []string{
		secret, quoted, url.QueryEscape(secret), url.PathEscape(secret), hex.EncodeToString([]byte(secret)),
		base64.StdEncoding.EncodeToString([]byte(secret)), base64.RawURLEncoding.EncodeToString([]byte("user:" + secret + ":x")),
		base64.StdEncoding.EncodeToString([]byte("ab" + secret)),
	} {
		if got := r.Redact("it says " + form + " there"); strings.Contains(got, form) || strings.Contains(got, form[4:len(form)-4]) {
			t.Errorf("Redact left %q: %q", form, got)
		}
	}
}

func TestOrdinaryTextStays(t *testing.T) {
	r := trace.NewRedactor(nil)
	for _, text := range []string{
		"Please summarise the meeting of Monday in five points.",
		"git log --oneline | head -20; the commit is 3f2a91c",
		"The author: Ann Lee. The token count was high.",
		"call me at 10:30, the secretary knows; spin: fast",
		"请把会议纪要发到频道里，下午三点之前。",
		"see https://example.org/docs/page?tab=2#intro",
		"error: file not found: reports/2025-03.csv",
		`{"path":"notes/today.md","limit":20}`,
	} {
		if got := r.Redact(text); got != text {
			t.Errorf("Redact(%q) = %q", text, got)
		}
	}
}

func FuzzRedact(f *testing.F) {
	for _, p := range planted {
		f.Add(p.text)
	}
	r := trace.NewRedactor([]string{"a known secret"})
	f.Fuzz(func(t *testing.T, s string) {
		got := r.Redact(s)
		if strings.Contains(got, "a known secret") {
			t.Errorf("a known secret is left in %q", got)
		}
		for line := range strings.Lines(got) {
			if why := memory.Secret(strings.ReplaceAll(line, "[redacted]", "· ")); why != "" {
				t.Errorf("Redact(%q) left %q: %s", s, line, why)
			}
		}
	})
}
