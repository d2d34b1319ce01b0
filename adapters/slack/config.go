package slack

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"talaria/adapters/wire"

	"github.com/gorilla/websocket"
	"github.com/slack-go/slack"
)

// DefaultURL is Slack's own Web API.
const DefaultURL = slack.APIURL

// Mode is how deliveries come.
type Mode string

// The modes.
const (
	Socket Mode = "socket" // Socket Mode: the adapter connects to Slack
	HTTP   Mode = "http"   // Events API: Slack posts to the adapter
)

// Config says which app to run and how. BotToken is required, AppToken in
// socket mode, SigningSecret in HTTP mode.
type Config struct {
	BotToken      string // "xoxb-..."
	AppToken      string // "xapp-...", with the scope connections:write
	SigningSecret string // that requests are signed with
	Mode          Mode   // empty: Socket
	APIURL        string // empty: DefaultURL

	// Transport carries the calls; nil is one of the adapter's own, which goes
	// nowhere but to APIURL and follows no redirects. It should keep as many
	// connections as calls overlap.
	Transport http.RoundTripper
	// Dialer opens sockets; nil is one of the adapter's own.
	Dialer *websocket.Dialer
	// OpenBlob opens the content of an Upload that is kept in the blob store of
	// the place's shard. Without it only uploads that carry their data are sent.
	OpenBlob wire.OpenBlob
}

// withDefaults checks c and fills in what was left out. Its errors never show
// a secret, also a mistyped one.
func (c Config) withDefaults() (Config, error) {
	if c.APIURL == "" {
		c.APIURL = DefaultURL
	}
	c.APIURL = strings.TrimRight(c.APIURL, "/") + "/" // slack-go puts the method right behind it
	if u, err := url.Parse(c.APIURL); err != nil || u.Host == "" || u.User != nil {
		return c, errors.New("api_url is not an address such as " + DefaultURL)
	}
	if c.Mode == "" {
		c.Mode = Socket
	}
	// What stands in for Slack may give tokens of another form. A rotated one
	// has a prefix of its own (docs.slack.dev/authentication/tokens).
	official := c.APIURL == DefaultURL
	switch {
	case official && !hasPrefix(c.BotToken, "xoxb-", "xoxe.xoxb-") || !isToken(c.BotToken) || hasPrefix(c.BotToken, "xapp-", "xoxp-", "xoxa-"):
		return c, errors.New(`bot_token is not of the form "xoxb-..."; copy the bot user's token from OAuth & Permissions of your app`)
	case c.Mode != Socket && c.Mode != HTTP:
		return c, fmt.Errorf("mode is %q, not %q or %q", c.Mode, Socket, HTTP)
	case c.Mode == Socket && (official && !hasPrefix(c.AppToken, "xapp-") || !isToken(c.AppToken) || hasPrefix(c.AppToken, "xox")):
		return c, errors.New(`socket mode needs app_token, of the form "xapp-..."; create one with connections:write under Basic Information of your app`)
	case c.Mode == HTTP && !isToken(c.SigningSecret):
		return c, errors.New("http mode needs signing_secret: without it anybody could post events in anybody's name")
	}
	return c, nil
}

func isToken(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsGraphic(r) || r == ' ' }) < 0
}

func hasPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
