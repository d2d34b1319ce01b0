package markdown_test

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"talaria/adapters/markdown"
)

var platforms = []string{markdown.PlatformSlack, markdown.PlatformDiscord, markdown.PlatformTelegram}

// broken names what is wrong with the parts of an answer, whatever it was; ""
// if nothing is.
func broken(platform string, parts []markdown.Part) string {
	for i, p := range parts {
		problem := brokenText(p)
		if problem == "" {
			switch platform {
			case markdown.PlatformSlack:
				problem = brokenSlack(p)
			case markdown.PlatformDiscord:
				problem = brokenDiscord(p)
			case markdown.PlatformTelegram:
				problem = brokenTelegram(p)
			}
		}
		if problem != "" {
			return fmt.Sprintf("part %d of %d: %s", i+1, len(parts), problem)
		}
	}
	return ""
}

func brokenText(p markdown.Part) string {
	if !utf8.ValidString(p.Text) {
		return "invalid UTF-8"
	}
	for _, r := range p.Text {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return fmt.Sprintf("control character %U", r)
		}
	}
	if strings.TrimSpace(bare(p.Text)) == "" {
		return "nothing to be seen"
	}
	return ""
}

// bare is text without the characters that nobody sees.
func bare(s string) string { return strings.NewReplacer("\u200b", "", "\u2060", "").Replace(s) }

var (
	slackToken  = regexp.MustCompile(`<[^<>\n]*>?`)
	slackActive = regexp.MustCompile(`^<(?:https?://|mailto:)[^<>|\s]+(?:\|[^<>|\n]*)?>$`)
	slackEscape = regexp.MustCompile(`&(?:amp|lt|gt);`)
	fenceLine   = regexp.MustCompile("(?m)^(?:> (?:│ )*)?```")
)

func brokenSlack(p markdown.Part) string {
	if len(p.Text) > markdown.SlackLimit {
		return fmt.Sprintf("%d bytes", len(p.Text))
	}
	if p.Units != utf8.RuneCountInString(p.Text) {
		return "wrong units"
	}
	if strings.Count(p.Text, "&") != len(slackEscape.FindAllString(p.Text, -1)) {
		return "an ampersand that is no escape"
	}
	for _, token := range slackToken.FindAllString(p.Text, -1) {
		if !slackActive.MatchString(token) {
			return "active token " + token
		}
	}
	if p.Payload["unfurl_links"] != false || p.Payload["unfurl_media"] != false || p.Payload["link_names"] != false {
		return "previews or mentions not off"
	}
	return brokenFences(p.Text)
}

func brokenDiscord(p markdown.Part) string {
	if n := utf8.RuneCountInString(p.Text); n > markdown.DiscordLimit || n != p.Units {
		return fmt.Sprintf("%d code points, said to be %d", n, p.Units)
	}
	mentions, _ := p.Payload["allowed_mentions"].(map[string]any)
	if parse, ok := mentions["parse"].([]string); !ok || len(parse) > 0 || p.Payload["flags"] != 4 {
		return "previews or mentions not off"
	}
	return brokenFences(p.Text)
}

func brokenFences(text string) string {
	if len(fenceLine.FindAllString(text, -1))%2 != 0 || strings.Count(text, "```")%2 != 0 {
		return "open fence"
	}
	return ""
}

func brokenTelegram(p markdown.Part) string {
	units := utf16.Encode([]rune(p.Text))
	if len(units) > markdown.TelegramLimit || len(units) != p.Units {
		return fmt.Sprintf("%d units, said to be %d", len(units), p.Units)
	}
	if len(p.Entities) > 100 {
		return fmt.Sprintf("%d entities", len(p.Entities))
	}
	if preview, _ := p.Payload["link_preview_options"].(map[string]any); preview["is_disabled"] != true {
		return "previews not off"
	}
	if first, _ := utf8.DecodeRuneInString(p.Text); unicode.IsSpace(first) && len(p.Entities) == 0 {
		return "leading blank, which the server would trim"
	}
	for i, e := range p.Entities {
		if problem := brokenEntity(e, units); problem != "" {
			return problem
		}
		for _, other := range p.Entities[i+1:] {
			if problem := clash(e, other); problem != "" {
				return problem
			}
		}
	}
	return ""
}

func brokenEntity(e markdown.Entity, units []uint16) string {
	end := e.Offset + e.Length
	if e.Offset < 0 || e.Length <= 0 || end > len(units) {
		return fmt.Sprintf("entity outside of the text: %+v", e)
	}
	for _, at := range []int{e.Offset, end} {
		if at < len(units) && utf16.IsSurrogate(rune(units[at])) && units[at] >= 0xDC00 {
			return fmt.Sprintf("entity cuts a surrogate pair: %+v", e)
		}
	}
	if (e.Type == "text_link") != (e.URL != "") {
		return fmt.Sprintf("address and type differ: %+v", e)
	}
	return ""
}

// clash tells why two entities, the first of which begins first, can't both be
// in a message.
func clash(a, b markdown.Entity) string {
	if b.Offset < a.Offset {
		return "entities out of order"
	}
	if b.Offset >= a.Offset+a.Length {
		return ""
	}
	if b.Offset+b.Length > a.Offset+a.Length {
		return fmt.Sprintf("entities cross: %+v %+v", a, b)
	}
	for _, e := range []markdown.Entity{a, b} {
		other := a.Type
		if e == a {
			other = b.Type
		}
		if (e.Type == "code" || e.Type == "pre") && other != "blockquote" {
			return fmt.Sprintf("%s shares text with %s", e.Type, other)
		}
	}
	return ""
}
