package when

import (
	"strconv"
	"strings"
)

var englishNumbers = map[string]int{
	"zero": 0, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
	"eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
	"fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
	"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "couple": 2, "couple of": 2, "a couple of": 2,
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
	"ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14,
	"fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
	"twentieth": 20, "thirtieth": 30, "last": -1, "other": 2, "alternate": 2,
}

// englishNumber reads digits, words and ordinals up to ninety-nine; -1 is "last",
// and what is no number.
func englishNumber(text string) int {
	if n, ok := englishNumbers[text]; ok {
		return n
	}
	if n, err := strconv.Atoi(strings.TrimRight(text, "sthndr")); err == nil {
		return n
	}
	tens, ones, ok := strings.Cut(strings.ReplaceAll(text, "-", " "), " ")
	if !ok {
		return -1
	}
	return englishNumbers[tens] + englishNumbers[strings.TrimSpace(ones)]
}

var chineseDigits = map[rune]int{
	'零': 0, '〇': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9,
	'日': 0, '天': 0, '末': 0, '首': 1,
}

// chineseNumber reads digits and numerals below a thousand: 十五, 二十, 廿三,
// 三百六十五, and 二〇二六 by its digits.
func chineseNumber(text string) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	total, digit, digits := 0, -1, 0
	for _, r := range text {
		unit := map[rune]int{'十': 10, '百': 100, '廿': 20, '卅': 30}[r]
		switch {
		case unit == 0:
			if digit >= 0 {
				digits = digits*10 + digit
			}
			digit = chineseDigits[r]
			continue
		case unit == 20 || unit == 30:
			total += unit
		case digit < 0:
			total += unit
		default:
			total += digit * unit
		}
		digit = -1
	}
	if digits > 0 && total == 0 && digits < 1000 {
		return digits*10 + max(digit, 0)
	}
	return total + max(digit, 0)
}
