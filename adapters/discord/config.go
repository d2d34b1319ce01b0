package discord

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"talaria/adapters/wire"

	"github.com/bwmarrin/discordgo"
)

// DefaultURL is Discord itself.
const DefaultURL = "https://discord.com"

// Config says which bot to run. Only Token is required.
type Config struct {
	Token string // from the bot's page in the developer portal
	// APIURL stands for https://discord.com; with a path it stands for
	// https://discord.com/api/v9. Empty: DefaultURL.
	APIURL string

	// Transport carries the calls; nil is one of the adapter's own, which goes
	// nowhere but to APIURL and the CDN, and follows no redirects. It should
	// keep as many connections as calls overlap.
	Transport http.RoundTripper
	// OpenBlob opens the content of an Upload that is kept in the blob store of
	// the place's shard. Without it only uploads that carry their data are sent.
	OpenBlob wire.OpenBlob
}

// tokenForm is that of the tokens of Discord itself: the bot's id in Base64, a
// time and a signature. What stands in for Discord may give others.
var tokenForm = regexp.MustCompile(`^[A-Za-z0-9_=-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$`)

var errNoToken = errors.New("token is not of the form that the developer portal gives under Bot: three parts with a dot between")

// withDefaults checks c and fills in what was left out. Its errors never show
// a secret, also a mistyped one.
func (c Config) withDefaults() (Config, error) {
	c.Token = strings.TrimPrefix(strings.TrimSpace(c.Token), "Bot ")
	if c.Token == "" || strings.ContainsAny(c.Token, " \t\r\n") {
		return c, errNoToken
	}
	if c.APIURL == "" {
		c.APIURL = DefaultURL
	}
	u, err := url.Parse(strings.TrimRight(c.APIURL, "/"))
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return c, errors.New("api_url is not an address such as " + DefaultURL)
	}
	switch {
	case u.Path == "":
		u.Path = "/api/v" + discordgo.APIVersion
	case strings.HasSuffix(u.Path, "/api"):
		u.Path += "/v" + discordgo.APIVersion
	}
	c.APIURL = u.String()
	if u.Host == "discord.com" && !tokenForm.MatchString(c.Token) {
		return c, errNoToken
	}
	return c, nil
}

// account names the bot without a call: a token begins with its id. Of a token
// of another form a fingerprint is taken.
func (c Config) account() string {
	first, _, _ := strings.Cut(c.Token, ".")
	id, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(first, "="))
	if err == nil && isID(string(id)) {
		return string(id)
	}
	sum := sha256.Sum256([]byte(c.Token))
	return hex.EncodeToString(sum[:8])
}
