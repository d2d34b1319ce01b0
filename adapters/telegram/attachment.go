package telegram

import (
	"cmp"
	"strings"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// maxDownload is the largest file that getFile gives out
// (core.telegram.org/bots/api#getfile).
const maxDownload = 20 << 20

// tooLarge marks an attachment over maxDownload.
const tooLarge = "too_large"

// attachments lists the file of a message: there is at most one.
func attachments(m *message) []chat.Attachment {
	switch {
	case m.Photo.is != nil && len(*m.Photo.is) > 0:
		p := largest(*m.Photo.is)
		return attach(fileInfo{FileID: p.FileID, Size: p.Size}, "image/jpeg")
	case m.Animation.is != nil: // comes with a document of the same file
		return attach(*m.Animation.is, "video/mp4")
	case m.Video.is != nil:
		return attach(*m.Video.is, "video/mp4")
	case m.VideoNote.is != nil:
		return attach(*m.VideoNote.is, "video/mp4")
	case m.Audio.is != nil:
		return attach(*m.Audio.is, "audio/mpeg")
	case m.Voice.is != nil:
		return attach(*m.Voice.is, "audio/ogg")
	case m.Document.is != nil:
		return attach(*m.Document.is, "")
	case m.Sticker.is != nil:
		return attach(stickerFile(*m.Sticker.is), "image/webp")
	}
	return nil
}

// attach makes the attachment; usual is the type of a file whose own is not
// told.
func attach(f fileInfo, usual string) []chat.Attachment {
	a := chat.Attachment{
		Label: inbound.Label(f.Name), MIME: cmp.Or(f.MIME, usual), Size: f.Size, Ref: f.FileID,
	}
	a.Kind = kindOfMIME(a.MIME)
	if f.Size > maxDownload {
		a.Error = tooLarge
	}
	return []chat.Attachment{a}
}

func kindOfMIME(mime string) chat.AttachmentKind {
	major, _, _ := strings.Cut(mime, "/")
	switch major {
	case "image":
		return chat.Image
	case "audio":
		return chat.Audio
	case "video":
		return chat.Video
	}
	return chat.File
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
