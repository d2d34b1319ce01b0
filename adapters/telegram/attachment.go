package telegram

import (
	"cmp"

	"talaria/adapters/inbound"
	"talaria/adapters/wire"
	"talaria/core/chat"
)

// maxDownload is the largest file that getFile gives out
// (core.telegram.org/bots/api#getfile).
const maxDownload = 20 << 20

// attachments lists the file of a message: there is at most one.
func attachments(m *message) []chat.Attachment {
	switch {
	case m.Photo.Is != nil && len(*m.Photo.Is) > 0:
		p := largest(*m.Photo.Is)
		return attach(fileInfo{FileID: p.FileID, Size: p.Size}, "image/jpeg")
	case m.Animation.Is != nil: // comes with a document of the same file
		return attach(*m.Animation.Is, "video/mp4")
	case m.Video.Is != nil:
		return attach(*m.Video.Is, "video/mp4")
	case m.VideoNote.Is != nil:
		return attach(*m.VideoNote.Is, "video/mp4")
	case m.Audio.Is != nil:
		return attach(*m.Audio.Is, "audio/mpeg")
	case m.Voice.Is != nil:
		return attach(*m.Voice.Is, "audio/ogg")
	case m.Document.Is != nil:
		return attach(*m.Document.Is, "")
	case m.Sticker.Is != nil:
		return attach(stickerFile(*m.Sticker.Is), "image/webp")
	}
	return nil
}

// attach makes the attachment; usual is the type of a file whose own is not
// told.
func attach(f fileInfo, usual string) []chat.Attachment {
	a := chat.Attachment{
		Label: inbound.Label(f.Name), MIME: cmp.Or(f.MIME, usual), Size: f.Size, Ref: f.FileID,
	}
	a.Kind = inbound.KindOf(a.MIME)
	if f.Size > maxDownload {
		a.Error = wire.TooLarge
	}
	return []chat.Attachment{a}
}

func largest(sizes []photoSize) photoSize {
	best := sizes[0]
	for _, s := range sizes[1:] {
		if s.Width*s.Height > best.Width*best.Height {
			best = s
		}
	}
	return best
}

func stickerFile(s sticker) fileInfo {
	f := fileInfo{FileID: s.FileID, Size: s.Size}
	switch {
	case s.Animated:
		f.MIME = "application/x-tgsticker"
	case s.Video:
		f.MIME = "video/webm"
	}
	return f
}
