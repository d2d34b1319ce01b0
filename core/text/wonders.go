package text

import (
	"regexp"
	"sync"
)

// Interrogatives are the words that ask in Chinese, wherever in a sentence they
// stand, as alternatives of a regular expression.
const Interrogatives = `什么|啥|谁|哪|几|多少|多久|多大|多长|多远|怎么|怎样|如何|为何|何时|是不是|是否|有没有|能不能|要不要|会不会|可不可以|对不对|该不该|用不用`

// They are compiled when the first is used: not every program needs them.
var (
	wondering = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:what|when|where|who|whose|which|how|why|whether)\b|` + Interrogatives)
	})
	// whichever are the same words where they ask for nothing: what has to be looked
	// after, what holds whichever it is, and what is not much.
	whichever = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^when \w+ing\b|(?:检查|确认|核对|核实|留意|取决于|不管|无论|不论)[^,，。]*|` +
			`(?:什么|谁|怎么|哪|多少)[^,，]{0,4}?[都也]|没有?(?:什么|谁)|几乎|好几|十几|几[十百千万]`)
	})
)

// Wonders reports whether a sentence without its mark has the words of a question,
// in English or Chinese, where they ask for something. Whether it is one, its end
// tells besides: "who deploys: Ann" is none.
func Wonders(s string) bool { return wondering().MatchString(whichever().ReplaceAllString(s, "")) }
