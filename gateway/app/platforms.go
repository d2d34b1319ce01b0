package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"talaria/adapters/discord"
	"talaria/adapters/slack"
	"talaria/adapters/telegram"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/gateway/config"
)

// connect makes the adapters of the configured platforms, of those that it can:
// what is wrong with one says nothing of another.
func (a *App) connect(cfg config.Config) error {
	var wrong []error
	take := func(platform string, ad chat.Adapter, err error) {
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", platform, err))
			return
		}
		a.adapters[platform] = ad
	}
	if t := cfg.Adapters.Telegram; t.Token.IsSet() {
		ad, err := telegram.New(telegram.Config{
			Token: t.Token.Reveal(), APIURL: t.APIURL, Mode: telegram.Mode(t.Mode), Delivery: telegram.Manner(t.Delivery),
			WebhookURL: t.WebhookURL, WebhookSecret: t.WebhookSecret.Reveal(), OpenBlob: a.blob,
		}, a.log)
		take(telegram.Platform, ad, err)
	}
	if s := cfg.Adapters.Slack; s.BotToken.IsSet() {
		ad, err := slack.New(slack.Config{
			BotToken: s.BotToken.Reveal(), AppToken: s.AppToken.Reveal(), SigningSecret: s.SigningSecret.Reveal(),
			Mode: slack.Mode(s.Mode), APIURL: s.APIURL, OpenBlob: a.blob,
		}, a.log)
		take(slack.Platform, ad, err)
	}
	if d := cfg.Adapters.Discord; d.Token.IsSet() {
		ad, err := discord.New(discord.Config{Token: d.Token.Reveal(), APIURL: d.APIURL, OpenBlob: a.blob}, a.log)
		take(discord.Platform, ad, err)
	}
	if a.o.Console != nil {
		ad := a.o.Console(a.idle, a.blob)
		a.adapters[ad.Platform()] = ad
	}
	return errors.Join(wrong...)
}

// able are the adapters that have an optional power, by platform.
func able[Power any](adapters map[string]chat.Adapter) map[string]Power {
	out := map[string]Power{}
	for name, ad := range adapters {
		if p, ok := ad.(Power); ok {
			out[name] = p
		}
	}
	return out
}

// equip gives an adapter what its powers need before it runs.
func (a *App) equip(ad chat.Adapter) {
	if m, ok := ad.(chat.MenuHolder); ok {
		m.UseMenu(a.commands.Menu())
	}
	if s, ok := ad.(chat.Stateless); ok {
		s.UseDoor(door{a.gate})
	}
	c, keeps := ad.(chat.Checkpointed)
	if x, ok := ad.(chat.Exclusive); ok && keeps {
		name := x.Exclusive()
		if name == "" {
			name = ad.Platform()
		}
		c.UseCheckpoint(checkpoint{a.store, adapterPartition(name)})
	}
}

// blob opens the content of a file that an answer carries.
func (a *App) blob(ctx context.Context, place chat.Address, hash string) (io.ReadCloser, error) {
	p := person.ShardOf(place)
	data, err := a.store.GetBlob(ctx, p, hash)
	if err != nil {
		return nil, fmt.Errorf("open file %s: %w", hash, err)
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// link is where a message is found on the web.
func (a *App) link(at chat.Address, message string) string {
	l, ok := a.adapters[at.Platform].(chat.Linker)
	if !ok {
		return ""
	}
	return l.Link(at, message)
}

// maxSent bounds a file that a command takes in, in bytes.
const maxSent = 20 << 20

// fetch reads a file that came with a command.
func (a *App) fetch(ctx context.Context, e chat.Event, f chat.Attachment) ([]byte, error) {
	d, ok := a.adapters[e.Address.Platform].(chat.Downloader)
	if !ok {
		return nil, errors.New("the platform's files can't be fetched")
	}
	r, err := d.Download(ctx, f)
	if err != nil {
		return nil, fmt.Errorf("fetch a file: %w", err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxSent+1))
	if err == nil && len(data) > maxSent {
		err = fmt.Errorf("file is over %d MB", maxSent>>20)
	}
	return data, err
}
