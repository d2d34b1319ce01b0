package when

import (
	"strings"
	"unicode"
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
	return folded{text.String(), append(origin, len(phrase))}
}

// replace puts another text in place of bytes from..to.
func (f folded) replace(from, to int, text string) folded {
	origin := append([]int{}, f.origin[:from]...)
	for range len(text) {
		origin = append(origin, f.origin[from])
	}
	return folded{f.text[:from] + text + f.text[to:], append(origin, f.origin[to:]...)}
}
