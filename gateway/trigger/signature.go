package trigger

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
)

// Header carries a call's signature.
const Header = "X-Talaria-Signature"

// window is how far a call's time may be from ours.
const window = 5 * time.Minute

var (
	errForm = errors.New("the header " + Header + " must be t=UNIX-SECONDS,v1=HEX")
	errTime = errors.New("the time of the signature is more than five minutes away")
)

// signature is a header that was read and not checked yet.
type signature struct {
	time string // as it was signed
	mac  []byte
}

// parse reads a header. Unknown parts are passed over, for later versions.
func parse(header string, now time.Time) (signature, error) {
	var s signature
	for part := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			s.time = value
		case "v1":
			s.mac, _ = hex.DecodeString(value)
		}
	}
	seconds, err := strconv.ParseInt(s.time, 10, 64)
	if err != nil || len(s.mac) != sha256.Size {
		return s, errForm
	}
	if at := time.Unix(seconds, 0); at.Before(now.Add(-window)) || at.After(now.Add(window)) {
		return s, errTime
	}
	return s, nil
}

// signs reports whether the signature is that of a body.
func (s signature) signs(secret string, body []byte) bool {
	return hmac.Equal(s.mac, sum(secret, s.time, body))
}

// id is the identity of the call.
func (s signature) id() string { return hex.EncodeToString(s.mac) }

func sum(secret, time string, body []byte) []byte {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(time + "."))
	h.Write(body)
	return h.Sum(nil)
}
