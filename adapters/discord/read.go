package discord

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"talaria/adapters/inbound"
	"talaria/adapters/wire"
	"talaria/core/chat"

	"github.com/bwmarrin/discordgo"
)

// page is the most messages that one call gives out
// (discord.com/developers/docs/resources/message#get-channel-messages).
const page = 100

// messages reads up to limit messages of a channel that are newer than the id
// after, oldest first.
func (a *Adapter) messages(ctx context.Context, channel, after string, limit int) ([]message, error) {
	var all []message
	for len(all) < limit {
		want := min(page, limit-len(all))
		query := url.Values{"limit": {strconv.Itoa(want)}}
		if after != "" {
			query.Set("after", after)
		}
		var got []message
		err := a.client.call(ctx, request{
			op: "getMessages", method: http.MethodGet, scope: channel, url: discordgo.EndpointChannelMessages(channel) + "?" + query.Encode(),
		}, &got)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(got, func(x, y message) int { return inbound.CompareIDs(x.ID.String(), y.ID.String()) })
		all = append(all, got...)
		if len(got) < want || after == "" {
			break
		}
		after = got[len(got)-1].ID.String()
	}
	return all, nil
}

// History implements chat.Historian. Messages that nobody would be told of are
// left out.
func (a *Adapter) History(ctx context.Context, place chat.Address, after string, limit int) ([]chat.Event, error) {
	all, err := a.messages(ctx, target(place), after, limit)
	if err != nil {
		return nil, err
	}
	self, err := a.self(ctx)
	if err != nil {
		return nil, err
	}
	var events []chat.Event
	for _, m := range all {
		m.Guild = snowflake(place.Workspace)
		s, err := a.prepare(ctx, self, m.Guild.String(), m.Channel.String(), len(m.MentionRoles.Or()) > 0)
		if err != nil {
			return nil, err
		}
		if item := s.fromMessage(m); item.Reason == "" {
			events = append(events, item.Event)
		}
	}
	return events, nil
}

// errUnclear says that reading back decided nothing.
var errUnclear = errors.New("can't tell from the channel's messages whether it was sent")

// Find implements chat.Finder. Nonces are not told when reading back, so the
// message is known by its author, what it replies to and what it says.
func (a *Adapter) Find(ctx context.Context, d chat.Delivery) (chat.Receipt, bool, error) {
	const op = "getMessages"
	p, err := readPayload(op, d)
	if err != nil {
		return chat.Receipt{}, false, err
	}
	self, err := a.self(ctx)
	if err != nil {
		return chat.Receipt{}, false, err
	}
	if a.answerable(d) {
		original, err := a.original(ctx, self.app, d.Interaction)
		if err == nil && says(original.Text.Or(), p) {
			return original.receipt(), true, nil
		}
	}
	channel, err := a.destination(ctx, d)
	if err != nil {
		return chat.Receipt{}, false, err
	}
	after := ""
	if channel == target(d.Address) {
		after = d.ReplyTo
	}
	all, err := a.messages(ctx, channel, after, page)
	if err != nil {
		return chat.Receipt{}, false, err
	}
	var found []message
	for _, m := range all {
		if m.Author.Or().ID.String() == self.user && m.delivers(d, p, after) {
			found = append(found, m)
		}
	}
	switch {
	case len(found) == 1:
		m := found[0]
		return chat.Receipt{Message: m.ID.String(), At: instant(m.At.Or())}, true, nil
	case len(found) > 1, len(all) == page, d.Interaction != nil:
		return chat.Receipt{}, false, &chat.Error{Kind: chat.UnknownOutcome, Op: op, Err: errUnclear}
	}
	return chat.Receipt{}, false, nil
}

// delivers reports whether m is what a delivery would have made.
func (m *message) delivers(d chat.Delivery, p payload, reply string) bool {
	if m.Nonce.Or() == nonce(d.Key) {
		return true
	}
	if reply != "" && m.Reference.Is != nil && m.Reference.Or().Message.String() != reply {
		return false
	}
	if p.File != nil {
		files := m.Attachments.Or()
		return len(files) == 1 && files[0].Name.Or() == p.File.safeName()
	}
	return says(m.Text.Or(), p)
}

// Member implements chat.Inviter: who has not passed the server's screening,
// may not speak for a while, or does not see the channel, is no full member.
func (a *Adapter) Member(ctx context.Context, place chat.Address, who chat.Identity) (bool, error) {
	if place.Workspace == "" {
		return true, nil // nobody else can write there
	}
	var m member
	err := a.client.call(ctx, request{
		op: "getGuildMember", method: http.MethodGet, scope: place.Workspace, url: discordgo.EndpointGuildMember(place.Workspace, who.ID),
	}, &m)
	switch {
	case codeOf(err) == unknownMember || codeOf(err) == unknownUser:
		return false, nil
	case err != nil:
		return false, err
	}
	if m.Pending.Or() || instant(m.Silent.Or()).After(a.timing.now()) {
		return false, nil
	}
	there, err := a.access(ctx, place.Workspace, place.Chat)
	if err == nil && there.parent != "" {
		if in, err := a.inThread(ctx, place.Chat, who.ID); err != nil || !in {
			return false, err
		}
		there, err = a.access(ctx, place.Workspace, there.parent)
	}
	if err != nil || there.sees(place.Workspace, who.ID, m.Roles.Or()) {
		return err == nil, err
	}
	return a.owns(ctx, place.Workspace, who.ID)
}

// cdn are the hosts that Discord keeps files on.
var cdn = []string{"cdn.discordapp.com", "media.discordapp.net"}

// Download implements chat.Downloader. It asks for the message first: the
// address of a file is signed for a day only.
func (a *Adapter) Download(ctx context.Context, at chat.Attachment) (io.ReadCloser, error) {
	const op = "attachment"
	ref, ok := parseFileRef(at.Ref)
	if !ok || at.Size > maxDownload {
		return nil, &chat.Error{Kind: chat.Permanent, Op: op, Err: errors.New(at.Error + "not a file that can be fetched")}
	}
	var m message
	err := a.client.call(ctx, request{
		op: "getMessage", method: http.MethodGet, scope: ref.channel, url: discordgo.EndpointChannelMessage(ref.channel, ref.message),
	}, &m)
	if err != nil {
		return nil, err
	}
	for _, f := range m.files() {
		if f.ID.String() == ref.file {
			return a.fetch(ctx, op, f.URL.Or())
		}
	}
	return nil, &chat.Error{Kind: chat.Gone, Op: op, Err: errors.New("the file is not there any more")}
}

// fetch opens a file on the CDN, without credentials. The address comes with
// the message, so only Discord's own hosts are gone to.
func (a *Adapter) fetch(ctx context.Context, op, address string) (io.ReadCloser, error) {
	u, err := url.Parse(address)
	if err != nil || !a.servesFiles(u) {
		return nil, &chat.Error{Kind: chat.Permanent, Op: op, Err: errors.New("the file is not on Discord's servers")}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, &chat.Error{Kind: chat.Permanent, Op: op, Err: errors.New("the file's address can't be read")}
	}
	resp, err := a.client.transport.RoundTrip(req)
	if err != nil {
		return nil, &chat.Error{Kind: chat.Transient, Op: op, Err: a.client.redact(err)}
	}
	if resp.StatusCode != http.StatusOK || resp.ContentLength > maxDownload {
		resp.Body.Close()
		return nil, &chat.Error{Kind: chat.Permanent, Op: op, Err: fmt.Errorf("the server answered %s, %d bytes", resp.Status, resp.ContentLength)}
	}
	return wire.Limit(resp.Body, maxDownload), nil
}

// servesFiles also trusts a configured server with its own files.
func (a *Adapter) servesFiles(u *url.URL) bool {
	if u.Scheme == "https" && slices.Contains(cdn, u.Host) {
		return true
	}
	own, err := url.Parse(a.cfg.APIURL)
	return err == nil && own.Host != "discord.com" && u.Scheme == own.Scheme && u.Host == own.Host
}
