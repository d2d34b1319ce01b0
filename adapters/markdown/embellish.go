package markdown

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// embellish makes emoji of their codes and code of file names, where the
// layout asks for it.
func embellish(spans []span, l layout) []span {
	if l.emoji {
		for i, s := range spans {
			if !s.atom() && strings.Count(s.text, ":") > 1 {
				spans[i].text = emojify(s.text)
			}
		}
	}
	if l.files && slices.ContainsFunc(spans, func(s span) bool { _, end := fileName(s.text); return end > 0 }) {
		return markFiles(spans)
	}
	return spans
}

// emoji are the short codes that models write most.
var emoji = map[string]string{
	"100": "💯", "+1": "👍", "-1": "👎", "alarm_clock": "⏰", "arrow_down": "⬇️", "arrow_left": "⬅️",
	"arrow_right": "➡️", "arrow_up": "⬆️", "bar_chart": "📊", "bell": "🔔", "book": "📖", "boom": "💥",
	"brain": "🧠", "broken_heart": "💔", "bug": "🐛", "bulb": "💡", "calendar": "📆", "chart_with_upwards_trend": "📈",
	"checkered_flag": "🏁", "clap": "👏", "clipboard": "📋", "coffee": "☕", "computer": "💻", "construction": "🚧",
	"cry": "😢", "dart": "🎯", "date": "📅", "email": "📧", "exclamation": "❗", "eyes": "👀", "fire": "🔥",
	"gear": "⚙️", "gift": "🎁", "grin": "😁", "hammer_and_wrench": "🛠️", "handshake": "🤝", "heart": "❤️",
	"heavy_check_mark": "✔️", "hourglass": "⌛", "information_source": "ℹ️", "joy": "😂", "key": "🔑", "link": "🔗",
	"lock": "🔒", "mag": "🔍", "mailbox": "📫", "memo": "📝", "moneybag": "💰", "muscle": "💪", "no_entry": "⛔",
	"ok_hand": "👌", "package": "📦", "page_facing_up": "📄", "partying_face": "🥳",
	"pencil": "📝", "point_right": "👉", "pray": "🙏", "pushpin": "📌", "question": "❓", "raised_hands": "🙌",
	"recycle": "♻️", "robot": "🤖", "rocket": "🚀", "rotating_light": "🚨", "shrug": "🤷", "slightly_smiling_face": "🙂",
	"smile": "😄", "smiley": "😃", "sob": "😭", "sparkles": "✨", "speech_balloon": "💬", "star": "⭐", "star2": "🌟",
	"stopwatch": "⏱️", "sunglasses": "😎", "sunny": "☀️", "tada": "🎉", "thinking": "🤔", "thinking_face": "🤔", "thumbsdown": "👎",
	"thumbsup": "👍", "trophy": "🏆", "warning": "⚠️", "wastebasket": "🗑️", "wave": "👋", "white_check_mark": "✅",
	"wink": "😉", "wrench": "🔧", "x": "❌", "zap": "⚡",
}

// emojify replaces the known codes. One that is glued to a word before it is
// something else, such as a time of day.
func emojify(s string) string {
	var b strings.Builder
	for {
		start := strings.IndexByte(s, ':')
		if start < 0 {
			break
		}
		n := codeLen(s[start:])
		picture, known := "", false
		if n > 0 && !endsWord(s[:start]) {
			picture, known = emoji[s[start+1:start+n-1]]
		}
		if !known {
			b.WriteString(s[:start+1])
			s = s[start+1:]
			continue
		}
		b.WriteString(s[:start])
		b.WriteString(picture)
		s = s[start+n:]
	}
	b.WriteString(s)
	return b.String()
}

// codeLen is the length of the emoji code, with its colons, that s begins with.
func codeLen(s string) int {
	for i := 1; i < min(len(s), 40); i++ {
		c := s[i]
		switch {
		case c == ':' && i > 1:
			return i + 1
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '+' || c == '-':
		default:
			return 0
		}
	}
	return 0
}

func endsWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// fileTypes are the extensions that are also top-level domains, so that chat
// clients make links of bare file names.
var fileTypes = map[string]bool{
	"md": true, "py": true, "rs": true, "sh": true, "pl": true, "so": true, "zip": true, "mov": true, "ps": true, "cc": true,
}

// markFiles gives spans with the file names in their text as code.
func markFiles(spans []span) []span {
	out := make([]span, 0, len(spans)+4)
	for _, s := range spans {
		rest := s.text
		for !s.atom() {
			start, end := fileName(rest)
			if end == 0 {
				break
			}
			if start > 0 {
				out = append(out, span{text: rest[:start], style: s.style})
			}
			out = append(out, span{text: rest[start:end], style: code})
			rest = rest[end:]
		}
		if rest != "" {
			s.text = rest
			out = append(out, s)
		}
	}
	return out
}

// fileName finds the first file name in s; end is zero where there is none.
func fileName(s string) (start, end int) {
	for dot := 0; dot < len(s); dot++ {
		if s[dot] != '.' {
			continue
		}
		end = dot + 1
		for end < len(s) && util.IsAlphaNumeric(s[end]) {
			end++
		}
		if !fileTypes[s[dot+1:end]] || goesOn(s[end:]) {
			continue
		}
		start = dot
		for start > 0 && (util.IsAlphaNumeric(s[start-1]) || strings.IndexByte("_-./\\", s[start-1]) >= 0) {
			start--
		}
		if start < dot && (start == 0 || s[start-1] != '@' && s[start-1] != ':') {
			return start, end
		}
	}
	return 0, 0
}

// goesOn tells whether what follows an extension makes it something else: a
// host name, an address or a longer word.
func goesOn(s string) bool {
	if s == "" {
		return false
	}
	if s[0] == '.' {
		return len(s) > 1 && util.IsAlphaNumeric(s[1])
	}
	return strings.IndexByte("/@-_", s[0]) >= 0
}
