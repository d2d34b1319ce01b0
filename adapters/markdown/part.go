package markdown

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// The platforms that Render knows.
const (
	PlatformSlack    = "slack"
	PlatformDiscord  = "discord"
	PlatformTelegram = "telegram"
)

// maxParts is the most messages that one answer may take. Past it the first
// part is sent and the whole answer goes along as a file.
const maxParts = 20

// maxInput is the most bytes of an answer that are parsed. It holds more than
// maxParts messages of prose, so nothing is lost to it: a longer answer goes
// out as a file as well.
const maxInput = 128 << 10

// Part is one message, final but for the address. Text, Entities and File are
// the content; Payload holds the other fields of the platform's call.
type Part struct {
	Text     string         `json:"text"`               // exactly what the call carries
	Units    int            `json:"units"`              // length of Text in the platform's own unit
	Format   string         `json:"format"`             // "mrkdwn" (Slack), "markdown" (Discord) or "entities" (Telegram)
	Entities []Entity       `json:"entities,omitempty"` // Telegram only
	Payload  map[string]any `json:"payload"`            // send options; the caller may add to it
	File     *File          `json:"file,omitempty"`     // to be attached below the text
	Plain    string         `json:"-"`                  // what a reader sees, for transcripts
}

// Entity is a styled range of a Telegram text, in UTF-16 code units. See
// https://core.telegram.org/bots/api#messageentity.
type Entity struct {
	Type     string `json:"type"`
	Offset   int    `json:"offset"`
	Length   int    `json:"length"`
	URL      string `json:"url,omitempty"`
	Language string `json:"language,omitempty"`
}

// File is text too long for messages. Name has an extension that fits.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Render turns an answer into the messages of a platform, in order. There are
// none where the answer holds nothing to be seen. The only error is an unknown
// platform.
func Render(platform, md string) ([]Part, error) {
	f, err := formOf(platform)
	if err != nil {
		return nil, err
	}
	return render(f, md), nil
}

// Slack renders an answer as mrkdwn; every part can be edited later.
func Slack(md string) []Part { return render(slack{}, md) }

// Discord renders an answer as Discord's Markdown.
func Discord(md string) []Part { return render(discord{}, md) }

// Telegram renders an answer as plain text with entities.
func Telegram(md string) []Part { return render(telegram{}, md) }

// form is one platform's way of putting lines into a message.
type form interface {
	layout() layout
	// limit is the most that measure may be.
	limit() int
	// measure is the length of p as the platform's limit counts it.
	measure(p Part) int
	// options are the send options that keep a message quiet: no previews, no
	// mentions.
	options() map[string]any
	// write makes the content of one message of lines.
	write(lines []line) Part
	// fits tells whether the platform takes p, by all of its limits.
	fits(p Part) bool
}

func formOf(platform string) (form, error) {
	switch platform {
	case PlatformSlack:
		return slack{}, nil
	case PlatformDiscord:
		return discord{}, nil
	case PlatformTelegram:
		return telegram{}, nil
	}
	return nil, fmt.Errorf("render for %q: unknown platform", platform)
}

func render(f form, md string) []Part {
	md = clean(md)
	head := beginning(md)
	lines := attach(flatten(parse(head), f.layout()), f.limit())
	s := splitter{form: f, rest: lines}
	if len(head) < len(md) || size(lines) > maxParts*f.limit() {
		return append(s.parts(1), wholeFile(f, md))
	}
	parts := s.parts(maxParts + 1)
	if len(parts) > maxParts {
		return append(parts[:1], wholeFile(f, md))
	}
	return parts
}

// wholeFile is a message that carries a whole answer.
func wholeFile(f form, md string) Part {
	lines := []line{fileLine(&File{Name: "answer.md", Text: md})}
	return finish(f, f.write(lines), lines)
}

// finish completes p, which was written of lines.
func finish(f form, p Part, lines []line) Part {
	p.Payload = f.options()
	p.File = lines[len(lines)-1].file
	p.Plain = plainText(lines)
	return p
}

// beginning is as much of md as is parsed, cut after a line.
func beginning(md string) string {
	if len(md) <= maxInput {
		return md
	}
	head := md[:maxInput]
	if i := strings.LastIndexByte(head, '\n'); i > 0 {
		return head[:i]
	}
	return strings.ToValidUTF8(head, "")
}

// visible tells whether a reader would see anything of lines.
func visible(lines []line) bool {
	return slices.ContainsFunc(lines, func(ln line) bool {
		return strings.ContainsFunc(ln.lead, seen) || strings.ContainsFunc(ln.text(), seen)
	})
}

// seen tells whether r leaves ink.
func seen(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Variation_Selector, r)
}
