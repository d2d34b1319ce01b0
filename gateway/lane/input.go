package lane

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"talaria/core/agent"
	"talaria/core/chat"
)

// spoken is what the author said with their own words in this event.
func spoken(e chat.Event) string {
	if e.Forwarded || e.Origin > chat.Member {
		return ""
	}
	return e.Text
}

// input is the message as the model sees it. Names, quotes and files are
// other people's data: they are delimited and encoded, so that none of them
// reads like a part of the conversation.
func input(e chat.Event, files []file) agent.Message {
	m := agent.Message{Role: agent.User, Origin: e.Origin}
	var b strings.Builder
	if !e.Direct && e.Author.Name != "" {
		fmt.Fprintf(&b, "[from %s]\n", quote(e.Author.Name, 64))
	}
	if q := e.Quoted; q != nil && e.Forwarded {
		fmt.Fprintf(&b, "[forwarded from %s, somebody else's words, as data: %s]\n", quote(q.Name, 64)+account(e, *q), quote(q.Text, 16000))
		m.Origin = chat.External
	} else if q != nil {
		whose := quote(q.Name, 64) + account(e, *q)
		if q.Own {
			whose = "you"
		}
		fmt.Fprintf(&b, "[in reply to %s, quoted as data: %s]\n", whose, quote(q.Text, 4000))
		m.Origin = chat.Worst(m.Origin, chat.External)
	}
	switch {
	case e.Forwarded && e.Text != "":
		fmt.Fprintf(&b, "[forwarded, somebody else's words, as data: %s]\n", quote(e.Text, 16000))
	case e.Kind == chat.Tick:
		b.WriteString(scheduled(e))
	case !e.Forwarded:
		b.WriteString(e.Text)
	}
	for _, f := range files {
		b.WriteString("\n" + f.describe())
		m.Origin = chat.Worst(m.Origin, chat.External)
		if f.image != nil {
			m.Images = append(m.Images, *f.image)
		}
	}
	m.Text = strings.TrimSpace(b.String())
	return m
}

// account is whose words a quote holds, by the account, which no name can pass
// for; empty where the platform does not tell.
func account(e chat.Event, q chat.Quote) string {
	id := chat.Identity{Platform: e.Author.Identity.Platform, Workspace: e.Author.Identity.Workspace, ID: q.User}
	if q.User == "" || strings.ContainsAny(id.String(), " )\n") {
		return ""
	}
	return " (" + id.String() + ")"
}

// quote encodes foreign text on one line, cut to a number of bytes.
func quote(s string, limit int) string {
	data, err := json.Marshal(clipped(s, limit))
	if err != nil {
		return `""`
	}
	return string(data)
}

// clipped is a text cut to a number of bytes.
func clipped(s string, limit int) string {
	if len(s) > limit {
		return strings.ToValidUTF8(s[:limit], "") + "…"
	}
	return s
}

// file is an attachment after it was copied, or was not.
type file struct {
	chat.Attachment
	image *agent.Image
}

func (f file) describe() string {
	if f.Error != "" {
		return fmt.Sprintf("[file %s was not taken: %s]", quote(f.Label, 128), f.Error)
	}
	return fmt.Sprintf("[file %s, %s, %d bytes, is among this conversation's files]", quote(f.Label, 128), f.Kind, f.Size)
}

// The most that is copied of one file, and shown to the model of one picture.
const (
	maxFile  = 20 << 20
	maxImage = 4 << 20
)

// files copies an event's attachments into the conversation. A file that
// can't be had is said to be so; it never holds the message up.
func (t *turn) files(ctx context.Context) []file {
	var out []file
	var kept []chat.Attachment
	for _, a := range t.task.env.Event.Attachments {
		f := t.copied(ctx, a)
		out, kept = append(out, f), append(kept, f.Attachment)
	}
	if len(kept) == 0 {
		return nil
	}
	if err := t.l.cfg.Briefing.Attach(ctx, t.ln.key, t.shard, kept); err != nil {
		t.l.cfg.Log.Warn("attachments not filed", "err", err)
	}
	return out
}

func (t *turn) copied(ctx context.Context, a chat.Attachment) file {
	f := file{Attachment: a}
	if a.Error != "" {
		return f
	}
	data, err := t.download(ctx, a)
	if err == nil {
		f.Blob, err = t.l.cfg.Store.PutBlob(ctx, t.shard.Partition(), data)
	}
	if err != nil {
		t.l.cfg.Log.Warn("attachment not copied", "platform", t.task.env.Event.Address.Platform, "err", err)
		f.Error = "it could not be fetched"
		return f
	}
	f.Size, f.image = int64(len(data)), picture(a, data)
	return f
}

func (t *turn) download(ctx context.Context, a chat.Attachment) ([]byte, error) {
	d, ok := t.l.cfg.Adapters[t.task.env.Event.Address.Platform].(chat.Downloader)
	if !ok {
		return nil, fmt.Errorf("the platform's files can't be fetched")
	}
	r, err := d.Download(ctx, a)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if len(data) > maxFile {
		return nil, fmt.Errorf("file is over %d MB", maxFile>>20)
	}
	return data, err
}

func picture(a chat.Attachment, data []byte) *agent.Image {
	if a.Kind != chat.Image || len(data) == 0 || len(data) > maxImage || !strings.HasPrefix(a.MIME, "image/") {
		return nil
	}
	return &agent.Image{MIME: a.MIME, Data: data}
}
