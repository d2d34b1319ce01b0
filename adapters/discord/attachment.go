package discord

import (
	"cmp"
	"strings"

	"talaria/adapters/inbound"
	"talaria/adapters/wire"
	"talaria/core/chat"
)

// maxDownload is the largest file that is fetched. Discord lets people send up
// to 500 MB; this is what the most boosted server allows everybody.
const maxDownload = 100 << 20

// attach lists the files of a message and of what it forwards.
func (m *message) attach() []chat.Attachment {
	var all []chat.Attachment
	for _, f := range m.files() {
		a := f.attachment()
		a.Ref = fileRef{m.Channel.String(), m.ID.String(), f.ID.String()}.String()
		all = append(all, a)
	}
	return all
}

// files are the files of a message and of what it forwards, as they came.
func (m *message) files() []attachment {
	all := m.Attachments.Or()
	for _, s := range m.Snapshots.Or() {
		original := s.Message.Or()
		all = append(all, original.Attachments.Or()...)
	}
	return all
}

func (f attachment) attachment() chat.Attachment {
	mime, _, _ := strings.Cut(f.MIME.Or(), ";")
	a := chat.Attachment{
		Kind: inbound.KindOf(mime), Label: inbound.Label(f.Name.Or()), MIME: mime, Size: f.Size.Or(), Ref: f.ID.String(),
	}
	a.Label = cmp.Or(a.Label, inbound.Label(f.Title.Or()))
	if a.Size > maxDownload {
		a.Error = wire.TooLarge
	}
	return a
}

// fileRef finds a file again. Its address is not kept: it is signed for a day,
// and asking for the message signs it anew.
type fileRef struct{ channel, message, file string }

// String is "channel/message/file".
func (r fileRef) String() string { return r.channel + "/" + r.message + "/" + r.file }

func parseFileRef(s string) (fileRef, bool) {
	parts := strings.Split(s, "/")
	if len(parts) != 3 || !isID(parts[0]) || !isID(parts[1]) || !isID(parts[2]) {
		return fileRef{}, false
	}
	return fileRef{parts[0], parts[1], parts[2]}, true
}
