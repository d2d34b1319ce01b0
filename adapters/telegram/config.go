package telegram

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"talaria/adapters/wire"
)

// DefaultURL is Telegram's own server of the Bot API.
const DefaultURL = "https://api.telegram.org"

// Mode is how updates come.
type Mode string

// The modes.
const (
	Poll    Mode = "poll"
	Webhook Mode = "webhook"
)

// Manner is how answers go out.
type Manner string

// The manners. A message of Telegram's has no idempotency key and can't be
// read back, so EditIn sends a placeholder first and puts the answer in by an
// edit, which can be repeated. Plain sends it at once: its notification shows
// the answer, and a crash may leave its outcome unknown.
const (
	EditIn Manner = "edit"
	Plain  Manner = "plain"
)

// Config says which bot to run and how. Only Token is required, in webhook
// mode also WebhookURL and WebhookSecret.
type Config struct {
	Token         string // from @BotFather
	APIURL        string // empty: DefaultURL
	Mode          Mode   // empty: Poll
	Delivery      Manner // empty: EditIn
	WebhookURL    string // where Telegram reaches this bot's ServeHTTP
	WebhookSecret string // 1 to 256 of A-Z a-z 0-9 _ -

	// Transport carries the calls; nil is one of the adapter's own, which goes
	// nowhere but to APIURL and follows no redirects. It should keep as many
	// connections as calls overlap.
	Transport http.RoundTripper
	// OpenBlob opens the content of an Upload that is kept in the blob store of
	// the place's shard. Without it only uploads that carry their data are sent.
	OpenBlob wire.OpenBlob
}

var (
	tokenForm  = regexp.MustCompile(`^([0-9]{1,20}):[A-Za-z0-9_-]+$`)
	secretForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`) // core.telegram.org/bots/api#setwebhook
)

// withDefaults checks c and fills in what was left out. Its errors never show
// a secret, also a mistyped one.
func (c Config) withDefaults() (Config, error) {
	if !tokenForm.MatchString(c.Token) {
		return c, errors.New(`token is not of the form "123456:ABC..." that @BotFather gives`)
	}
	if c.APIURL == "" {
		c.APIURL = DefaultURL
	}
	c.APIURL = strings.TrimRight(c.APIURL, "/")
	if u, err := url.Parse(c.APIURL); err != nil || u.Host == "" || u.User != nil {
		return c, errors.New("api_url is not an address such as " + DefaultURL)
	}
	if c.Mode == "" {
		c.Mode = Poll
	}
	if c.Delivery == "" {
		c.Delivery = EditIn
	}
	if c.Delivery != EditIn && c.Delivery != Plain {
		return c, fmt.Errorf("delivery is %q, not %q or %q", c.Delivery, EditIn, Plain)
	}
	switch c.Mode {
	case Poll:
		return c, nil
	case Webhook:
		return c, c.checkWebhook()
	}
	return c, fmt.Errorf("mode is %q, not %q or %q", c.Mode, Poll, Webhook)
}

// checkWebhook fails closed: without a secret anybody could post updates in
// anybody's name.
func (c Config) checkWebhook() error {
	if !secretForm.MatchString(c.WebhookSecret) {
		return errors.New("webhook mode needs a webhook_secret of 1 to 256 letters, digits, _ and -")
	}
	if u, err := url.Parse(c.WebhookURL); err != nil || u.Host == "" {
		return errors.New("webhook mode needs a webhook_url, the public address of this bot's endpoint")
	}
	return nil
}

// botID is the bot's account id, which a token begins with.
func (c Config) botID() string { return tokenForm.FindStringSubmatch(c.Token)[1] }
