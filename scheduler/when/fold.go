package when

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// folded is a phrase in one letter case and one width of characters, with the
// place in the original of each of its bytes, and of its end.
type folded struct {
	text   string
	origin []int
}

// alike are characters that mean the same in a schedule: punctuation as it is
// typed by phones, and the traditional forms of what the rules name.
var alike = strings.NewReplacer(
	"\u00a0", " ", "\u202f", " ", "\u3000", " ", "’", "'", "‘", "'", "“", " ", "”", " ", "\"", " ",
	"–", "-", "—", "-", "−", "-", "～", "~", "〜", "~", "、", ",", "。", ".", "；", ",", "「", " ", "」", " ",
	"(", " ", ")", " ", "（", " ", "）", " ",
	"週", "周", "點", "点", "鐘", "钟", "號", "号", "個", "个", "兩", "两", "後", "后", "時", "时", "間", "间",
	"禮", "礼", "淩", "凌", "過", "过", "從", "从", "這", "这", "雙", "双", "請", "请", "幫", "帮", "東", "东",
	"紐", "纽", "約", "约", "倫", "伦", "開", "开", "幾", "几", "給", "给", "內", "内", "為", "为", "會", "会",
)

// fold makes the folded form of a phrase.
func fold(phrase string) folded {
	var text strings.Builder
	var origin []int
	for i, r := range phrase {
		if r >= 0xFF01 && r <= 0xFF5E { // full width
			r -= 0xFEE0
		}
		piece := alike.Replace(string(unicode.ToLower(r)))
		text.WriteString(piece)
		for range len(piece) {
			origin = append(origin, i)
		}
	}
	return folded{text.String(), append(origin, len(phrase))}.closed()
}

// closed leaves out blanks beside Chinese characters: 每 30 分钟 is 每30分钟.
func (f folded) closed() folded {
	if Language(f.text) != Chinese {
		return f
	}
	var text strings.Builder
	var origin []int
	runes := []rune(f.text)
	at := 0
	for i, r := range runes {
		size := utf8.RuneLen(r)
		if r != ' ' || !unicode.Is(unicode.Han, beside(runes, i, -1)) && !unicode.Is(unicode.Han, beside(runes, i, 1)) {
			text.WriteRune(r)
			origin = append(origin, f.origin[at:at+size]...)
		}
		at += size
	}
	return folded{text.String(), append(origin, f.origin[len(f.text)])}
}

// beside is the next character to one side that is no blank, 0 if there is none.
func beside(runes []rune, i, step int) rune {
	for i += step; i >= 0 && i < len(runes); i += step {
		if runes[i] != ' ' {
			return runes[i]
		}
	}
	return 0
}

// replace puts another text in place of bytes from..to.
func (f folded) replace(from, to int, text string) folded {
	origin := append([]int{}, f.origin[:from]...)
	for range len(text) {
		origin = append(origin, f.origin[from])
	}
	return folded{f.text[:from] + text + f.text[to:], append(origin, f.origin[to:]...)}
}
