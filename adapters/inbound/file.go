package inbound

import (
	"strings"
	"unicode"

	"talaria/core/chat"
	"talaria/core/text"
)

// labelRunes is the longest label kept of a file's name. Longer ones carry
// more persuasion than information.
const labelRunes = 120

// Label makes a file's name fit to be shown: without path, control, bidi and
// zero-width characters, and cut. It is for showing only and never a path.
func Label(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, text.Visible(name))
	name = strings.TrimSpace(name)
	if strings.Trim(name, ".") == "" {
		return ""
	}
	if runes := []rune(name); len(runes) > labelRunes {
		return string(runes[:labelRunes])
	}
	return name
}

// Ignorable reports whether a character in or before a command counts for
// nothing.
func Ignorable(r rune) bool { return text.Invisible(r) }

// KindOf is the kind of an attachment of a MIME type.
func KindOf(mime string) chat.AttachmentKind {
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
