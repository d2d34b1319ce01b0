package slack

import (
	"cmp"
	"strings"

	"talaria/adapters/inbound"
	"talaria/adapters/wire"
	"talaria/core/chat"
)

// maxFile is the largest file that Slack keeps
// (slack.com/help/articles/201330736).
const maxFile = 1 << 30

// external says why there is no copy of a file: it lies with another service,
// whose address must not get our token.
const external = "external"

// files lists the files of a message and of what it shares. One that was
// deleted is left out.
func (m *message) files() []chat.Attachment {
	var all []chat.Attachment
	for _, f := range m.Files {
		all = appendFile(all, f)
	}
	for _, a := range m.Attachments {
		if !a.Share {
			continue
		}
		for _, f := range a.Files {
			all = appendFile(all, f)
		}
	}
	return all
}

func appendFile(all []chat.Attachment, f file) []chat.Attachment {
	if f.ID == "" || f.Mode == "tombstone" || f.Mode == "hidden_by_limit" {
		return all
	}
	a := chat.Attachment{
		Kind: inbound.KindOf(f.MIME), Label: inbound.Label(cmp.Or(f.Name, f.Title)), MIME: f.MIME, Size: f.Size, Ref: f.ID,
	}
	switch {
	case f.External || f.Mode == "external":
		a.Error = external
	case f.Size > maxFile:
		a.Error = wire.TooLarge
	}
	return append(all, a)
}

// shared is the message that m shares or links to, nil for none. It is
// somebody else's text: a mention or a command in it counts for nothing.
func (r reader) shared(m *message) (quote *chat.Quote, forwarded bool) {
	plain := reader{names: r.names}
	for _, a := range m.Attachments {
		if !a.Share && !a.Unfurl {
			continue
		}
		text, _ := plain.mrkdwn(a.Text)
		if strings.TrimSpace(text) == "" {
			text = plain.older(a)
		}
		return &chat.Quote{
			User: a.AuthorID, Name: cmp.Or(r.names[a.AuthorID], a.AuthorName),
			Text: strings.TrimSpace(text), Own: a.AuthorID != "" && a.AuthorID == r.me.user,
		}, a.Share
	}
	return nil, false
}

// older reads an attachment whose text is elsewhere.
func (r reader) older(a attachment) string {
	blocks := a.Blocks
	for _, m := range a.Messages {
		blocks = append(blocks, m.Message.Blocks...)
	}
	if text, _ := r.blocks(blocks); text != "" {
		return text
	}
	text, _ := r.mrkdwn(a.Fallback)
	return text
}

// below reads what a bot put into attachments. Previews of links are left out:
// they are the words of whoever owns the page.
func (r reader) below(m *message) (text string, mentioned bool) {
	var lines []string
	add := func(s string) {
		line, there := r.mrkdwn(s)
		mentioned = mentioned || there
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	for _, a := range m.Attachments {
		if a.Share || a.Unfurl || a.FromURL != "" || a.Original != "" {
			continue
		}
		before := len(lines)
		for _, s := range []string{a.Pretext, a.Title, a.Text} {
			add(s)
		}
		for _, f := range a.Fields {
			add(strings.TrimPrefix(f.Title+": "+f.Value, ": "))
		}
		if inside, there := r.blocks(a.Blocks); inside != "" {
			lines, mentioned = append(lines, inside), mentioned || there
		}
		if len(lines) == before {
			add(a.Fallback)
		}
	}
	return strings.Join(lines, "\n"), mentioned
}
