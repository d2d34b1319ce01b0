package wire

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

const (
	maxText       = 400 // of an error, in characters
	maxRetryAfter = 24 * time.Hour
)

// keyLike is what looks like a key or a part of one: vendors quote the key
// they refuse, some of them half masked.
var keyLike = regexp.MustCompile(`(?i)\b(?:sk|pk|rk)-[\w.*-]{4,}|\bbearer\s+[\w.~+/*=-]{8,}`)

// clean makes a foreign text fit for an error: one line, bounded, no secrets.
func clean(text, secret string) string {
	if secret != "" {
		text = strings.ReplaceAll(text, secret, "[redacted]")
	}
	text = keyLike.ReplaceAllString(strings.ToValidUTF8(text, "?"), "[redacted]")
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > maxText {
		return string(runes[:maxText]) + "..."
	}
	return string(runes)
}

// retryAfter reads how long an endpoint wants to be left alone: the
// Retry-After header of RFC 9110 in both forms, or the finer
// retry-after-ms that some vendors add. Zero if it says nothing.
func retryAfter(h http.Header, now time.Time) time.Duration {
	var wait time.Duration
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		wait = time.Duration(min(ms, float64(maxRetryAfter.Milliseconds())) * float64(time.Millisecond))
	} else if s, err := strconv.ParseFloat(h.Get("Retry-After"), 64); err == nil {
		wait = time.Duration(min(s, maxRetryAfter.Seconds()) * float64(time.Second))
	} else if at, err := http.ParseTime(h.Get("Retry-After")); err == nil {
		wait = at.Sub(now)
	}
	return min(max(wait, 0), maxRetryAfter)
}
