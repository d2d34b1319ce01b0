package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Question is what the form of a question says of its answer. It is for
// putting passages of a conversation in order, and nothing is left out by it.
type Question struct {
	words string // folded, between blanks
	wants []want
}

// want is a kind of answer.
type want int

const (
	aTime want = iota // when, how long
	aName             // of somebody, of a work
	wants
)

// asking are the phrases that ask for an answer of a kind.
var asking = [wants][]string{
	aTime: {
		"when", "what time", "what date", "what day", "which day", "which month", "which year", "what year", "what month",
		"how long", "how often", "how old", "什么时候", "何时", "几时", "哪天", "哪年", "几点", "几号", "几月", "多久", "几年",
		"几天", "几岁", "いつ", "何年", "何月",
	},
	aName: {
		"who", "name", "named", "called", "title", "book", "books", "movie", "movies", "film", "films", "song", "songs",
		"game", "games", "show", "series", "band", "bands", "brand", "谁", "叫什么", "名字", "哪本", "哪部", "哪首", "だれ", "誰", "名前",
	},
}

// NewQuestion reads the form of what somebody asks.
func NewQuestion(s string) Question {
	var words strings.Builder
	words.WriteByte(' ')
	for piece := range Pieces(s) {
		words.WriteString(strings.TrimSuffix(piece, "'s"))
		words.WriteByte(' ')
	}
	q := Question{words: words.String()}
	for w, phrases := range asking {
		if slices.ContainsFunc(phrases, q.holds) {
			q.wants = append(q.wants, want(w))
		}
	}
	return q
}

// holds reports whether the question holds a folded phrase, of whole words
// where it is made of words.
func (q Question) holds(phrase string) bool {
	if phrase[0] < utf8.RuneSelf {
		phrase = " " + phrase + " "
	}
	return strings.Contains(q.words, phrase)
}

// Names reports whether the question names somebody, by the first of their names.
func (q Question) Names(name string) bool {
	for piece := range Pieces(name) {
		return len(piece) > 1 && !stopWords[piece] && q.holds(piece)
	}
	return false
}

// What it is worth that a passage has the form of an answer. Weights of this
// size came out on either half of a collection of conversations.
const (
	ownTells    = 1.15 // somebody tells of themselves
	pastTells   = 1.1  // of what was
	timeAnswers = 1.5
	nameAnswers = 1.25
	// formBytes is how much of a passage is looked at.
	formBytes = 2000
)

var (
	ownWords  = set(`i i'm i've i'd i'll my mine me we we're we've we'd our us`)
	pastWords = set(`was were had did`)
	timeWords = set(`yesterday today tonight tomorrow last next ago recently just since every
		morning afternoon evening night hour hours minute minutes day days daily week weeks weekly weekend weekends month months monthly
		year years yearly monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
		september october november december once twice age old`)
	timeRuns = []string{"昨", "今天", "明天", "上周", "上个", "刚", "最近", "月", "日", "年", "点", "岁", "先週"}
)

// Answered is a factor, 1 and up, for how much the form of a passage is that
// of an answer to the question.
func (q Question) Answered(passage string) float64 {
	passage = passage[:min(len(passage), formBytes)]
	own, past, timely := false, false, false
	each(passage, func(t *token) {
		if t.class == run {
			r := folded(t.chars).text
			timely = timely || slices.ContainsFunc(timeRuns, func(p string) bool { return strings.Contains(r, p) })
			own = own || strings.ContainsAny(r, "我私")
			return
		}
		w := string(t.word)
		own = own || ownWords[w]
		past = past || pastWords[w] || irregular[w] != "" || len(w) > 4 && strings.HasSuffix(w, "ed")
		timely = timely || timeWords[w] || isDigit(rune(w[0]))
	})
	f := 1.0
	if own {
		f *= ownTells
	}
	if past {
		f *= pastTells
	}
	if timely && slices.Contains(q.wants, aTime) {
		f *= timeAnswers
	}
	if slices.Contains(q.wants, aName) && named(passage) {
		f *= nameAnswers
	}
	return f
}

// named reports whether a passage quotes something, or has a capital inside a
// sentence.
func named(passage string) bool {
	if strings.ContainsAny(passage, `"“《「『`) {
		return true
	}
	before, last := ' ', ' '
	for _, r := range passage {
		if unicode.IsUpper(last) && unicode.IsLower(r) && (before == ',' || unicode.IsLower(before)) {
			return true
		}
		if r == ' ' {
			continue
		}
		before, last = last, r
	}
	return false
}
