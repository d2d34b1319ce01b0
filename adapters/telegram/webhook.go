package telegram

import (
	"context"
	"crypto/subtle"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"talaria/adapters/inbound"
	"talaria/adapters/retry"
)

// maxBody is the largest update taken. Telegram's own are far smaller.
const maxBody = 1 << 20

// secretHeader carries the secret that setWebhook was given; it is the only
// proof that an update comes from Telegram (core.telegram.org/bots/api#setwebhook).
const secretHeader = "X-Telegram-Bot-Api-Secret-Token"

// webhookInfo is a WebhookInfo.
type webhookInfo struct {
	URL       string `json:"url"`
	Pending   int    `json:"pending_update_count"`
	LastError string `json:"last_error_message"`
}

// host is what may be shown of a webhook's address: the rest may hold secrets.
func (w webhookInfo) host() string {
	u, err := url.Parse(w.URL)
	if err != nil || u.Host == "" {
		return "an unreadable address"
	}
	return u.Host
}

// ServeHTTP takes updates in webhook mode, at the path of Config.WebhookURL.
// It answers 200 only once the update is kept; anything else makes Telegram
// send it again. Until Run is up it answers 503.
func (a *Adapter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	given := []byte(r.Header.Get(secretHeader))
	if a.cfg.Mode != Webhook || subtle.ConstantTimeCompare(given, []byte(a.cfg.WebhookSecret)) != 1 {
		http.Error(w, "not from Telegram", http.StatusUnauthorized)
		return
	}
	if r.Method != http.MethodPost {
		http.Error(w, "updates are posted", http.StatusMethodNotAllowed)
		return
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "update not read", http.StatusRequestEntityTooLarge)
		return
	}
	if err := a.takePosted(r.Context(), raw); err != nil {
		http.Error(w, "update not kept", http.StatusServiceUnavailable)
	}
}

// takePosted returns nil once the update is kept.
func (a *Adapter) takePosted(ctx context.Context, raw []byte) error {
	a.posting.RLock()
	defer a.posting.RUnlock()
	if a.receiving == nil {
		return errNotRunning
	}
	return inbound.Await(ctx, func(done func(error)) { a.receiving.take(raw, done) })
}

// claimWebhook makes Telegram post updates to us, or keeps it from doing so in
// poll mode. A webhook that isn't ours is never taken over in silence: whoever
// set it would go deaf.
func (a *Adapter) claimWebhook(ctx context.Context) error {
	var info webhookInfo
	if err := a.client.call(ctx, "getWebhookInfo", struct{}{}, &info); err != nil {
		return err
	}
	foreign := info.URL != "" && info.URL != a.cfg.WebhookURL
	switch {
	case foreign:
		return retry.NeedHelp(fmt.Errorf("updates of this bot go to a webhook at %s; "+
			"if that was this bot, put its address into webhook_url and it is removed; if it is another one, give this bot a token of its own", info.host()))
	case a.cfg.Mode == Webhook:
		return a.client.call(ctx, "setWebhook", map[string]any{
			"url": a.cfg.WebhookURL, "secret_token": a.cfg.WebhookSecret, "allowed_updates": allowedUpdates,
		}, nil)
	case info.URL != "": // our own of an earlier run
		return a.client.call(ctx, "deleteWebhook", struct{}{}, nil)
	}
	return nil
}
